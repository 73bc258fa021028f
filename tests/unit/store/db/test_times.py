"""A clock that is set moves what waits along; what is at work is seen.

Days and months begin at local midnight, also where the clocks have changed since.

Instants as Unix milliseconds.
"""

from datetime import timedelta

import pytest

from app.domain.ids import AccountId
from app.domain.mail.outbox import OutboxState
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.db.times import (
    shift_due_times,
)
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


@pytest.mark.parametrize("by", [timedelta(hours=2), timedelta(hours=-2)], ids=["forward", "back"])
def test_a_time_of_day_that_was_chosen_stays(db: Database, account: AccountId, clock: HandClock, by: timedelta) -> None:
    """The machine's clock was wrong and is set right: the mail still leaves when the owner said."""
    outbox = Outbox(db, clock)
    item = outbox.add(new_outbox(due=NOON + timedelta(hours=20)))
    shift_due_times(db, by, clock(), lambda: clock.pass_s(by.total_seconds()))
    assert outbox.get(item).not_before == NOON + timedelta(hours=20)
