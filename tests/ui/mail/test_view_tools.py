"""The icons beside a conversation's subject, by view: none that would change nothing there."""

import pytest

from app.domain.views import MailView
from app.ui.mail.view_tools import NAMES
from app.ui.main_window import MainWindow


def shown(window: MainWindow) -> set[str]:
    """The actions that have an icon now."""
    return {name for name, tool in window.mail_page.tools.tools.items() if not tool.isHidden()}


@pytest.mark.parametrize(
    ("view", "gone"),
    [
        (MailView.INBOX, {"mail.inbox"}),
        (MailView.SPAM, {"mail.archive"}),
        (MailView.TRASH, {"mail.archive", "mail.trash"}),
    ],
)
def test_what_changes_nothing_is_not_offered(window: MainWindow, view: MailView, gone: set[str]) -> None:
    window.show_page("inbox")
    window.mail_page.show_view(view)
    assert shown(window) == set(NAMES) - gone


def test_results_offer_what_the_inbox_offers(window: MainWindow) -> None:
    window.show_page("inbox")
    window.mail_page.show_view(MailView.TRASH)
    window.mail_page.search("order")
    assert shown(window) == set(NAMES) - {"mail.inbox"}
