"""A slot is looked at in every calendar right before the meeting is entered; trouble with one of them delays it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import cast

import msgspec
import pytest

from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError, Offline
from app.domain.ids import AccountId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState, check_transition
from app.engine.accounts.connections import GoogleServices
from app.engine.outbox.calendar_sender import MeetingSender
from app.engine.outbox.outbox_writer import OutboxWriter
from app.mail.compose.meeting import ApprovedMeeting, EventInsert

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
START = NOW + timedelta(days=3)
END = START + timedelta(hours=1)
ITEM = OutboxItem(
    OutboxId(1), AccountId(1), ReviewId(1), OutboxKind.CALENDAR, OutboxState.QUEUED, ThreadId(1), GmailThreadId("t1"),
    "ann@x.example", "Talk", b"", "", "event1", GmailId("q1"), NOW, NOW,
)  # fmt: skip


@dataclass
class SmallCalendar:
    """One account's calendar behind the port."""

    times: tuple[BusyTime, ...] = ()
    trouble: ExpectedError | None = None
    made: list[bytes] = field(default_factory=list)

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        if self.trouble is not None:
            raise self.trouble
        return tuple(one for one in self.times if one.start < end and one.end > start)

    async def has(self, event_id: str) -> bool:
        return bool(self.made)

    async def insert(self, payload: bytes) -> None:
        self.made.append(payload)

    async def close(self) -> None:
        """Nothing to close."""


class SmallSteps:
    """States of one item, each step checked."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def now(self) -> datetime:
        return NOW

    async def move(self, item: OutboxItem, new: OutboxState, *, reason: str = "") -> OutboxItem:
        check_transition(item.state, new)
        return replace(item, state=new, reason=reason)

    async def hold(self, item: OutboxItem, reason: HoldReason) -> OutboxItem:
        self.reasons.append(reason)
        return await self.move(item, OutboxState.HELD, reason=reason)

    async def was_held(self, item: OutboxItem, reason: HoldReason) -> bool:
        return reason in self.reasons


async def carried(mine: SmallCalendar, other: SmallCalendar, taken: Sequence[tuple[datetime, datetime]] = ()) -> OutboxItem:
    """The item after its step; the meeting goes into `mine`, and `other` is the calendar of another account."""
    services = GoogleServices()
    await services.put_calendar(AccountId(1), mine)
    await services.put_calendar(AccountId(2), other)
    scheduling = MeetingSender(mine, services.busy, cast(OutboxWriter, SmallSteps()))
    approved = msgspec.json.encode(ApprovedMeeting(EventInsert({}), START, END, list(taken)))
    outcome = await scheduling.advance(replace(ITEM, mime=approved))
    assert isinstance(outcome, OutboxItem)
    return outcome


def taken(shift_min: int = 0) -> BusyTime:
    return BusyTime(START + timedelta(minutes=shift_min), END + timedelta(minutes=shift_min), "Something")


@pytest.mark.parametrize("place", ["mine", "other"])
async def test_a_slot_taken_in_any_calendar_holds_the_meeting(place: str) -> None:
    mine, other = (SmallCalendar((taken(30),) if place == name else ()) for name in ("mine", "other"))
    item = await carried(mine, other)
    assert (item.state, item.reason) == (OutboxState.HELD, HoldReason.SLOT_TAKEN)
    assert not mine.made


async def test_what_the_card_showed_and_what_only_touches_hold_nothing() -> None:
    mine = SmallCalendar((taken(60),))
    item = await carried(mine, SmallCalendar((taken(), taken(-60))), [(START, END)])
    assert item.state is OutboxState.SENT
    assert len(mine.made) == 1


async def test_a_calendar_that_does_not_answer_delays_the_meeting() -> None:
    mine = SmallCalendar()
    with pytest.raises(Offline):
        await carried(mine, SmallCalendar(trouble=Offline()))
    assert not mine.made
