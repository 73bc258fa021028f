"""Quiet hours over midnight, quiet days, and the choice to hear nothing."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.settings import NotificationSettings
from app.ui.quiet import welcome

WEEK = (0, 1, 2, 3, 4)
FRIDAY = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(("hour", "spoken"), [(6, False), (7, True), (12, True), (20, True), (21, False), (23, False)])
def test_quiet_hours_go_over_midnight(hour: int, spoken: bool) -> None:
    assert welcome(FRIDAY.replace(hour=hour), NotificationSettings(), WEEK) is spoken


def test_quiet_hours_by_day_and_none() -> None:
    lunch = NotificationSettings(quiet_from="12:00", quiet_to="13:00")
    assert not welcome(FRIDAY.replace(hour=12, minute=59), lunch, WEEK)
    assert welcome(FRIDAY.replace(hour=13), lunch, WEEK)


def test_quiet_days() -> None:
    sunday = FRIDAY.replace(day=22, hour=12)
    assert welcome(sunday, NotificationSettings(), WEEK)
    assert not welcome(sunday, NotificationSettings(quiet_weekend=True), WEEK)
    noon, from_sunday = FRIDAY.replace(hour=12), (6, 0, 1, 2, 3)
    assert not welcome(noon, NotificationSettings(quiet_weekend=True), from_sunday), "a week is not everybody's"
    assert welcome(sunday, NotificationSettings(quiet_weekend=True), from_sunday)


@given(st.datetimes(timezones=st.just(UTC)), st.integers(0, 23))
def test_the_same_time_twice_is_never_quiet_and_off_is_always(at: datetime, hour: int) -> None:
    same = f"{hour:02d}:00"
    assert welcome(at, NotificationSettings(quiet_from=same, quiet_to=same), WEEK)
    assert not welcome(at, NotificationSettings(shown=False), WEEK)
