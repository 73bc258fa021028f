"""The icons beside a conversation's subject: those that change something where it is filed.

Refuses to do anything itself: each triggers its action.
"""

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from app.domain.views import MailView
from app.ui.build import action_button, action_tool

NAMES = ("mail.archive", "mail.inbox", "mail.trash", "mail.snooze", "mail.label", "mail.unread", "mail.star")
OUT_OF_INBOX = (MailView.SPAM, MailView.TRASH)
"""Here nothing can be archived; one gets things back."""


class ViewTools:
    """`widgets` in their order; `suit` when another view is listed."""

    def __init__(self, actions: Mapping[str, QAction]) -> None:
        self._tools: dict[str, QToolButton] = {name: action_tool(actions[name]) for name in NAMES}
        self._tools["mail.inbox"].hide()
        self.widgets: list[QWidget] = [*self._tools.values(), action_button(actions["mail.draft"])]

    def suit(self, view: MailView) -> None:
        """From spam and trash a conversation goes back to the inbox; what is in the trash is not put there again."""
        away = view in OUT_OF_INBOX
        self._tools["mail.inbox"].setVisible(away)
        self._tools["mail.archive"].setVisible(not away)
        self._tools["mail.trash"].setVisible(view is not MailView.TRASH)
