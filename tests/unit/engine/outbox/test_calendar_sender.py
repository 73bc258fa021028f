"""Meetings and labels on their way out: a slot is looked at first, a mail is marked read once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast

import msgspec
import pytest

from app.domain.agents.runs import Route, Run, RunStatus, ToolExecution
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, Proposal, ReviewKind, ReviewStatus
from app.domain.errors import ExpectedError, Offline
from app.domain.ids import AccountId, GmailId, GmailThreadId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Message
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState, check_transition
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.engine.accounts.connections import GoogleServices
from app.engine.outbox.calendar_sender import MeetingSender
from app.engine.outbox.label_sender import queue_read_marks
from app.engine.outbox.outbox_writer import OutboxWriter
from app.mail.compose.meeting import ApprovedMeeting, EventInsert
from app.store.outbox import NewOutbox
from fakes.engine.agent_mailbox import ANN, mail
from fakes.engine.engine_parts import Parts
from fakes.engine.store.rows import start_run

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


RUN = RunId("run-1")


@dataclass
class Answered:
    """A run of a mail, and what the test does to its rows."""

    parts: Parts
    message: Message

    def __post_init__(self) -> None:
        one = self.message
        start_run(
            self.parts.tables.runs,
            Run(
                RUN, one.account_id, one.id, one.thread_id, Route.RESPONSE_AGENT, "", "", RunStatus.QUEUED, 1, self.parts.clock()
            ),
        )

    def propose(self) -> ReviewId:
        """A reply that waits for the user."""
        one = self.message
        draft = Draft((ANN,), (), (), "Re: Question", "Yes.", "m", one.id)
        seen = (one.account_id, RUN, one.id, one.thread_id, ReviewKind.TOOL_CALL, "respond", "inquiry", 0.7, "r", "m")
        return self.parts.tables.reviews.open(Proposal(*seen, draft=draft), "call:c1_1")

    def approve(self, review_id: ReviewId, marker: str = "<1@x>") -> OutboxId:
        """The user's word, with the outbox row."""
        one, now = self.message, self.parts.clock()
        about = (one.thread_id, GmailThreadId("t1"), "a")
        item = NewOutbox(one.account_id, OutboxKind.SEND, now, "s", review_id, *about, b"x", marker)
        revision = self.parts.tables.reviews.review(review_id).revision
        decided = self.parts.tables.reviews.decide(Decide(review_id, revision, Action.ACCEPT), item, ReviewStatus.APPROVED, None)
        return OutboxId(decided.outbox_id)

    async def settle(self) -> int:
        return await queue_read_marks(self.parts.tables, self.parts.announcer)

    def end(self, wish: bool = True) -> None:
        """The agent is done."""
        if wish:
            at = self.parts.clock()
            self.parts.tables.runs.tool(ToolExecution(RUN, "mark_as_read", "mark_as_read", "{}", "{}", "", 0.0, at))
        self.parts.tables.runs.set_status(RUN, RunStatus.DONE)

    def marked(self) -> list[tuple[GmailId, ...]]:
        """The mails of label changes in the outbox."""
        ids = [OutboxId(row[0]) for row in self.parts.tables.db.read("SELECT id FROM outbox WHERE kind = 'modify' ORDER BY id")]
        items = [self.parts.tables.outbox.get(one) for one in ids]
        assert all((one.add_labels, one.remove_labels) == ((), ("UNREAD",)) for one in items)
        return [one.message_gmail_ids for one in items]


@pytest.fixture
def answered(parts: Parts) -> Answered:
    """Two mails of a thread; the second has a run."""
    _, message = parts.mail(mail("First", key="m0"), mail("Second", key="m1", at=parts.clock() - timedelta(minutes=1)))
    return Answered(parts, message)


async def test_marked_once_after_the_reply_left(answered: Answered) -> None:
    outbox = answered.parts.tables.outbox
    item = answered.approve(answered.propose())
    answered.end()
    assert await answered.settle() == 0
    for old, new in (
        (OutboxState.QUEUED, OutboxState.DRAFTING),
        (OutboxState.DRAFTING, OutboxState.DRAFTED),
        (OutboxState.DRAFTED, OutboxState.SENDING),
        (OutboxState.SENDING, OutboxState.SENT),
    ):
        assert answered.marked() == []
        outbox.move(item, old, new)
        await answered.settle()
    assert answered.marked() == [("m1",)]
    assert "UNREAD" not in answered.parts.labels(answered.message.id)
    answered.parts.tables.messages.modify_local((answered.message.id,), ("UNREAD",), ())
    assert await answered.settle() == 0
    assert len(answered.marked()) == 1


async def test_marked_at_once_where_nothing_was_proposed(answered: Answered) -> None:
    assert await answered.settle() == 0
    answered.end()
    assert await answered.settle() == 1
    assert answered.marked() == [("m1",)]


async def test_not_while_the_run_goes_on_nor_without_a_wish(answered: Answered) -> None:
    answered.end(wish=False)
    assert await answered.settle() == 0
    assert answered.marked() == []


async def test_not_after_the_approval_was_taken_back(answered: Answered) -> None:
    review_id = answered.propose()
    answered.approve(review_id)
    answered.end()
    answered.parts.tables.reviews.undo(review_id)
    assert await answered.settle() == 0
    again = answered.approve(review_id, "<2@x>")
    assert await answered.settle() == 0
    answered.parts.tables.outbox.move(again, OutboxState.QUEUED, OutboxState.SENT)
    assert await answered.settle() == 1


async def test_nothing_for_a_mail_that_is_read(answered: Answered) -> None:
    answered.parts.tables.messages.modify_local((answered.message.id,), (), ("UNREAD",))
    answered.end()
    assert await answered.settle() == 0
    assert answered.marked() == []
