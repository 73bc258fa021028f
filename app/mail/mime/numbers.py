"""Reads numbers of Google's answers within the range of SQLite and `datetime`.

An invalid number affects only its own message or count.
"""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""Beyond these, converting to another time zone may overflow."""
MOST = 2**31 - 1
"""Google counts messages and bytes with 32 bits."""
LONGEST = 40
"""Numbers with more digits are not read."""


def count_of(value: object) -> int:
    """Reads a count or a size, from 0 to `MOST`."""
    return min(max(_whole(value) or 0, 0), MOST)


def moment_of(value: object) -> datetime | None:
    """Reads milliseconds since 1970; None if invalid or out of range."""
    unix_ms = _whole(value)
    try:
        moment = EPOCH + timedelta(milliseconds=unix_ms) if unix_ms is not None else None
    except OverflowError:
        return None
    return moment if moment is not None and EARLIEST <= moment < LATEST else None


def settled(moment: datetime) -> datetime:
    """Limits a time to the range from `EARLIEST` to `LATEST`."""
    try:
        return min(max(moment.astimezone(UTC), EARLIEST), LATEST)
    except OverflowError:
        return LATEST if moment.year > EPOCH.year else EARLIEST


def _whole(value: object) -> int | None:
    """Reads an integer from a number or from digits."""
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) <= LONGEST and value.isascii():
        return int(value) if value.removeprefix("-").isdigit() else None
    return None
