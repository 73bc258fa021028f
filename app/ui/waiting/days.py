"""Working days, counted back from now. Pure."""

from collections.abc import Collection
from datetime import datetime, timedelta


def working_days_ago(now: datetime, days: int, weekdays: Collection[int]) -> datetime:
    """The same time of day `days` working days before `now` (aware); Monday is 0; without any weekday every day counts."""
    working = set(weekdays) or set(range(7))
    at, left = now, days
    while left > 0:
        at -= timedelta(days=1)
        left -= at.weekday() in working
    return at


def working_days_between(start: datetime, end: datetime, weekdays: Collection[int]) -> int:
    """How many working days lie between two instants, the first day not counted."""
    working = set(weekdays) or set(range(7))
    days = (end.date() - start.date()).days
    return sum((start + timedelta(days=one)).weekday() in working for one in range(1, days + 1))
