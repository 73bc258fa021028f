"""A mail is marked read once its run is done and its replies have left: not before, not twice, and no other mail."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from app.domain.agents.runs import Route, Run, RunStatus, ToolExecution
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Proposal, ReviewKind, ReviewStatus
from app.domain.ids import GmailId, GmailThreadId, OutboxId, ReviewId, RunId
from app.domain.mail.message import Message
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.domain.protocol.commands import Decide
from app.engine.outbox.label_sender import ReadMarks
from app.store.outbox import NewOutbox
from fakes.engine.agent_mailbox import ANN, mail
from fakes.engine.engine_parts import Parts
from fakes.engine.store.rows import start_run

pytestmark = pytest.mark.anyio
RUN = RunId("run-1")


@dataclass
class Answered:
    """A run of a mail, and what the test does to its rows."""

    parts: Parts
    message: Message

    def __post_init__(self) -> None:
        self.marks = ReadMarks(self.parts.tables, self.parts.announcer)
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
        item = NewOutbox(
            one.account_id,
            review_id,
            OutboxKind.SEND,
            one.thread_id,
            GmailThreadId("t1"),
            "a",
            "s",
            b"x",
            "h",
            marker,
            GmailId(""),
            now,
        )
        revision = self.parts.tables.reviews.review(review_id).revision
        decided = self.parts.tables.reviews.decide(Decide(review_id, revision, Action.ACCEPT), item, ReviewStatus.APPROVED, None)
        return OutboxId(decided.outbox_id)

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
    assert await answered.marks.settle() == 0
    for old, new in (
        (OutboxState.QUEUED, OutboxState.DRAFTING),
        (OutboxState.DRAFTING, OutboxState.DRAFTED),
        (OutboxState.DRAFTED, OutboxState.SENDING),
        (OutboxState.SENDING, OutboxState.SENT),
    ):
        assert answered.marked() == []
        outbox.move(item, old, new)
        await answered.marks.settle()
    assert answered.marked() == [("m1",)]
    assert "UNREAD" not in answered.parts.labels(answered.message.id)
    answered.parts.tables.messages.modify_local((answered.message.id,), ("UNREAD",), ())
    assert await answered.marks.settle() == 0
    assert len(answered.marked()) == 1


async def test_marked_at_once_where_nothing_was_proposed(answered: Answered) -> None:
    assert await answered.marks.settle() == 0
    answered.end()
    assert await answered.marks.settle() == 1
    assert answered.marked() == [("m1",)]


async def test_not_while_the_run_goes_on_nor_without_a_wish(answered: Answered) -> None:
    answered.end(wish=False)
    assert await answered.marks.settle() == 0
    assert answered.marked() == []


async def test_not_after_the_approval_was_taken_back(answered: Answered) -> None:
    review_id = answered.propose()
    answered.approve(review_id)
    answered.end()
    answered.parts.tables.reviews.undo(review_id)
    assert await answered.marks.settle() == 0
    again = answered.approve(review_id, "<2@x>")
    assert await answered.marks.settle() == 0
    answered.parts.tables.outbox.move(again, OutboxState.QUEUED, OutboxState.SENT)
    assert await answered.marks.settle() == 1


async def test_nothing_for_a_mail_that_is_read(answered: Answered) -> None:
    answered.parts.tables.messages.modify_local((answered.message.id,), (), ("UNREAD",))
    answered.end()
    assert await answered.marks.settle() == 0
    assert answered.marked() == []
