"""The queue in its two orders, and focus mode: how many are left, out by Escape, by another page, and with the last one."""

from array import array
from itertools import groupby

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from app.domain.drafting.review import Action
from app.domain.ids import ReviewId
from app.domain.protocol.commands import Decide
from app.ui.pages.review.page import ReviewPage
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import nameless
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> ReviewPage:
    window.activateWindow()
    page = window.review_page
    page.glance_ms = 0
    page.take_focus()
    press(page, Qt.Key.Key_F)
    return page


def press(page: ReviewPage, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or page, key, held)


def chrome(window: MainWindow, page: ReviewPage) -> set[bool]:
    """Whether the queue, the places and the search are on screen."""
    return {one.isVisible() for one in (page.queue, window.navigation, window.search)}


def test_only_the_desk_is_left_and_says_how_many(window: MainWindow, page: ReviewPage) -> None:
    assert page.focus_mode.on
    assert chrome(window, page) == {False}
    assert page.focus_mode.isVisible()
    assert page.focus_mode.words == "8 left"
    arrows = [one for one in page.desk.findChildren(QToolButton) if one.accessibleName() == "Back to the queue"]
    assert [one.isVisible() for one in arrows] == [False], "one way out is enough"
    held = QApplication.focusWidget()
    assert held is not None and page.isAncestorOf(held)
    assert not nameless(page)


def test_deciding_goes_on_to_the_next(page: ReviewPage, store: LivelyStore, link: RecordedEngine) -> None:
    page.open(store.reviews["meeting"])
    press(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [one.action for one in link.commands if isinstance(one, Decide)] == [Action.ACCEPT]
    assert page.focus_mode.words == "7 left"
    here = page.current_review()
    assert here is not None
    press(page, Qt.Key.Key_K)
    there = page.current_review()
    assert there is not None and there.id != here.id
    assert page.focus_mode.on


def test_escape_leads_back_to_the_queue(window: MainWindow, page: ReviewPage) -> None:
    shown = page.current_review()
    press(page, Qt.Key.Key_Escape)
    assert not page.focus_mode.on
    assert chrome(window, page) == {True}
    assert page.queue.list.hasFocus()
    assert page.current_review() == shown


def test_escape_in_the_text_stays_with_the_item(page: ReviewPage, store: LivelyStore) -> None:
    page.open(store.reviews["meeting"])
    press(page, Qt.Key.Key_E)
    assert page.desk.card.editor.hasFocus()
    press(page, Qt.Key.Key_Escape)
    assert page.focus_mode.on
    assert QApplication.focusWidget() is not page.desk.card.editor


def test_another_page_brings_the_places_back(window: MainWindow, page: ReviewPage) -> None:
    window.show_page("inbox")
    assert not page.focus_mode.on
    assert window.navigation.isVisible()
    window.show_page("review")
    assert page.queue.isVisible()


def test_the_search_is_found_though_its_line_was_hidden(window: MainWindow, page: ReviewPage) -> None:
    press(page, Qt.Key.Key_Slash)
    assert window.search.hasFocus()
    assert window.navigation.isVisible()


def test_with_the_last_one_it_ends(window: MainWindow, page: ReviewPage) -> None:
    page._decisions.unconfirmed.update(ReviewId(one) for one in page.context.reader.review_ids())
    page.touch_now()
    assert not page.focus_mode.on
    assert window.navigation.isVisible()
    window.actions_by_id["review.focus"].trigger()
    toast = window.findChild(Toast)
    assert toast is not None and toast.words.text() == "Nothing waits for you."


def test_from_what_was_decided_it_goes_to_what_waits(window: MainWindow, page: ReviewPage) -> None:
    press(page, Qt.Key.Key_Escape)
    page.queue._switch_list()
    assert not page.queue.pending
    window.actions_by_id["review.focus"].trigger()
    assert page.queue.pending
    assert page.focus_mode.words == "8 left"


def test_kinds_stand_together_on_wish(window: MainWindow) -> None:
    page = window.review_page
    queue, action = page.queue, window.actions_by_id["review.group"]
    kinds = {key: row.kind for key, row in page.context.reader.review_rows([ReviewId(one) for one in queue.model.ids]).items()}
    replies = [key for key in queue.model.ids if kinds[ReviewId(key)] == "reply"]
    others = [key for key in queue.model.ids if key not in replies]
    mixed = array("q", [replies[0], *others, *replies[1:]])
    assert replies[1:] and others
    assert queue._in_order(mixed) == mixed
    chosen, before = page.current_review(), list(queue.model.ids)
    action.trigger()
    assert queue.grouped
    assert action.text() == "Oldest urgent first"
    together = list(queue._in_order(mixed))
    assert together == [*replies, *others], "each kind where its first stands, in the order within"
    runs = [kind for kind, _ in groupby(kinds[ReviewId(key)] for key in queue.model.ids)]
    assert len(runs) == len(set(runs)), "a kind stands in two places"
    assert page.current_review() == chosen
    action.trigger()
    assert not queue.grouped
    assert list(queue.model.ids) == before
