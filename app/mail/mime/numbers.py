"""Read numbers of Google's, brought into bounds that SQLite, dates and sums can hold.

A number that is none, or is out of bounds, concerns one message or one count, and stops nothing else.
"""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""Beyond them a time in another zone may be no time of the calendar any more."""
MOST = 2**31 - 1
"""Google counts mails and bytes with 32 bits."""
LONGEST = 40
"""Digits of a number that is read at all."""


def count_of(value: object) -> int:
    """Read a count or a size, from 0 to `MOST`."""
    return min(max(_whole(value) or 0, 0), MOST)


def moment_of(value: object) -> datetime | None:
    """Read milliseconds since 1970; None for no possible moment."""
    unix_ms = _whole(value)
    try:
        moment = EPOCH + timedelta(milliseconds=unix_ms) if unix_ms is not None else None
    except OverflowError:
        return None
    return moment if moment is not None and EARLIEST <= moment < LATEST else None


def settled(moment: datetime) -> datetime:
    """Bring a moment into the time between `EARLIEST` and `LATEST`."""
    try:
        return min(max(moment.astimezone(UTC), EARLIEST), LATEST)
    except OverflowError:
        return LATEST if moment.year > EPOCH.year else EARLIEST


def _whole(value: object) -> int | None:
    """Read a whole number that comes as a number or as digits."""
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) <= LONGEST and value.isascii():
        return int(value) if value.removeprefix("-").isdigit() else None
    return None
