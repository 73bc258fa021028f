"""The queue in its sections, and focus mode: how many are left, out by Escape, by another page, and with the last one."""

from itertools import groupby

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolButton

from app.domain.drafting.review import SECTIONS, Action, ReviewKind
from app.domain.ids import OutboxId, ReviewId
from app.domain.protocol.commands import Decide, Undo
from app.domain.protocol.events import ReviewDecided, ReviewReady
from app.ui.lists.row_painter import LOOK_ROLE
from app.ui.pages.review.page import ReviewPage
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.page_setup import nameless
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> ReviewPage:
    window.activateWindow()
    page = window.review_page
    page.deciding.glance_ms = 0
    page.take_focus()
    press("F")
    return page


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


def test_deciding_goes_on_and_escape_leads_back(
    window: MainWindow, page: ReviewPage, store: LivelyStore, link: RecordedEngine
) -> None:
    page.open(store.reviews["meeting"])
    press("Ctrl+Return")
    assert [one.action for one in link.commands if isinstance(one, Decide)] == [Action.ACCEPT]
    assert page.focus_mode.words == "7 left"
    press("E", "Escape")
    assert page.focus_mode.on, "the first Escape leaves the text"
    shown = page.current_review()
    press("Escape")
    assert not page.focus_mode.on
    assert chrome(window, page) == {True}
    assert page.queue.list.hasFocus()
    assert page.current_review() == shown
    page.queue._switch_list()
    window.actions_by_id["review.focus"].trigger()
    assert page.queue.pending and page.focus_mode.words == "7 left", "it goes to what waits"
    window.show_page("inbox")
    assert not page.focus_mode.on and window.navigation.isVisible()


def test_with_the_last_one_it_ends(window: MainWindow, page: ReviewPage) -> None:
    page._decisions.unconfirmed.update(ReviewId(one) for one in page.context.reader.review_ids())
    page.touch_now()
    assert not page.focus_mode.on
    assert window.navigation.isVisible()
    window.actions_by_id["review.focus"].trigger()
    toast = window.findChild(Toast)
    assert toast is not None and toast.words.text() == "You're all caught up."


def test_the_queue_has_sections_with_counts_and_opens_at_its_top(window: MainWindow) -> None:
    page = window.review_page
    queue = page.queue
    kinds = [queue.model.record(at).kind for at in range(queue.count)]  # type: ignore[union-attr]
    assert [section for section, _ in groupby(SECTIONS[kind] for kind in kinds)] == ["send", "attention", "notice"]
    looks = [queue.model.data(queue.model.index(at, 0), LOOK_ROLE) for at in range(queue.count)]
    headings = {at: look.heading for at, look in enumerate(looks) if look.heading}  # type: ignore[attr-defined]
    assert headings == {0: "To send · 5", 5: "Needs attention · 2", 7: "For your information · 1"}
    assert queue.list.rowHeight(0) > queue.list.rowHeight(1) == queue.list.rowHeight(2) < queue.list.rowHeight(5)
    shown = page.current_review()
    assert shown is not None and queue.row_of(shown.id) == 0
    assert queue.list.verticalScrollBar().value() == 0


def test_what_is_shown_stays_shown_and_on_top_while_drafts_arrive(
    window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    page, queue = window.review_page, window.review_page.queue
    before, rows = page.current_review(), list(queue.model.ids)
    assert before is not None and queue.row_of(before.id) == 0
    store.put(Mail("old", "old", ANA, "Order", "Shall we meet?", 90_000))
    request = store.desk().review(store.reviews["tool"]).proposal.request_json
    store.propose("first", "old", ReviewKind.TOOL_CALL, request_json=request)
    link.tell(ReviewReady(store.reviews["first"], "tool_call"))
    page.touch_now()
    first = store.reviews["first"]
    assert list(queue.model.ids) == [*rows[:5], first, *rows[5:]], "it is the last one to send"
    assert [size for _, size in queue.headings.values()] == [6, 2, 1]
    assert page.current_review() == before and queue.list.current_row() == 0
    window.show_page("inbox")
    window.show_page("review")
    page.touch_now()
    assert queue.row_of(first) == 0, "the most urgent is on top at the next visit"
    assert page.current_review() == before, "what was shown is still shown"


def informing(store: LivelyStore, page: ReviewPage) -> list[ReviewId]:
    for name, key in (("second", "m12"), ("third", "m06")):
        store.propose(name, key, ReviewKind.NOTIFY)
    page.touch_now()
    return [row.id for row in page.queue.notices()]


def test_all_of_a_section_are_dismissed_with_one_key_and_one_undo(
    window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    page = window.review_page
    page.take_focus()
    ids = informing(store, page)
    assert len(ids) == 3
    press("Shift+X")
    assert [one for one in link.commands if isinstance(one, Decide)] == [Decide(one, 1, Action.IGNORE) for one in ids]
    assert not page.queue.notices()
    press("Z")
    assert [one.review_id for one in link.commands if isinstance(one, Undo)] == ids
    for one in ids:
        link.tell(ReviewDecided(one, "pending", OutboxId(0), 0))
    assert page.current_review().id == ids[0]  # type: ignore[union-attr]


def test_the_heading_offers_to_dismiss_all(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    page = window.review_page
    ids = informing(store, page)
    page.open(ids[-1])
    button = next(one for one in page.queue.list.viewport().findChildren(QAbstractButton) if one.isVisible())
    row = page.queue.list.visualRect(page.queue.model.index(page.queue.row_of(ids[0]), 0))
    assert row.contains(button.geometry().center())
    button.click()
    assert len([one for one in link.commands if isinstance(one, Decide)]) == 3


def test_x_picks_one_after_the_other(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    page = window.review_page
    page.deciding.glance_ms = 0
    page.take_focus()
    first, second = page.queue.model.id_at(0), page.queue.model.id_at(1)
    press("Shift+J")
    assert [row.id for row in page.queue.picked()] == [first, second]
    page.queue.list.select_row(0)
    press("X", "J", "X")
    assert [row.id for row in page.queue.picked()] == [first, second]
    press("Ctrl+Return")
    assert link.commands == [], "drafts are approved one at a time"
    press("Delete")
    assert [one.review_id for one in link.commands if isinstance(one, Decide)] == [first, second]


def test_while_several_are_selected_nothing_changes_only_the_one_shown(
    window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    page, actions = window.review_page, window.actions_by_id
    page.open(store.reviews["plain"])
    page.take_focus()
    own = [name for name in ("review.edit", "review.save", "review.later", "review.approve") if actions[name].isEnabled()]
    at = page.queue.list.current_row()
    press("X", "J", "X")
    assert not any(actions[name].isEnabled() for name in own)
    assert actions["review.reject"].text() == "Dismiss selected"
    assert page.queue._heading.text() == "2 selected"
    press("E", "S", "N", "Return")
    assert (link.commands, page.queue.list.hasFocus()) == ([], True)
    page.queue.list.select_row(at)
    assert len(own) > 2 and all(actions[name].isEnabled() for name in own)
    assert (actions["review.reject"].text(), page.queue._heading.text()) == ("Reject", "Review")
