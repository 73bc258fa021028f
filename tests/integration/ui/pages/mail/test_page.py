"""A label that is being named and a time to snooze until are asked again after a crash, for the same conversations.

The icons beside a conversation's subject, by view: none that would change nothing there.

The rows of Snoozed say when each conversation comes back.
"""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from app.domain.ids import ThreadId
from app.domain.protocol.views import MailView
from app.store.mail.snoozes import Snoozes
from app.ui.pages.base import for_threads
from app.ui.pages.mail.label_picker import LabelPicker, pick_label
from app.ui.pages.mail.page import NAMES
from app.ui.pages.mail.snooze_menu import SnoozeDialog, snooze_menu
from app.ui.session.session_store import SavedPosition
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore


def left(window: MainWindow) -> SavedPosition:
    """How the dialogs stand, which are closed then."""
    page = window.mail_page
    place = page.parts.place()
    for one in (*page.findChildren(LabelPicker), *page.findChildren(SnoozeDialog)):
        one.again = {}
        one.close()
    return {key: value for key, value in place.items() if key == "dialog"}


def test_a_label_that_is_being_named(window: MainWindow, store: LivelyStore) -> None:
    window.show_page("inbox")
    page = window.mail_page
    threads = [store.mails["m01"].thread_id, ThreadId(999_999)]
    picker = pick_label(page.context, page.changing, threads[:1], True, page)
    assert picker is not None
    picker.field.setText("Suppl")
    place = left(window)
    page.parts.begin_at(place)
    again = next(one for one in page.findChildren(LabelPicker) if one.again)
    assert (again.field.text(), again.again) == ("Suppl", for_threads("move", threads[:1]))
    assert again.windowTitle() == picker.windowTitle()
    left(window)
    assert page.parts.place().get("dialog") is None, "it was closed"


@pytest.mark.soak
def test_a_time_to_snooze_until(window: MainWindow, store: LivelyStore) -> None:
    window.show_page("inbox")
    page = window.mail_page
    threads = [store.mails["m01"].thread_id]
    menu = snooze_menu(page.context.clock(), lambda _at: None, page, for_threads("snooze", threads))
    menu.actions()[-1].trigger()
    dialog = page.findChildren(SnoozeDialog)[0]
    dialog.field.setDateTime(dialog.field.dateTime().addDays(400))
    place = left(window)
    window.show_page("outbox")
    page.parts.begin_at(place)
    assert page.parts.waits("dialog"), "nothing opens over another page"
    window.show_page("inbox")
    again = next(one for one in page.findChildren(SnoozeDialog) if one.again)
    assert again.field.dateTime() == dialog.field.dateTime()
    left(window)


@pytest.mark.soak
def test_conversations_that_are_gone_are_asked_about_no_more(window: MainWindow) -> None:
    window.show_page("inbox")
    page = window.mail_page
    page.parts.begin_at({"dialog": '[{"kind": "label", "threads": "999999", "label": "Suppl"}]'})
    assert not page.findChildren(LabelPicker)
    assert for_threads("label", [ThreadId(one) for one in range(501)]) == {}, "thousands are asked again"


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
