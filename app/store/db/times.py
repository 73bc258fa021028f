"""Instants in the database: integer Unix milliseconds.

Where the user's day and month begin, in local time; daily and monthly caps count from there. Pure.

Times that something waits for: moved along when the machine's clock is set, and asked whether anything is at work now.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from app.store.db.database import Database

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


def day_start_ms(now: datetime) -> int:
    """The last local midnight before `now` (aware), in Unix milliseconds."""
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return to_ms(midnight.astimezone())


def month_start_ms(now: datetime) -> int:
    """The local midnight that began the month of `now` (aware), in Unix milliseconds."""
    first = now.astimezone().replace(day=1, hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    # The offset of the first of the month may be another than today's.
    return to_ms(first.astimezone())


CHOSEN_FROM = timedelta(minutes=10)
"""What waits longer than any undo window or retry waits for a time of day that the owner chose."""

_SHIFT = (
    """UPDATE outbox SET not_before = iif(not_before <= :soon, not_before + :by, not_before),
            lease_until = iif(lease_until > 0, lease_until + :by, 0), retry_at = iif(retry_at > 0, retry_at + :by, 0)
        WHERE state NOT IN ('sent', 'cancelled')""",
    """UPDATE jobs SET run_at = iif(run_at > 0, run_at + :by, 0), lease_until = iif(lease_until > 0, lease_until + :by, 0)
        WHERE failed_at IS NULL AND (run_at > 0 OR lease_until > 0)""",
)

_AT_WORK = """SELECT EXISTS (SELECT 1 FROM to_fetch WHERE attempts = 0)
    OR EXISTS (SELECT 1 FROM jobs WHERE failed_at IS NULL AND lease_until > :now)
    OR EXISTS (SELECT 1 FROM outbox WHERE lease_until > :now AND state NOT IN ('sent', 'cancelled'))"""


def shift_due_times(db: Database, by: timedelta, now: datetime, then: Callable[[], None]) -> None:
    """Move undo windows, retries and leases by as much as the clock jumped, so that each lasts as long as it would have; a mail
    that is to leave on Monday at eight leaves on Monday at eight by the new clock. `now` is what the clock says before the jump;
    `then` sets it, before anybody else can write."""
    values = {"by": by // timedelta(milliseconds=1), "soon": to_ms(now + CHOSEN_FROM)}
    with db.transaction() as connection:
        for statement in _SHIFT:
            connection.execute(statement, values)
        then()


def at_work(db: Database, now: datetime) -> bool:
    """Whether something is claimed or waits to be fetched."""
    return bool(db.read(_AT_WORK, {"now": to_ms(now)})[0][0])
