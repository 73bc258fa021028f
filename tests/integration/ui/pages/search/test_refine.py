"""What helps to write a search: chips, notes, a likelier spelling, offers while one types, recent and saved searches."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from app.domain.protocol.queries import FindMail, FoundMails, SearchNote, SearchNoteKind, Suggestions, SuggestSearch
from app.ui.pages.search.page import SearchPage
from app.ui.session.ini_file import note_search, recent, saved, toggle_saved
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, nameless, until


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


async def test_each_key_asks_at_once(stage: Stage) -> None:
    page = opened(stage)
    page.line.setFocus()
    for key in "inv":
        QTest.keyClicks(page.line, key)
    await answered(stage, "inv")
    assert [one.text for one in stage.engine.queries if isinstance(one, FindMail)][-1] == "inv"


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
