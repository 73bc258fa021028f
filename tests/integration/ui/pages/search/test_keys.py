"""One search field, and results with the keys of every list. Driven by keys in the window; the engine searches the store."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.mail.letter import LetterKind
from app.domain.mail.message import SystemLabel
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.letter_commands import SendLetter
from app.store.mail.label_actions import Actions
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.pages.search.page import SearchPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press
from fakes.window.page_setup import drive, until


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    """An engine that searches and makes changes."""
    return AnsweringEngine(store)


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
