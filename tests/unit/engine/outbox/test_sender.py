"""Who carries an item, and what happens to those of a resting or broken account; tests/end_to_end/sending runs all of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from app.domain.errors import NotFound, Offline, QuotaReached, ServerError
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, OutboxId
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer, ReadDraft, ThreadMessage
from app.domain.protocol.events import ErrorReported, OutboxChanged
from app.domain.record import replace
from app.domain.sync import ListPage
from app.engine.accounts.connections import Connections, GoogleServices
from app.engine.outbox import label_sender
from app.engine.outbox.label_sender import LabelSender, reread
from app.engine.outbox.outbox_writer import SWEEP, DraftSweep, OutboxWriter
from app.engine.outbox.sender import LEASE_S, Sender
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.outbox import REREAD
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import new_outbox, remote
from fakes.gmail.gmail_port import ASKED


class Recorded:
    """A calendar that notes what is entered."""

    def __init__(self) -> None:
        self.entered: list[bytes] = []

    async def has(self, event_id: str) -> bool:
        return False

    async def insert(self, payload: bytes) -> None:
        self.entered.append(payload)

    async def close(self) -> None:
        """Nothing is open."""


def sender_to(parts: Parts, server: object) -> Sender:
    """A sender whose account is connected to the server."""
    connections = Connections()
    connections.put(parts.account_id, cast(MailServer, server))
    return Sender(parts.tables, parts.announcer, connections, lambda: None, GoogleServices())


@asynccontextmanager
async def running(sender: Sender) -> AsyncIterator[None]:
    """Runs the sender for a `with` block."""
    task = asyncio.create_task(sender.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_meeting_waits_while_its_account_rests(parts: Parts) -> None:
    calendar, services = Recorded(), GoogleServices()
    await services.put_calendar(parts.account_id, cast(Any, calendar))
    sender = Sender(parts.tables, parts.announcer, Connections(), lambda: None, services)
    item_id = parts.tables.outbox.add(new_outbox(kind=OutboxKind.CALENDAR))
    async with running(sender):
        await asyncio.sleep(0.1)
    assert parts.tables.outbox.get(item_id).state is OutboxState.QUEUED
    assert calendar.entered == []


class Broken:
    """A server whose answer nobody understands."""

    async def modify(self, gmail_ids: Sequence[GmailId], add: object, remove: object) -> None:
        raise ValueError("no JSON")


async def test_changes_that_were_taken_along_are_given_back_after_any_failure(parts: Parts) -> None:
    outbox = parts.tables.outbox
    for at, mail in enumerate(parts.mail(*(remote(f"m{at}") for at in range(2)))):
        parts.tables.actions.change(f"k{at}", (mail.thread_id,), ("STARRED",), ())
    head = outbox.claim_due("sender", 3600.0)
    assert head is not None
    steps = OutboxWriter(parts.tables, parts.announcer, WakeUp())
    with pytest.raises(ValueError, match="no JSON"):
        await LabelSender(cast(MailServer, Broken()), steps, parts.tables, parts.announcer).advance(head)
    outbox.release(head.id, parts.clock())
    assert parts.tables.db.read("SELECT COUNT(*) FROM outbox WHERE lease_until = 0")[0][0] == 2


class Silent:
    """A server that does not answer."""

    async def thread_state(self, gmail_thread_id: str) -> None:
        await asyncio.Event().wait()


async def test_an_account_that_rests_is_not_tried_every_few_seconds(parts: Parts) -> None:
    """Its items are left as they are, with their time and without an attempt, until it is connected."""
    connections = Connections()
    sender = Sender(parts.tables, parts.announcer, connections, lambda: None, GoogleServices())
    item_id = parts.tables.outbox.add(new_outbox())
    before = parts.tables.outbox.get(item_id)
    async with running(sender):
        await asyncio.sleep(0.1)
        assert parts.tables.outbox.get(item_id) == before
        connections.put(parts.account_id, cast(MailServer, Silent()))
        async with asyncio.timeout(30):
            while not parts.tables.outbox.get(item_id).attempts:
                await asyncio.sleep(0.01)


class Unreachable:
    """A server that is offline."""

    async def thread_state(self, gmail_thread_id: str) -> None:
        raise Offline


async def test_the_window_is_told_of_every_attempt(parts: Parts) -> None:
    sender = sender_to(parts, Unreachable())
    item_id = parts.tables.outbox.add(new_outbox())
    async with running(sender), asyncio.timeout(30):
        while not any(item_id in one.ids for one in parts.events(OutboxChanged)):
            await asyncio.sleep(0.01)
    assert parts.tables.outbox.get(item_id).attempts == 1


class Refusing:
    """A server that asks for no wait, and loses what it is sent."""

    def __init__(self) -> None:
        self.asked = 0

    async def modify(self, gmail_ids: Sequence[GmailId], add: object, remove: object) -> None:
        self.asked += 1
        raise QuotaReached("429", 0.0)

    async def create_draft(self, mime: bytes, thread_id: str) -> None:
        self.asked += 1
        raise ServerError

    async def find_drafts(self, mark: str) -> tuple[ReadDraft, ...]:
        return ()

    async def thread_state(self, thread_id: str) -> tuple[ThreadMessage, ...]:
        return (ASKED,)

    async def list_messages(self, *_asked: object, **_more: object) -> ListPage:
        return ListPage((), "", 0)


@pytest.mark.parametrize("kind", [OutboxKind.MODIFY, OutboxKind.SEND])
async def test_a_server_that_refuses_for_ever_is_asked_ever_less_often(parts: Parts, kind: OutboxKind) -> None:
    refusing = Refusing()
    sender = sender_to(parts, refusing)
    place = {"expected_tip": ASKED.gmail_id, "message_gmail_ids": (GmailId("a"),), "add_labels": ("STARRED",)}
    parts.tables.outbox.add(replace(new_outbox(kind=kind), **place))
    for _ in range(300):
        await sender._begin_due()
        await sender._working.finish()
        parts.clock.pass_s(1.0)
    assert 2 < refusing.asked <= 10


class Gone:
    """A server that finds no message."""

    async def modify(self, gmail_ids: Sequence[GmailId], add: object, remove: object) -> None:
        raise NotFound


async def test_messages_that_are_not_found_are_looked_at_again(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the local copy keeps labels that the server never got. First the change counts as sent: what waits is kept."""
    order: list[str] = []

    async def fetched_again(tables: Tables, item: OutboxItem) -> None:
        order.append(str(outbox_get(item.id).state))
        await reread(tables, item)

    outbox_get = parts.tables.outbox.get
    monkeypatch.setattr(label_sender, "reread", fetched_again)
    sender = sender_to(parts, Gone())
    starred = replace(new_outbox(kind=OutboxKind.MODIFY), message_gmail_ids=(GmailId("a"),), add_labels=("STARRED",))
    item_id = parts.tables.outbox.add(starred)
    await sender._begin_due()
    await sender._working.finish()
    assert parts.tables.outbox.get(item_id).state is OutboxState.SENT
    (row,) = parts.tables.messages.to_fetch(parts.account_id, 9)
    assert (row.gmail_id, row.reason) == ("a", REREAD)
    assert order == ["sent"]


