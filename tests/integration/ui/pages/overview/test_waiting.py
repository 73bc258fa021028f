"""Waiting: working days, a nudge, waiting no longer."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.protocol.letter_commands import DismissWaiting, DraftNudge
from app.store.letters.waiting import WaitingMail
from app.ui.lists.view import RowList
from app.ui.pages.overview.waiting import WaitingPage, working_days_ago, working_days_between
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LEE, OWNER, LivelyStore, Mail
from fakes.window.page_setup import cut, nameless
from fakes.window.recorded_engine import RecordedEngine

WEEK = (0, 1, 2, 3, 4)
SENT: dict[str, Any] = {"labels": frozenset({"SENT"}), "to": (LEE,)}
FRIDAY = datetime(2026, 11, 20, 12).astimezone()


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> WaitingPage:
    """The page with one open question, after one working day."""
    store.put(Mail("open", "open", OWNER, "Offer", "Do you want it?", 60 * 24 * 12, **SENT))
    window.show_page("waiting")
    made = window.page("waiting")
    assert isinstance(made, WaitingPage)
    made.days.setCurrentIndex(0)
    made.days.activated.emit(0)
    return made


@given(st.integers(1, 30), st.frozensets(st.integers(0, 6)))
def test_counting_back_and_forth_agree(days: int, weekdays: frozenset[int]) -> None:
    assert working_days_between(FRIDAY, FRIDAY + timedelta(days=3), WEEK) == 1
    start = working_days_ago(FRIDAY, days, weekdays)
    working = weekdays or frozenset(range(7))
    assert working_days_between(start, FRIDAY, weekdays) == days - (start.weekday() in working) + (FRIDAY.weekday() in working)


def test_a_nudge_is_drafted_and_waiting_ends(window: MainWindow, page: WaitingPage, link: RecordedEngine) -> None:
    row = page.current
    assert row is not None
    window.actions_by_id["waiting.nudge"].trigger()
    assert link.commands[-1] == DraftNudge(row.message_id)
    window.actions_by_id["waiting.dismiss"].trigger()
    assert link.commands[-1] == DismissWaiting(row.message_id, dismissed=True)
    window.context.notices.toast.action.click()  # type: ignore[attr-defined]
    assert link.commands[-1] == DismissWaiting(row.message_id, dismissed=False)
    assert not nameless(page)
    assert not cut(page)


def test_nobody_waits_and_the_days_are_remembered(page: WaitingPage, store: LivelyStore, window: MainWindow) -> None:
    page.days.setCurrentIndex(page.days.count() - 1)
    page.days.activated.emit(0)
    assert not page.model.rowCount()
    assert "No replies outstanding" in page.state.accessibleName()
    assert not window.actions_by_id["waiting.nudge"].isEnabled()
    assert int(str(page.context.state.value("waiting/days"))) == 15


def test_the_next_one_is_shown_where_one_went(page: WaitingPage, store: LivelyStore) -> None:
    for number in range(3):
        store.put(Mail(f"w{number}", f"w{number}", OWNER, f"Question {number}", "When?", 60 * 24 * (8 + number), **SENT))
    page.refresh()
    assert page.model.rowCount() > 3
    page.list.select_row(page.model.rowCount() - 1)
    gone = page.current
    WaitingMail(store.db, store.clock).dismiss(gone.message_id, True)
    page.refresh()
    assert page.list.current_row() == page.model.rowCount() - 1


def test_a_promise_is_shown_with_its_day_and_needs_no_nudge(page: WaitingPage, store: LivelyStore, window: MainWindow) -> None:
    store.put(Mail("owed", "owed", OWNER, "Invoice", "I will send you the invoice by Friday.", 60 * 24 * 20, **SENT))
    page.refresh()
    row = next(at for at in range(page.model.rowCount()) if (one := page.model.record(at)) and one.owed)
    look = page.model.record(row)
    assert look is not None
    assert page._row(look).chips[0].text.startswith("you promised it for Fri")
    page.list.select_row(row)
    assert not window.actions_by_id["waiting.nudge"].isEnabled()
    assert window.actions_by_id["waiting.dismiss"].isEnabled()


def test_whoever_reads_back_in_the_conversation_stays_there_when_mail_comes(page: WaitingPage, store: LivelyStore) -> None:
    store.put(Mail("before", "long", LEE, "Question", "Ask me.", 60 * 24 * 20))
    store.put(Mail("asked", "long", OWNER, "Re: Question", "When?", 60 * 24 * 8, **SENT))
    page.refresh()
    row = next(at for at in range(page.model.rowCount()) if (one := page.model.record(at)) and one.subject == "Re: Question")
    page.list.select_row(row)
    asked = page.reading.message.id
    strip = next(one for one in page.findChildren(RowList) if one.accessibleName() == "Messages in the conversation")
    strip.select_row(0)
    before = page.reading.message.id
    assert before != asked
    page.refresh()
    assert page.reading.message.id == before
