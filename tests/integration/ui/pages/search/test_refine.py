"""What helps to write a search: chips, notes, a likelier spelling, offers while one types, recent and saved searches."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.domain.mail.letter import LetterKind
from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.letter_commands import SendLetter
from app.domain.protocol.queries import FindMail, FoundMails, SearchNote, SearchNoteKind, Suggestions, SuggestSearch
from app.store.mail.label_actions import Actions
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.pages.search.page import SearchPage
from app.ui.pages.search.refine import OPERATOR
from app.ui.session.ini_file import note_search, recent, saved, toggle_saved
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, drive, nameless, until


@pytest.fixture
def stage(stage: Stage) -> Iterator[Stage]:
    store = lively_store(stage.data.database)
    yield stage
    store.db.close()


def opened(stage: Stage) -> SearchPage:
    page = SearchPage(stage.context)
    stage.show(page)
    return page


def words_of(page: SearchPage, kind: type[QPushButton] | type[QToolButton]) -> list[str]:
    return [one.text() or one.accessibleName() for one in page.refine.findChildren(kind) if one.isVisible()]


def click(page: SearchPage, words: str) -> None:
    buttons = [*page.refine.findChildren(QPushButton), *page.refine.findChildren(QToolButton)]
    next(one for one in buttons if one.isVisible() and words in (one.text(), one.accessibleName())).click()


async def answered(stage: Stage, text: str, *notes: SearchNote) -> FindMail:
    await until(lambda: any(isinstance(one, FindMail) and one.text == text for one in stage.engine.queries))
    asked = next(one for one in reversed(stage.engine.queries) if isinstance(one, FindMail))
    stage.engine.answer(FoundMails((), more=False, notes=notes), FindMail)
    return asked


async def test_chips_are_changed_and_removed(stage: Stage) -> None:
    page = opened(stage)
    page.look_for("from:ann scratch is:unread")
    await answered(stage, "from:ann scratch is:unread")
    assert not nameless(page.refine)
    assert {"from:ann", "is:unread"} <= set(words_of(page, QPushButton))
    click(page, "Remove is:unread")
    await answered(stage, "from:ann scratch")
    assert page.line.text() == "from:ann scratch"
    click(page, "Change from:ann")
    assert page.line.selectedText() == "ann"
    QTest.keyClicks(page.line, "ben")
    await answered(stage, "from:ben scratch")


async def test_what_is_left_out_and_a_likelier_word_are_shown(stage: Stage) -> None:
    page = opened(stage)
    page.look_for("foo:bar batery")
    await answered(stage, "foo:bar batery", SearchNote(SearchNoteKind.UNKNOWN_OPERATOR, "foo:bar"))
    await until(lambda: stage.engine.asked(FindMail) > 1)
    stage.engine.answer(FoundMails((), more=False), FindMail)  # mails with some of the words
    await until(lambda: stage.engine.asked(SuggestSearch) > 0)
    stage.engine.answer(Suggestions(("foo:bar battery",)), SuggestSearch)
    await until(lambda: "Did you mean “foo:bar battery”?" in words_of(page, QPushButton))
    assert "foo:bar" in page.refine._notes.text()
    click(page, "Did you mean “foo:bar battery”?")
    await answered(stage, "foo:bar battery")


async def test_a_mistyped_value_is_offered_as_it_is_known(stage: Stage) -> None:
    page = opened(stage)
    page.look_for("is:unred has:atachment")
    notes = (SearchNote(SearchNoteKind.UNKNOWN_VALUE, one) for one in ("is:unred", "has:atachment"))
    await answered(stage, "is:unred has:atachment", *notes)
    assert page.ask.isHidden(), "nobody asks that"
    await until(lambda: "Did you mean “is:unread has:attachment”?" in words_of(page, QPushButton))
    click(page, "Did you mean “is:unread has:attachment”?")
    await answered(stage, "is:unread has:attachment")
    await until(lambda: page.refine._notes.isHidden())
    assert not any("Did you mean" in words for words in words_of(page, QPushButton))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("from:lee", "from:"), ("is:UN", "is:unread"), ("old has:att", "has:attachment"), ("wong", "from:"), ("x is:unread", "")],
)
def test_offers(stage: Stage, typed: str, offered: str) -> None:
    page = opened(stage)
    puts = [put for _, put in page.offers.offers(typed)]
    assert all(one.startswith(offered) for one in puts)
    assert bool(puts) is bool(offered)


def test_parts_of_a_search() -> None:
    found = [one[0] for one in OPERATOR.finditer('from:"Ann B" -label:x a:// (to:me) 10:30 subject:(a b)')]
    assert found == ['from:"Ann B"', "-label:x", "a://", "subject:(a b)"]


def test_recent_and_saved_searches(stage: Stage) -> None:
    state = stage.context.state
    for text in ("inv", "invoice", "Invoice may", "flight"):
        note_search(state, text)
    assert recent(state) == ["flight", "Invoice may"]
    page = opened(stage)
    assert "flight" in words_of(page, QPushButton)
    assert toggle_saved(state, "invoice")
    assert saved(state) == ["invoice"]
    assert not toggle_saved(state, "invoice")
    assert not saved(state)


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    """An engine that searches."""
    return AnsweringEngine(store)


async def test_an_offer_is_taken_by_key(window: MainWindow) -> None:
    window.show_page("search")
    window.activateWindow()
    window.search.setFocus()
    popup = window.search_page.offers.popup
    QTest.keyClicks(window.search, "scratch is:un")
    await until(popup.isVisible)
    press("Tab", on=popup)
    assert window.search.text() == "scratch is:unread "
    assert not popup.isVisible()


async def test_return_searches_for_what_was_typed_unless_an_offer_was_chosen(window: MainWindow) -> None:
    """Also where a window manager gives the focus to the list of offers."""
    window.show_page("search")
    window.activateWindow()
    window.search.setFocus()
    popup = window.search_page.offers.popup
    QTest.keyClicks(window.search, "Price Lee")
    await until(popup.isVisible)
    QApplication.sendEvent(popup, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.PopupFocusReason))
    press("Return", on=popup)
    assert (window.search.text(), popup.isVisible()) == ("Price Lee", False)
    window.search.setFocus()
    window.search.clear()
    QTest.keyClicks(window.search, "Lee")
    await until(popup.isVisible)
    QApplication.sendEvent(popup, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.PopupFocusReason))
    press("Down", on=popup)
    assert popup.currentIndex().row() == 0
    press("Return", on=popup)
    assert "from:lee" in window.search.text()


async def test_a_saved_search_is_a_place_with_its_count(window: MainWindow, link: AnsweringEngine) -> None:
    window.show_page("search")
    window.search_page.look_for("in:inbox")
    await until(lambda: window.search_page.model.rowCount() > 0)
    window.search_page._save.click()
    await until(lambda: any(one.name == "search:in:inbox" and one.count for one in window.navigation.places.places))
    window.show_page("inbox")
    window.show_page("search:in:inbox")
    await until(lambda: window.search_page.model.rowCount() > 0)
    assert window.search.text() == "in:inbox"
    window.search_page._save.click()
    await until(lambda: not any(one.name.startswith("search:") for one in window.navigation.places.places))


@pytest.fixture
def search(qtbot: QtBot, window: MainWindow) -> Callable[[str], SearchPage]:
    """Searches by keys: slash, the words, Enter."""
    window.show_page("inbox")
    window.activateWindow()

    def find(words: str) -> SearchPage:
        page = window.search_page

        async def scenario() -> None:
            press("/")
            qtbot.keyClicks(window.search, words)
            press("Return")
            await until(lambda: page.model.rowCount() > 0 and page.reading.settled)

        drive(scenario())
        return page

    return find


def test_enter_goes_to_the_list_and_there_is_one_field(window: MainWindow, search: Callable[[str], SearchPage]) -> None:
    page = search("order")
    assert page.list.hasFocus()
    fields = [one for one in window.findChildren(QLineEdit) if one.isVisible() and one.property("role") == "search"]
    assert fields == [window.search]
    assert window.search.text() == "order"


def test_each_row_says_where_it_lies(store: LivelyStore, search: Callable[[str], SearchPage]) -> None:
    actions = Actions(store.db, store.clock)
    actions.change("k1", [store.mails["m05"].thread_id], (), ("INBOX",))
    page = search("in:anywhere frame")
    look = page.model.record(page.model.row_of(store.mails["m05"].thread_id))
    assert look.chips[0].text == "Archive"


@pytest.mark.parametrize(
    ("key", "add", "remove"),
    [("E", (), ("INBOX",)), ("Delete", ("TRASH",), ("INBOX", "SPAM")), ("S", ("STARRED",), ())],
)
def test_a_key_acts_on_the_result(
    qtbot: QtBot,
    link: AnsweringEngine,
    search: Callable[[str], SearchPage],
    key: str,
    add: tuple[str, ...],
    remove: tuple[str, ...],
) -> None:
    page = search("scratch")
    thread = page.reading.thread_id
    press(key)
    (change,) = (one for one in link.commands if isinstance(one, ChangeLabels) and SystemLabel.UNREAD not in one.remove)
    assert (change.thread_ids, change.add, change.remove) == ((thread,), add, remove)


def test_a_result_is_answered_in_place(
    qtbot: QtBot, window: MainWindow, link: AnsweringEngine, search: Callable[[str], SearchPage]
) -> None:
    page = search("scratch")
    message = page.reading.message
    press("R")
    editor = window.focusWidget()
    assert isinstance(editor, LetterTextEditor) and page.isAncestorOf(editor)
    qtbot.keyClicks(editor, "Thursday is fine.")
    press("Ctrl+Return", on=editor)
    (sent,) = (one for one in link.commands if isinstance(one, SendLetter))
    assert (sent.letter.kind, sent.letter.about, sent.letter.body) == (LetterKind.REPLY, message.id, "Thursday is fine.")


def test_the_inbox_does_not_act_on_a_key_of_the_search(
    window: MainWindow, link: AnsweringEngine, search: Callable[[str], SearchPage]
) -> None:
    opened = window.mail_page.reading.thread_id
    page = search("scratch")
    assert page.reading.thread_id != opened
    press("E")
    assert all(opened not in one.thread_ids for one in link.commands if isinstance(one, ChangeLabels) and "INBOX" in one.remove)