class Withdrawing:
    """A server that carries out changes while their owner withdraws them."""

    def __init__(self, parts: Parts, ids: Sequence[OutboxId]) -> None:
        self.parts, self.ids = parts, ids

    async def modify(self, gmail_ids: Sequence[GmailId], add: object, remove: object) -> None:
        for one in self.ids:
            self.parts.tables.outbox.move(one, OutboxState.QUEUED, OutboxState.CANCELLED)


@pytest.mark.parametrize("withdrawn", [(0,), (1,), (0, 2), (0, 1, 2)], ids=str)
async def test_a_change_withdrawn_on_its_way_holds_no_other_up(parts: Parts, withdrawn: tuple[int, ...]) -> None:
    """It stays withdrawn, its mail is read again, and what left with it is done."""
    outbox = parts.tables.outbox
    mails = parts.mail(*(remote(f"m{at}") for at in range(3)))
    for at, mail in enumerate(mails):
        parts.tables.actions.change(f"k{at}", (mail.thread_id,), ("STARRED",), ())
    head = outbox.claim_due("sender", 3600.0)
    assert head is not None
    ids = [OutboxId(head.id + at) for at in range(3)]
    steps = OutboxWriter(parts.tables, parts.announcer, WakeUp())
    server = Withdrawing(parts, [ids[at] for at in withdrawn])
    ended = await LabelSender(cast(MailServer, server), steps, parts.tables, parts.announcer).advance(head)
    assert ended.state is OutboxState.SENT
    states = [outbox.get(one).state for one in ids]
    assert states == [OutboxState.CANCELLED if at in withdrawn else OutboxState.SENT for at in range(3)]
    reread = parts.tables.db.read("SELECT gmail_id FROM to_fetch WHERE reason = ? ORDER BY gmail_id", (REREAD,))
    assert [row[0] for row in reread] == [mails[at].gmail_id for at in withdrawn]
    parts.tables.actions.change("next", (mails[0].thread_id,), (), ("INBOX",))
    assert outbox.claim_due("sender", 60.0) is not None, "the next change may leave at once"


