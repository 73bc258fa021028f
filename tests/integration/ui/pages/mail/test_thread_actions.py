"""Changes by keyboard: one command each with a key to undo it by, for one conversation or many."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from PySide6.QtWidgets import QDialog, QMenu
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.mail.triage import OwnerVerdict
from app.domain.ports.window import MailView
from app.domain.protocol.changes import ChangeLabels, CorrectVerdict, CreateLabel, Snooze, UndoChange, UndoCorrection
from app.domain.record import replace
from app.store.accounts import Accounts
from app.ui.pages.mail.page import MailPage
from app.ui.pages.mail.thread_actions import LabelPicker
from app.ui.widgets.menus import SnoozeDialog, snooze_menu, usual_times
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow, data: DataFolder) -> MailPage:
    data.settings.write_text('[reading]\nmark_read = "never"\n', encoding="utf-8")  # what is opened is not the matter here
    window.show_page("inbox")
    window.activateWindow()
    window.mail_page.take_focus()
    return window.mail_page


def choose(page: MailPage, store: LivelyStore, key: str) -> ThreadId:
    """Make the thread of a mail current, and let it be seen."""
    thread = store.mails[key].thread_id
    page.list.select_row(page.model.row_of(thread))
    page.reading.settle()
    return thread


def last(link: RecordedEngine) -> tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
    """The newest label change without its key."""
    change = link.commands[-1]
    assert isinstance(change, ChangeLabels)
    return change.thread_ids, change.add, change.remove


def test_each_key_is_one_command_with_a_way_back(page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    thread = choose(page, store, "m03")
    press("E")
    assert last(link) == ((thread,), (), ("INBOX",))
    archived = link.commands[-1]
    assert isinstance(archived, ChangeLabels)
    choose(page, store, "m03")
    press("S")
    assert last(link) == ((thread,), (), ("STARRED",))
    starred = link.commands[-1]
    assert isinstance(starred, ChangeLabels)
    press("Z")
    assert link.commands[-1] == UndoChange(starred.key)
    press("Z")
    assert link.commands[-1] == UndoChange(archived.key)
    count = len(link.commands)
    press("Z")
    assert len(link.commands) == count
    press("U")
    assert last(link) == ((thread,), (), ("UNREAD",))
    press("Delete")
    assert last(link) == ((thread,), ("TRASH",), ("INBOX", "SPAM"))
    choose(page, store, "m03")
    press("I")
    assert last(link) == ((thread,), ("INBOX",), ("TRASH", "SPAM"))


def test_the_toast_takes_its_own_change_back(
    page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    choose(page, store, "m03")
    page.changing.archive()
    change = link.commands[-1]
    assert isinstance(change, ChangeLabels)
    window.findChildren(Toast)[0].action.click()
    assert link.commands[-1] == UndoChange(change.key)


def test_all_of_a_view_even_what_was_not_read_yet(page: MailPage, link: RecordedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ui.pages.mail.page.FIRST", 3)
    page.show_view(MailView.ALL)
    page._more_timer.stop()
    everything = set(page.context.reader.thread_ids(MailView.ALL))
    press("Ctrl+A", "E")
    assert set(last(link)[0]) == everything


def dialog(page: MailPage, kind: type[QDialog]) -> QDialog:
    found = page.findChildren(kind)[-1]
    assert isinstance(found, kind)
    return found


def test_a_label_is_found_by_its_letters_or_made(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    thread = choose(page, store, "m03")
    press("V")
    picker = dialog(page, LabelPicker)
    assert isinstance(picker, LabelPicker)
    qtbot.keyClicks(picker.field, "brand new")
    press("Return", on=picker.field)
    made = link.commands[-1]
    assert isinstance(made, CreateLabel)
    assert (made.name, made.thread_ids, made.remove) == ("brand new", (thread,), ("INBOX", "TRASH", "SPAM"))


def test_snoozing_by_a_usual_time_and_any_other(page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    thread = choose(page, store, "m03")
    menu = snooze_menu(page.context.clock(), partial(page.changing.snooze, threads=(thread,)), page)
    menu.actions()[2].trigger()  # below the line for any time
    snoozed = link.commands[-1]
    assert isinstance(snoozed, Snooze)
    assert snoozed.thread_ids == (thread,)
    assert snoozed.until_ms > page.context.clock().timestamp() * 1000
    chosen: list[datetime] = []
    other = SnoozeDialog(datetime.now(UTC).astimezone(), chosen.append, page)
    other.open()
    press("Return", on=other.field)
    assert timedelta(hours=23) < chosen[0] - datetime.now(UTC) < timedelta(hours=25)


@pytest.mark.parametrize("hour", [7, 19])
@pytest.mark.parametrize("day", range(16, 23))
def test_usual_times_are_to_come_and_differ(day: int, hour: int) -> None:
    now = datetime(2026, 11, day, hour, 30, tzinfo=UTC)
    moments = [moment for _, moment in usual_times(now)]
    assert all(moment > now for moment in moments)
    assert len(moments) >= 3
    assert moments == sorted(set(moments))
    assert 5 in {moment.weekday() for moment in moments}
    assert 0 in {moment.weekday() for moment in moments}


def test_a_label_goes_where_it_was_asked_for(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    """Another conversation is open by the time the label is chosen."""
    thread = choose(page, store, "m03")
    press("V")
    picker = dialog(page, LabelPicker)
    assert isinstance(picker, LabelPicker)
    choose(page, store, "m04")
    qtbot.keyClicks(picker.field, "brand new")
    press("Return", on=picker.field)
    made = link.commands[-1]
    assert isinstance(made, CreateLabel)
    assert made.thread_ids == (thread,)


def test_a_label_of_one_account_is_not_put_on_mail_of_another(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine
) -> None:
    """Gmail numbers labels in each account: the same id means another label there."""
    second = replace(store, account_id=Accounts(store.db).add("you@example.com", "You", ("you@example.com",), "", "#3b6fd4"))
    second.put(Mail("other", "other", ANA, "For the other account", "Hello", 1))
    page.show_view(MailView.ALL)
    page.list.selectAll()
    assert store.mails["other"].thread_id in page.desk.targets()
    press("L")
    picker = dialog(page, LabelPicker)
    assert isinstance(picker, LabelPicker)
    qtbot.keyClicks(picker.field, "brand new")
    press("Return", on=picker.field)
    made = [one for one in link.commands if isinstance(one, CreateLabel)]
    assert {one.account_id for one in made} == {store.account_id, second.account_id}
    for one in made:
        rows = page.context.reader.thread_rows(list(one.thread_ids))
        assert {row.account_id for row in rows.values()} == {one.account_id}
    assert sum(len(one.thread_ids) for one in made) == page.model.rowCount()


def test_in_a_narrow_window_all_that_is_selected_is_seen(window: MainWindow, page: MailPage, store: LivelyStore) -> None:
    window.resize(640, 480)
    choose(page, store, "m03")
    press("Return")
    assert not page.list.isVisible()
    window.actions_by_id["mail.select_all"].trigger()
    assert page.list.isVisible()
    assert page.list.hasFocus()


def test_any_message_can_be_corrected_by_key_and_letter(page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    thread = choose(page, store, "m03")
    press("T")
    menu = next(one for one in page.findChildren(QMenu) if one.isVisible())
    assert [one.objectName() for one in menu.actions() if not one.isSeparator()] == [one.value for one in OwnerVerdict]
    press("R", on=menu)
    change = link.commands[-1]
    assert isinstance(change, CorrectVerdict)
    assert (change.thread_ids, change.verdict) == ((thread,), OwnerVerdict.NEEDS_REPLY)
    page.take_focus()
    press("Z")
    assert link.commands[-1] == UndoCorrection(change.key)
