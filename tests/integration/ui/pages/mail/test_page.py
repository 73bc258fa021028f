"""The icons beside a conversation's subject, by view: none that would change nothing there.

The rows of Snoozed say when each conversation comes back.
"""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from app.domain.ids import ThreadId
from app.domain.protocol.views import MailView
from app.store.mail.snoozes import Snoozes
from app.ui.pages.mail.desk import NAMES
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore


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


def spoken(window: MainWindow) -> str:
    """What a screen reader says of the first row."""
    model = window.mail_page.model
    return str(model.data(model.index(0, 0), int(Qt.ItemDataRole.AccessibleTextRole)))


def test_a_snoozed_row_says_when_it_comes_back(window: MainWindow, store: LivelyStore) -> None:
    thread = ThreadId(store.mails["m01"].thread_id)
    Snoozes(store.db, store.clock).put("k", [thread], store.now + timedelta(days=2))
    window.show_page("snoozed")
    assert window.mail_page.model.rowCount() == 1
    assert "back on Sun" in spoken(window)
    window.show_page("all")
    assert "back" not in spoken(window)