class Unreadable:
    """A server that breaks the search for drafts."""

    async def find_drafts(self, marker: str) -> None:
        raise ZeroDivisionError


@pytest.mark.expects_warnings
async def test_a_sweep_that_breaks_is_told_and_tried_again(parts: Parts) -> None:
    sender = sender_to(parts, Unreadable())
    item = parts.tables.outbox.get(parts.tables.outbox.add(new_outbox()))
    cancelled = await sender.steps.move(item, OutboxState.CANCELLED)
    await sender.steps.sweep_cancelled(replace(cancelled, draft_id=GmailDraftId("d1")))
    async with running(sender), asyncio.timeout(30):
        while not parts.tables.db.read("SELECT 1 FROM jobs WHERE kind = ? AND error <> ''", (SWEEP,)):
            await asyncio.sleep(0.01)
    assert [one.code == "bug" for one in parts.events(ErrorReported)] == [True]
    assert parts.tables.jobs.claim(SWEEP, 60.0) is None
    parts.clock.pass_s(31)
    assert parts.tables.jobs.claim(SWEEP, 60.0) is not None


@pytest.mark.parametrize(
    ("draft", "message", "goes"),
    [("d1", "m1", True), ("d1", "m2", False), ("d2", "m9", True), ("d3", "m3", False)],
    ids=["as it was made", "edited", "made by a doubled request", "edited before"],
)
def test_a_sweep_leaves_what_somebody_changed(draft: str, message: str, goes: bool) -> None:
    sweep = DraftSweep(1, "<m@x>", "", ("d3",), "d1", "m1")
    assert sweep.takes(ReadDraft(GmailDraftId(draft), GmailId(message), GmailThreadId("t"))) is goes


class Slow:
    """A server that does not answer before `go`."""

    def __init__(self) -> None:
        self.go, self.begun = asyncio.Event(), asyncio.Event()
        self.asked = 0

    async def modify(self, gmail_ids: Sequence[GmailId], add: object, remove: object) -> None:
        self.asked += 1
        self.begun.set()
        await self.go.wait()


async def test_an_item_whose_lease_ran_out_in_a_long_sleep_has_one_carrier(parts: Parts) -> None:
    slow = Slow()
    sender = sender_to(parts, slow)
    starred = replace(new_outbox(kind=OutboxKind.MODIFY), message_gmail_ids=(GmailId("a"),), add_labels=("STARRED",))
    item_id = parts.tables.outbox.add(starred)
    async with running(sender):
        await asyncio.wait_for(slow.begun.wait(), 10)
        parts.clock.pass_s(LEASE_S + 1)
        sender.wake_up.ring()
        await asyncio.sleep(0.1)
        assert slow.asked == 1
        slow.go.set()
        await sender.finish(5)
    assert parts.tables.outbox.get(item_id).state is OutboxState.SENT
