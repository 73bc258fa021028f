"""Times in the database are integer Unix milliseconds. Also: where the user's day and month begin in local time (for caps), and
due times that move when the machine's clock is set.
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
    """The aware UTC datetime. Also works before 1970, where `fromtimestamp` fails on Windows."""
    return EPOCH + timedelta(milliseconds=unix_ms)


def optional_ms(instant: datetime | None) -> int | None:
    return None if instant is None else to_ms(instant)


def optional_instant(unix_ms: int | None) -> datetime | None:
    return None if unix_ms is None else from_ms(unix_ms)


def day_start_ms(now: datetime) -> int:
    """The last local midnight before `now` (aware), in Unix milliseconds."""
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return to_ms(midnight.astimezone())


def month_start_ms(now: datetime) -> int:
    """The local midnight at which the month of `now` (aware) began, in Unix milliseconds."""
    first = now.astimezone().replace(day=1, hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    # The UTC offset may differ between today and the first of the month.
    return to_ms(first.astimezone())


CHOSEN_FROM = timedelta(minutes=10)
"""A time further ahead than any undo delay or retry is one that the owner chose."""

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
    """Moves undo delays, retries and leases by the clock's jump, so that they last as long as before.

    A time chosen by the owner ("Monday at eight") stays. `now` is the clock before the jump; `then` sets it inside the
    transaction, before any other write.
    """
    values = {"by": by // timedelta(milliseconds=1), "soon": to_ms(now + CHOSEN_FROM)}
    with db.transaction() as connection:
        for statement in _SHIFT:
            connection.execute(statement, values)
        then()


def at_work(db: Database, now: datetime) -> bool:
    """Whether a job or outbox item is leased, or a message waits for its first fetch."""
    return bool(db.read(_AT_WORK, {"now": to_ms(now)})[0][0])
