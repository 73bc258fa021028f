"""Numbers of past work: backtests of limits, and runs by day."""

from datetime import date
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.backtest import CHOICES, STANDARD, BacktestRow, TriageLimits, figures, limits_for
from app.domain.agents.runs import DailyWork, every_day, middle
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.triage import Decision


def row(number: int, respond: float, answered: bool | None, ignore: float = 0.0, settled: str = "") -> BacktestRow:
    return BacktestRow(MessageId(number), ThreadId(number), respond, ignore, settled, answered)


ANSWERED = [row(at, at / 100, True) for at in range(1, 101)]
OTHERS = [row(200 + at, at / 200, False) for at in range(100)]


@pytest.mark.parametrize("misses", CHOICES)
def test_no_more_are_missed_than_chosen_and_no_lower_limit_is_needed(misses: int) -> None:
    limits = limits_for(ANSWERED + OTHERS, misses)
    found = figures(ANSWERED + OTHERS, limits)
    assert found.missed <= misses
    assert limits.respond_from == 0.02 or found.missed >= misses - 1


def test_lower_limits_mark_more() -> None:
    marked = [figures(ANSWERED + OTHERS, limits_for(ANSWERED + OTHERS, misses)).marked for misses in CHOICES]
    assert marked == sorted(marked, reverse=True)


def test_counts_leave_out_what_is_too_new_to_know() -> None:
    rows = [row(1, 0.9, True), row(2, 0.9, None), row(3, 0.1, True, ignore=0.8), row(4, 0.9, False, settled="ignore")]
    found = figures(rows, STANDARD)
    assert (found.received, found.answered, found.marked, found.right) == (3, 2, 1, 1)
    assert (found.missed, found.hidden, found.ignored) == (1, 1, 2)


def test_hiding_is_limited_to_one_in_a_hundred() -> None:
    rows = [row(at, 0.1, True, ignore=0.7) for at in range(100)] + [row(200 + at, 0.9, True) for at in range(100)]
    limits = limits_for(rows, 50)
    assert figures(rows, limits).hidden <= 2
    assert limits.ignore_from > 0.7


def test_what_headers_settle_stays_and_nothing_answered_changes_nothing() -> None:
    assert row(1, 0.99, True, settled="notify").decision(TriageLimits(0.02)) is Decision.NOTIFY
    assert limits_for(OTHERS, 2) == STANDARD
    assert figures([], STANDARD).received == 0
    bounces = [row(at, 0.0, True, settled="notify") for at in range(10)]
    assert 0.02 <= limits_for(bounces, 2).respond_from <= 0.95


LAST = date(2026, 3, 1)


def test_days_without_work_are_there_with_zeros() -> None:
    busy = DailyWork(date(2026, 2, 28), (("inquiry", 2), ("", 1)), 40.0)
    days = every_day([busy, DailyWork(date(2026, 1, 1), (("spam", 9),))], LAST, 3)
    assert [one.day.isoformat() for one in days] == ["2026-02-27", "2026-02-28", "2026-03-01"]
    assert [one.mails for one in days] == [0, 3, 0]
    assert (days[1].of("inquiry"), days[1].of("spam")) == (2, 0)


@given(st.lists(st.floats(0, 1e9), min_size=1))
def test_the_middle_is_the_median(values: list[float]) -> None:
    assert middle(sorted(values)) == pytest.approx(median(values))


def test_nothing_has_no_middle() -> None:
    assert middle(()) == 0.0
