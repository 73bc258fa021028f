"""Days and months begin at local midnight, also where the clocks have changed since."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from app.store.instants import from_ms
from app.store.periods import day_start_ms, month_start_ms


@pytest.fixture
def prague(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zone with summer time."""
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", "Europe/Prague")
    time.tzset()
    yield
    monkeypatch.undo()
    assert os.environ.get("TZ") == before
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs tzset")
@pytest.mark.parametrize(
    ("now", "day", "month"),
    [
        (
            datetime(2026, 11, 20, 23, 30, tzinfo=UTC),
            datetime(2026, 11, 20, 23, tzinfo=UTC),
            datetime(2026, 10, 31, 23, tzinfo=UTC),
        ),
        (datetime(2026, 10, 25, 12, tzinfo=UTC), datetime(2026, 10, 24, 22, tzinfo=UTC), datetime(2026, 9, 30, 22, tzinfo=UTC)),
        (datetime(2026, 10, 31, 12, tzinfo=UTC), datetime(2026, 10, 30, 23, tzinfo=UTC), datetime(2026, 9, 30, 22, tzinfo=UTC)),
        (datetime(2026, 3, 31, 22, 30, tzinfo=UTC), datetime(2026, 3, 31, 22, tzinfo=UTC), datetime(2026, 3, 31, 22, tzinfo=UTC)),
    ],
)
@pytest.mark.usefixtures("prague")
def test_starts(now: datetime, day: datetime, month: datetime) -> None:
    assert from_ms(day_start_ms(now)) == day
    assert from_ms(month_start_ms(now)) == month
