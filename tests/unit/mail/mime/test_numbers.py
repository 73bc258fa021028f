"""Numbers of any size and shape become counts and moments that can be kept."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mail.gmail.consent import _expiry
from app.mail.mime.parts import EARLIEST, EPOCH, LATEST, MOST, count_of, moment_of, settled
from app.store.db.times import from_ms, to_ms

ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers().map(str) | st.lists(st.integers())


NONE = [(one, 0) for one in (None, "", "-", "7 ", "٣", "²", 1.5, [])]


@pytest.mark.parametrize(
    ("told", "count"),
    [(7, 7), ("7", 7), (0, 0), (-1, 0), ("-1", 0), (MOST + 1, MOST), (10**30, MOST), ("9" * 20, MOST), ("9" * 41, 0), *NONE],
    ids=str,
)
def test_a_count_is_brought_into_bounds(told: object, count: int) -> None:
    assert count_of(told) == count


@given(ANYTHING)
def test_a_count_and_a_moment_can_always_be_kept(told: object) -> None:
    assert 0 <= count_of(told) <= MOST
    moment = moment_of(told)
    assert moment is None or (EARLIEST <= moment < LATEST and from_ms(to_ms(moment)) == moment)


@pytest.mark.parametrize(("told", "moment"), [("1772532000000", datetime(2026, 3, 3, 10, tzinfo=UTC)), (0, EPOCH)])
def test_a_moment_is_read_to_the_millisecond(told: object, moment: datetime) -> None:
    assert moment_of(told) == moment


@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_every_moment_of_the_calendar_can_be_settled(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    ends = (datetime.min.replace(tzinfo=zone), datetime.max.replace(tzinfo=zone))
    assert [settled(one) for one in ends] == [EARLIEST, LATEST]
    usual = datetime(2026, 3, 3, 10, tzinfo=zone)
    assert settled(usual) == usual and settled(usual).tzinfo is UTC
    assert settled(ends[1]).astimezone(zone)


@given(ANYTHING)
def test_a_token_that_expires_at_no_possible_time_is_used_until_it_is_refused(told: object) -> None:
    expiry = _expiry(told)
    assert expiry is None or expiry.tzinfo is None
