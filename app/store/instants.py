"""Instants in the database: integer Unix milliseconds. Refuses naive datetimes by failing on the subtraction."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


def to_ms(instant: datetime) -> int:
    """Unix milliseconds of an aware datetime, rounded down."""
    return (instant - EPOCH) // _MS


def from_ms(unix_ms: int) -> datetime:
    """The aware UTC datetime of Unix milliseconds; also before 1970, which `fromtimestamp` refuses on Windows."""
    return EPOCH + timedelta(milliseconds=unix_ms)


def optional_ms(instant: datetime | None) -> int | None:
    """`to_ms`, None for None."""
    return None if instant is None else to_ms(instant)


def optional_instant(unix_ms: int | None) -> datetime | None:
    """`from_ms`, None for None."""
    return None if unix_ms is None else from_ms(unix_ms)
