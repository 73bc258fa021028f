"""Finding in the open message by keys, with the number of matches; words of a search are marked in the opened message."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.message.find_bar import marked_html, searched_words, spots
from app.ui.message.plain_text import MailText
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press


@pytest.fixture
def page(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["m03"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails["m03"].thread_id)
    page.take_focus()
    return page


def text_view(page: MailPage) -> MailText:
    view = page.reading.body._stack.currentWidget()
    assert isinstance(view, MailText)
    return view


def test_matches_are_marked_counted_and_gone_through_by_keys(qtbot: QtBot, page: MailPage) -> None:
    press("Ctrl+F")
    bar = page.reading.body.finding
    assert bar.line.hasFocus()
    assert "we ship on Monday" in page.reading.body.text, "quoted text is shown too"
    qtbot.keyClicks(bar.line, "WÉ")  # neither case nor accents matter
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 2")
    assert len(text_view(page).extraSelections()) == 2
    press("Return")
    assert bar.count.text() == "2 of 2"
    press("Return")
    assert bar.count.text() == "1 of 2"
    press("Shift+Return")
    assert bar.count.text() == "2 of 2"
    qtbot.keyClicks(bar.line, "xyz")
    qtbot.waitUntil(lambda: bar.count.text() == "Not found")
    press("Escape")
    assert not bar.isVisible()
    assert text_view(page).extraSelections() == []
    assert page.reading.body.isAncestorOf(QApplication.focusWidget())


def test_words_of_a_search_are_marked_in_the_message(page: MailPage, store: LivelyStore) -> None:
    page.reading.body.mark(searched_words("from:ana track* novem"))
    cursors = [one.cursor.selectedText() for one in text_view(page).extraSelections()]  # type: ignore[attr-defined]
    assert cursors == ["Novem", "track"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("from:ana invoice", ("invoice",)),
        ('"late fee" -paid OR is:unread', ("late fee",)),
        ("(invoice OR offer) subject:x", ("invoice", "offer")),
        ("a", ()),
        ("is the bike on my stairs", ("bike", "stairs")),
        ("that is it", ("that", "is", "it")),
    ],
)
def test_only_words_that_a_text_may_contain_are_marked(query: str, words: tuple[str, ...]) -> None:
    assert searched_words(query) == words


def test_tags_are_left_alone_in_html() -> None:
    html = '<p class="invoice">Your <b>Invoice</b> is late</p>'
    assert marked_html(html, ("invoice",)) == '<p class="invoice">Your <b><mark>Invoice</mark></b> is late</p>'
    assert list(spots("Účet a účty", ("uct",), from_start=True)) == [(7, 10)]
