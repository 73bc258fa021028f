"""Instants as Unix milliseconds."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.store.instants import from_ms, optional_instant, optional_ms, to_ms


@given(st.datetimes(timezones=st.just(UTC)))
def test_there_and_back(instant: datetime) -> None:
    """Any date of any century, to the millisecond."""
    assert timedelta(0) <= instant - from_ms(to_ms(instant)) < timedelta(milliseconds=1)
    assert to_ms(from_ms(to_ms(instant))) == to_ms(instant)


def test_none_stays_none() -> None:
    """Columns that may be empty."""
    assert optional_ms(None) is None
    assert optional_instant(None) is None
    assert optional_ms(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert optional_instant(0) == datetime(1970, 1, 1, tzinfo=UTC)
