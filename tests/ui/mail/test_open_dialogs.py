"""A label that is being named and a time to snooze until are asked again after a crash, for the same conversations."""

import pytest

from app.domain.ids import ThreadId
from app.ui.mail.label_picker import LabelPicker
from app.ui.mail.picking import pick_label
from app.ui.mail.snooze_menu import SnoozeDialog, snooze_menu
from app.ui.main_window import MainWindow
from app.ui.returning_dialog import for_threads
from app.ui.whereabouts import Spot
from fakes.lively_store import LivelyStore


def left(window: MainWindow) -> Spot:
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
