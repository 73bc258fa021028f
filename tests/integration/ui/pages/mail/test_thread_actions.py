"""Changes by key and by dragging: one command each with an undo, for one conversation or many, never with another account's."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.mail.message import Label
from app.domain.mail.triage import OwnerVerdict
from app.domain.ports.window import MailView
from app.domain.protocol.changes import ChangeLabels, CorrectVerdict, CreateLabel, Snooze, UndoChange, UndoCorrection
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.navigation.places import origin_of, takes, threads_in
from app.ui.pages.mail.page import MailPage
from app.ui.pages.mail.thread_actions import LabelPicker
from app.ui.widgets.menus import SnoozeDialog, snooze_menu
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, OWNER, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine
from fakes.window.row_dragging import BOTH, LEFT, PLAIN, DraggingHand


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
    assert (made.name, made.thread_ids, made.remove) == ("brand new", (thread,), ("INBOX", "TRASH", "SPAM"))


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


CTRL = Qt.KeyboardModifier.ControlModifier
YOU = "you@example.com"


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch, window: MainWindow) -> DraggingHand:
    return DraggingHand(monkeypatch, window, window.navigation)


@pytest.fixture
def labels(window: MainWindow, store: LivelyStore) -> None:
    own = (Label("L1", "Work", "user"), Label("L2", "Big shop", "user"))
    Messages(store.db).apply(store.account_id, SyncPage(labels=own))
    window._event_handler.count()


def changes(link: RecordedEngine) -> list[ChangeLabels]:
    return [one for one in link.commands if isinstance(one, ChangeLabels)]


def toast(window: MainWindow) -> Toast:
    return window.findChildren(Toast)[0]


def row_of(page: MailPage, store: LivelyStore, key: str) -> int:
    return page.model.row_of(store.mails[key].thread_id)


FILED = {
    "starred": (("STARRED",), ()),
    "trash": (("TRASH",), ("INBOX", "SPAM")),
    "spam": (("SPAM",), ("INBOX", "TRASH")),
    "all": ((), ("INBOX", "TRASH", "SPAM")),
    "label:Work": (("L1",), ("INBOX", "TRASH", "SPAM")),
}


def test_one_conversation_is_filed_where_it_is_dropped(
    page: MailPage, store: LivelyStore, link: RecordedEngine, hand: DraggingHand, labels: None, window: MainWindow
) -> None:
    thread = store.mails["m05"].thread_id
    for place, (add, remove) in FILED.items():
        hand.drag(page.list, row_of(page, store, "m05"), place)
        assert last(link) == ((thread,), add, remove)
        filed = changes(link)[-1]
        toast(window).action.click()
        assert link.commands[-1] == UndoChange(filed.key)


def test_into_the_inbox_from_elsewhere_never_where_it_lies_and_never_from_another_program(
    page: MailPage, store: LivelyStore, link: RecordedEngine, hand: DraggingHand, window: MainWindow
) -> None:
    hand.drag(page.list, 0, "inbox")
    assert hand.accepted == [False]
    assert not changes(link)
    page.show_view(MailView.ALL)
    hand.drag(page.list, row_of(page, store, "m12"), "inbox")
    assert last(link) == ((store.mails["m12"].thread_id,), ("INBOX",), ("TRASH", "SPAM"))
    for mime in ("text/uri-list", "application/x-replyroom-threads-1"):
        strange = QMimeData()
        strange.setData(mime, b"\x01\0\0\0\0\0\0\0")
        entering = QDragEnterEvent(window.navigation.rect().center(), BOTH, strange, LEFT, PLAIN)
        QApplication.sendEvent(window.navigation.viewport(), entering)
        assert not entering.isAccepted()
        assert origin_of(strange) is None
        assert not threads_in(strange)
        assert not takes("trash", None)


def test_several_go_together_and_the_picture_tells_how_many(
    page: MailPage, link: RecordedEngine, hand: DraggingHand, labels: None, window: MainWindow
) -> None:
    page.list.select_row(0)
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in (2, 3):
        page.list.selectionModel().select(page.model.index(row, 0), flags)
    ids = tuple(page.model.ids[row] for row in (0, 2, 3))
    hand.drag(page.list, 2, "trash", "label:Big-shop")
    assert last(link) == (ids, ("L2",), ("INBOX", "TRASH", "SPAM"))
    assert "Big shop" in toast(window).words.text()
    hand.drag(page.list, 1, "label:Work", modifiers=CTRL)
    assert last(link) == ((page.model.ids[1],), ("L1",), ()), "with Ctrl it stays where it is"
    place = next(one for one in window.navigation.places.places if one.name == "label:Work")
    count = len(link.commands)
    page.changing.drop(place, [ThreadId(999_999)], keep=False)
    assert len(link.commands) == count, "what went meanwhile is left out"
    three, one = (picture.toImage() for picture in hand.pictures)
    assert three != one
    assert three.width() > 40


@pytest.fixture
def second(store: LivelyStore, window: MainWindow, labels: None) -> LivelyStore:
    """Another account with a mail and a label of its own; "Work" is there too, by another id."""
    made = replace(store, account_id=Accounts(store.db).add(YOU, "You", (YOU,), "", "#3b6fd4"))
    made.put(Mail("other", "other", ANA, "For the other account", "Hello", 1))
    Messages(store.db).apply(made.account_id, SyncPage(labels=(Label("L9", "Work", "user"), Label("L8", "Club", "user"))))
    window._event_handler.count()
    window.mail_page.show_view(MailView.ALL)
    return made


def test_a_label_takes_mail_of_accounts_that_have_it_and_else_nothing_and_says_whose(
    page: MailPage, second: LivelyStore, link: RecordedEngine, hand: DraggingHand, window: MainWindow
) -> None:
    page.list.selectAll()
    hand.drag(page.list, 0, "label:Club")
    assert not changes(link)
    assert OWNER.email in toast(window).words.text()
    assert "Club" in toast(window).words.text()
    hand.drag(page.list, row_of(page, second, "m05"), f"label:inbox account:{YOU}")
    assert not changes(link)
    assert YOU in toast(window).words.text()
    page.list.select_row(row_of(page, second, "other"))
    hand.drag(page.list, row_of(page, second, "other"), f"label:inbox account:{YOU}")
    assert last(link) == ((second.mails["other"].thread_id,), ("INBOX",), ("TRASH", "SPAM"))
    page.list.selectAll()
    everything = set(page.model.ids)
    hand.drag(page.list, 0, "label:Work")
    both = changes(link)[1:]
    found = {one.add: set(one.thread_ids) for one in both}
    assert found == {("L9",): {second.mails["other"].thread_id}, ("L1",): everything - {second.mails["other"].thread_id}}
    page.context.actions["window.undo"].trigger()
    assert [one for one in link.commands if isinstance(one, UndoChange)] == [UndoChange(one.key) for one in both]
