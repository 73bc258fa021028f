"""Where the user's day and month begin, in local time; daily and monthly caps count from there. Pure."""

from datetime import datetime

from app.store.instants import to_ms


def day_start_ms(now: datetime) -> int:
    """The last local midnight before `now` (aware), in Unix milliseconds."""
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return to_ms(midnight.astimezone())


def month_start_ms(now: datetime) -> int:
    """The local midnight that began the month of `now` (aware), in Unix milliseconds."""
    first = now.astimezone().replace(day=1, hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    # The offset of the first of the month may be another than today's.
    return to_ms(first.astimezone())
