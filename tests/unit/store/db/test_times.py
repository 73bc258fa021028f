"""A clock that is set moves what waits along; what is at work is seen.

Days and months begin at local midnight, also where the clocks have changed since.

Instants as Unix milliseconds.
"""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import AccountId, GmailId, GmailThreadId
from app.domain.mail.outbox import OutboxState
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.db.times import (
    at_work,
    day_start_ms,
    from_ms,
    month_start_ms,
    optional_instant,
    optional_ms,
    shift_due_times,
    to_ms,
)
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage, ToFetch
from app.store.outbox import Outbox
from fakes.engine.store.values import NOON, HandClock, new_outbox

DAY = timedelta(days=1)


def test_waiting_times_move_with_the_clock(db: Database, account: AccountId, clock: HandClock) -> None:
    """Undo windows, retries and leases last as long as they would have; what is final or due at once stays."""
    outbox, jobs = Outbox(db, clock), Jobs(db, clock)
    waiting = outbox.add(new_outbox(marker="<1@x>", due=NOON + timedelta(seconds=10)))
    sent = outbox.add(new_outbox(marker="<2@x>"))
    outbox.move(sent, OutboxState.QUEUED, OutboxState.SENT)
    jobs.put("sweep", "later", "{}", run_at=NOON + timedelta(seconds=90))
    jobs.put("sweep", "leased", "{}", priority=1)
    leased = jobs.claim("sweep", 60)
    assert leased is not None
    shift_due_times(db, DAY, clock(), lambda: clock.pass_s(DAY.total_seconds()))
    assert outbox.get(waiting).not_before == NOON + DAY + timedelta(seconds=10)
    assert outbox.get(sent).not_before == NOON
    assert (outbox.claim_due("w", 9), jobs.claim("sweep", 9)) == (None, None)
    clock.pass_s(11)
    item = outbox.claim_due("w", 9)
    assert item is not None
    clock.pass_s(50)
    again = jobs.claim("sweep", 9)
    assert again.key == "leased"
    jobs.done(again.id)
    clock.pass_s(30)
    later = jobs.claim("sweep", 9)
    assert later.key == "later"


def test_back_again_changes_nothing(db: Database, account: AccountId, clock: HandClock) -> None:
    """A day forward and a day back is where it began."""
    outbox = Outbox(db, clock)
    item = outbox.add(new_outbox(due=NOON + timedelta(seconds=10)))
    for by in (DAY, -DAY):
        shift_due_times(db, by, clock(), lambda by=by: clock.pass_s(by.total_seconds()))  # type: ignore[misc]
    assert outbox.get(item).not_before == NOON + timedelta(seconds=10)


@pytest.mark.parametrize("by", [timedelta(hours=2), timedelta(hours=-2)], ids=["forward", "back"])
def test_a_time_of_day_that_was_chosen_stays(db: Database, account: AccountId, clock: HandClock, by: timedelta) -> None:
    """The machine's clock was wrong and is set right: the mail still leaves when the owner said."""
    outbox = Outbox(db, clock)
    item = outbox.add(new_outbox(due=NOON + timedelta(hours=20)))
    shift_due_times(db, by, clock(), lambda: clock.pass_s(by.total_seconds()))
    assert outbox.get(item).not_before == NOON + timedelta(hours=20)


def test_at_work(db: Database, account: AccountId, clock: HandClock) -> None:
    """What is claimed or waits to be fetched; not what merely waits for its time or cannot be fetched."""
    jobs = Jobs(db, clock)
    jobs.put("classify", "1", "{}")
    assert not at_work(db, clock())
    job = jobs.claim("classify", 60)
    assert job is not None
    assert at_work(db, clock())
    clock.pass_s(61)
    assert not at_work(db, clock())
    wanted = ToFetch(GmailId("a"), GmailThreadId("t"), "new", 100)
    Messages(db).apply(account, SyncPage(to_fetch=(wanted,)))
    assert at_work(db, clock())
    db.write("UPDATE to_fetch SET attempts = 3")
    assert not at_work(db, clock())


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
