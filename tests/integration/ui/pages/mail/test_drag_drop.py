"""Conversations dragged out of their list onto places of the navigation: what the keys do, and never with another account's."""

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent, QImage
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.mail.message import Label
from app.domain.ports.window import MailView
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.navigation.places import origin_of, takes, threads_in
from app.ui.pages.mail.page import MailPage
from app.ui.pages.mail.thread_actions import LabelPicker
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, OWNER, LivelyStore, Mail
from fakes.window.recorded_engine import RecordedEngine
from fakes.window.row_dragging import BOTH, LEFT, PLAIN, DraggingHand

CTRL = Qt.KeyboardModifier.ControlModifier
YOU = "you@example.com"


@pytest.fixture
def page(window: MainWindow, data: DataFolder) -> MailPage:
    data.settings.write_text('[reading]\nmark_read = "never"\n', encoding="utf-8")  # what is opened is not the matter here
    window.show_page("inbox")
    return window.mail_page


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch, window: MainWindow) -> DraggingHand:
    return DraggingHand(monkeypatch, window, window.navigation)


@pytest.fixture
def labels(window: MainWindow, store: LivelyStore) -> None:
    own = (Label("L1", "Work", "user"), Label("L2", "Big shop", "user"))
    Messages(store.db).apply(store.account_id, SyncPage(labels=own))
    window._event_handler.count()


def last(link: RecordedEngine) -> tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
    """The newest label change without its key."""
    change = link.commands[-1]
    assert isinstance(change, ChangeLabels)
    return change.thread_ids, change.add, change.remove


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


def test_the_place_under_the_pointer_is_marked_and_others_are_not(
    page: MailPage, link: RecordedEngine, hand: DraggingHand, window: MainWindow
) -> None:
    rows = {place.name: row for row, place in enumerate(window.navigation.places.places) if place.name}

    def picture(name: str) -> QImage:
        area = window.navigation.visualRect(window.navigation.places.index(rows[name]))
        return window.navigation.viewport().grab(area).toImage()

    plain, seen = {name: picture(name) for name in ("trash", "sent", "settings")}, []
    way = iter(("trash", "sent", "settings", "trash"))
    hand.drag(page.list, 0, "trash", "sent", "settings", "trash", drops=False, look=lambda: seen.append(picture(next(way))))
    assert hand.accepted == [True, False, False, True]
    assert [one != before for one, before in zip(seen, (*plain.values(), plain["trash"]), strict=True)] == [
        True,
        False,
        False,
        True,
    ]
    assert picture("trash") == plain["trash"], "given up, nothing is marked"
    assert not changes(link)


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


def test_a_label_chosen_by_key_goes_to_the_mail_of_each_account_that_has_it(
    page: MailPage, second: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    page.list.selectAll()
    other = second.mails["other"].thread_id
    for name in ("Big shop", "Work"):
        page.context.actions["mail.label"].trigger()
        (picker,) = (one for one in page.findChildren(LabelPicker) if one.isVisible())
        assert "@" not in picker.windowTitle()
        picker.field.setText(name)
        picker.take()
        if name == "Big shop":
            assert not changes(link)
            assert YOU in toast(window).words.text(), "whose account has no such label"
    found = {one.add: set(one.thread_ids) for one in changes(link)}
    assert found == {("L9",): {other}, ("L1",): set(page.model.ids) - {other}}
