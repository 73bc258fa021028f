"""The context menu of a conversation, with actions found only there: open at Gmail, copy the sender's address."""

from collections.abc import Callable
from urllib.parse import quote

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from app.domain.mail.message import ARCHIVE, Message
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.services.notices import account_by_id
from app.ui.widgets.context_menu import PageMenu

PARTS: tuple[tuple[str, ...], ...] = (
    ("mail.draft", "mail.reply", "mail.reply_all", "mail.forward"),
    ("mail.archive", "mail.inbox", "mail.trash", "mail.spam", "mail.snooze", "mail.mute"),
    ("mail.should",),
    ("mail.label", "mail.move", "mail.unread", "mail.star"),
    ("mail.rule", "mail.block", "mail.copy_address", "mail.gmail", "mail.source", "mail.print"),
)
"""The actions of the menu, by section."""


def gmail_page(email: str, thread: str) -> str:
    """Returns the URL of a conversation at Gmail, for any order of signed-in accounts. `thread` is Gmail's thread id."""
    return f"https://mail.google.com/mail/u/?authuser={quote(email)}#all/{quote(thread)}"


class ThreadMenu(QObject):
    """Context menu for the message that `current` returns; opens over `listed`."""

    def __init__(
        self, context: Context, current: Callable[[], Message | None], page: QWidget, listed: QAbstractScrollArea
    ) -> None:
        super().__init__(page)
        self._context, self._current, self._listed = context, current, listed
        connect_actions(page, context, {"mail.gmail": self.open_gmail, "mail.copy_address": self.copy_address})
        listed.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        listed.customContextMenuRequested.connect(self._pop_up)

    def open_gmail(self) -> None:
        message = self._current()
        if message is None:
            return
        account = account_by_id(self._context.reader, message.account_id)
        if account is None or account.kind == ARCHIVE:
            self._context.notices.tell(self.tr("This conversation is from an archive on this computer; Gmail does not have it."))
            return
        self._context.open_link(gmail_page(account.email, message.gmail_thread_id))

    def copy_address(self) -> None:
        message = self._current()
        if message is not None:
            QGuiApplication.clipboard().setText(message.sender.email)
            self._context.notices.tell(self.tr("Copied: %1").replace("%1", message.sender.email))

    def menu(self) -> QMenu:
        made = PageMenu(self._listed)
        for number, names in enumerate(PARTS):
            if number:
                made.addSeparator()
            for name in names:
                made.addAction(self._context.actions[name])
        return made

    def _pop_up(self, at: QPoint) -> None:
        if self._current() is None:
            return
        self.menu().popup(self._listed.viewport().mapToGlobal(at))
