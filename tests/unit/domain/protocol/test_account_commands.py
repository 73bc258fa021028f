"""How long a sign-in lives."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.protocol.account_commands import ended_as_in_testing, ends_at, ends_soon

SINCE = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(("hours", "testing"), [(1, False), (150, False), (160, True), (168, True), (200, True), (230, False)])
def test_a_week_marks_testing(hours: int, testing: bool) -> None:
    assert ended_as_in_testing(SINCE, SINCE + timedelta(hours=hours)) is testing


def test_what_is_not_known_says_nothing() -> None:
    assert not ended_as_in_testing(None, SINCE)
    assert ends_at(None, True) is None
    assert ends_at(SINCE, False) is None
    assert not ends_soon(SINCE, False, SINCE + timedelta(days=8))


def test_the_last_day_and_what_follows_is_soon() -> None:
    assert ends_at(SINCE, True) == SINCE + timedelta(days=7)
    assert not ends_soon(SINCE, True, SINCE + timedelta(days=5, hours=23))
    assert ends_soon(SINCE, True, SINCE + timedelta(days=6))
    assert ends_soon(SINCE, True, SINCE + timedelta(days=9))
