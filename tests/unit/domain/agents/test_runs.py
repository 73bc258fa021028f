"""Days of work: gaps are filled, medians are medians."""

from datetime import date
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.runs import DailyWork, every_day, middle

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
