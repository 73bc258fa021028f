"""Sending and keeping drafts against a server whose searches and lists answer anything, over HTTP with the real client.

Only what was read back and carries our mark is sent or deleted, an approved mail leaves once at most, and it is called sent only
where it stands in Sent.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.domain.ids import GmailId, GmailThreadId, LetterId, OutboxId, ThreadId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.outbox import RESTING, OutboxItem, OutboxKind, OutboxState
from app.domain.record import replace
from app.engine.accounts.connections import Connections, GoogleServices
from app.engine.letters.draft_sync import DraftSync
from app.engine.letters.letter_editor import LetterContext
from app.engine.outbox.outbox_writer import SWEEP
from app.engine.outbox.sender import Sender
from app.engine.runtime.workers import WakeUp
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import GmailClient, connect
from app.mail.gmail.endpoint import Endpoint
from app.store.letters.gmail_drafts import LetterDrafts
from app.store.letters.letters import Letters
from fakes.engine.engine_parts import Parts, engine_parts
from fakes.engine.store.values import ANA, ME, new_outbox
from fakes.gmail.google_client import Box, mail
from fakes.gmail.sandbox import Sandbox, running_sandbox

NUMBERS = count()
MARK = "<ours@replyroom.invalid>"
ROUND_S = 61.0
"""Longer than any pause of the sender's."""

KINDS = st.sampled_from(["right", "wrong", "wrong", "ghosts", "nameless"])
ANSWERS = st.none() | st.lists(KINDS, max_size=4)
FAULTS = st.lists(
    st.tuples(
        st.sampled_from(["drafts.create", "drafts.create", "drafts.send", "drafts.get", "drafts.list", "drafts.delete"]),
        st.sampled_from([("cut", "before"), ("cut", "after"), ("500", "after"), ("404-history", "before")]),
        st.integers(1, 3),
    ),
    max_size=4,
)
LOST = [("drafts.create", ("cut", "before"), 1)]
HEADS = ({}, {"Message_ID": "<own@mail.example>"}, {"X_Replyroom_Outbox": "<other@replyroom.invalid>"}, {"References": MARK})
OWN = st.lists(st.sampled_from(HEADS), max_size=3)
EDITS = st.none() | st.tuples(st.integers(0, 5), st.booleans())
"""Before which round the owner changes what we made in Gmail, and whether our header stays."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One server; each example has an account of its own."""
    with running_sandbox("--me", "owner@example.com") as running:
        yield running


@dataclass
class Owner:
    """An account of its own on the server: the drafts that its owner has begun, and a question to answer."""

    sandbox: Sandbox
    address: str
    box: Box
    question: dict[str, Any]
    begun: dict[str, tuple[str, bytes]] = field(default_factory=dict)

    def begin(self, number: int, headers: dict[str, str]) -> None:
        """A draft that nobody but the owner may send or delete, fit to be sent."""
        thread = self.question["threadId"] if number % 2 else None
        subject = f"Re: {self.question['subject']}" if thread else f"Own {number}"
        made = self.box.draft(mail(subject, f"Half a w{number}", "", To="boss@work.example", **headers), thread)
        self.begun[made["id"]] = self._read(made["message"]["id"])

    def edit(self, marked: bool) -> None:
        """The owner changes a draft of ours in Gmail, with or without what it was known by: then it is the owner's."""
        ours = ((draft_id, raw) for draft_id, (_, raw) in self.drafts().items() if draft_id not in self.begun)
        for draft_id, raw in ours:
            mark = message_from_bytes(raw)["X-Replyroom-Outbox"]
            head = {"X_Replyroom_Outbox": mark} if marked else {}
            words = mail("Re: Order", "My own words.", "", To="boss@work.example", **head)
            made = self.sandbox.mail.edit_draft(draft_id, words, self.address)
            if not marked:
                self.begun[draft_id] = self._read(made["message"]["id"])

    def drafts(self) -> dict[str, tuple[str, bytes]]:
        """Every draft on the server: its message and its bytes."""
        return {one["id"]: self._read(one["message"]["id"]) for one in self.sandbox.mail.drafts(self.address)}

    def sent(self) -> dict[str, bytes]:
        """What has left."""
        return {one["id"]: self.sandbox.mail.raw(one["id"], self.address) for one in self.sandbox.mail.sent(self.address)}

    def holds(self) -> None:
        """Whatever happened: what is the owner's stands as it was, and at most one mail left, which is ours."""
        assert self.begun.items() <= self.drafts().items()
        sent = self.sent()
        assert len(sent) <= 1
        assert all(MARK.encode() in raw for raw in sent.values())

    def _read(self, message_id: str) -> tuple[str, bytes]:
        return message_id, self.sandbox.mail.raw(message_id, self.address)


@asynccontextmanager
async def staged(sandbox: Sandbox, own: list[dict[str, str]]) -> AsyncIterator[tuple[Owner, Parts, GmailClient]]:
    """A fresh account, a fresh store and a client between them; afterwards the server is honest again."""
    address = f"own{next(NUMBERS)}-{os.getpid()}@example.com"
    token = sandbox.add_account(address)
    question = sandbox.deliver(mail("Order", "When?", "Ana <ana@partner.org>", Message_ID=f"<q{address}>"), account=address)
    owner = Owner(sandbox, address, Box(sandbox, address, token), {**question, "subject": "Order"})
    for number, headers in enumerate(own):
        owner.begin(number, headers)
    client = connect(Endpoint(f"{sandbox.url}/"), static_credentials(token), None, sleep=no_pause)
    with tempfile.TemporaryDirectory() as folder:
        async with engine_parts(Path(folder)) as parts:
            parts.clock.now = datetime.now(UTC)
            try:
                yield owner, parts, client
            finally:
                await client.close()
                honest(sandbox)


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


def honest(sandbox: Sandbox) -> None:
    """No faults, no lag, and lists that answer what was asked for."""
    sandbox.faults.clear()
    sandbox.set_lag(0)
    sandbox.set_habits()


def put_mail(parts: Parts, owner: Owner, kind: OutboxKind, answer: bool) -> OutboxId:
    """An approved mail."""
    raw = mail("Re: Order", "On Friday.", ME.email, To=ANA.email, Message_ID=MARK, X_Replyroom_Outbox=MARK)
    thread = GmailThreadId(owner.question["threadId"] if answer else "")
    tip = GmailId(owner.question["id"] if answer else "")
    place = {"thread_id": ThreadId(int(answer)), "gmail_thread_id": thread, "expected_tip": tip}
    return parts.tables.outbox.add(replace(new_outbox(marker=MARK, due=parts.clock(), kind=kind), mime=raw, **place))


async def one_round(sender: Sender, parts: Parts) -> None:
    """All that is due now; then time passes."""
    await sender._begin_due()
    while sender._working:
        await sender._working.finish()
    parts.clock.pass_s(ROUND_S)


def open_sweeps(parts: Parts) -> int:
    return parts.tables.jobs.counts().get(SWEEP, 0)


def checked(owner: Owner, item: OutboxItem, edited: bool) -> None:
    owner.holds()
    if item.state is OutboxState.SENT and item.kind is OutboxKind.SEND:
        assert list(owner.sent()) == [item.sent_gmail_id]
    elif item.state is OutboxState.SENT and not edited:
        assert MARK.encode() in owner.drafts()[item.draft_id][1]
    if item.kind is OutboxKind.GMAIL_DRAFT:
        assert not owner.sent()


STORY = {"lists": None, "own": [{}, {}, {}], "kind": OutboxKind.SEND, "lag_s": 0, "edit": None, "lies": 6}


@settings(suppress_health_check=[HealthCheck.too_slow])
@example(searches=["wrong", "right"], faults=[], answer=True, **STORY)
@example(searches=["wrong"], faults=LOST, answer=False, **STORY)
@given(
    searches=ANSWERS,
    lists=ANSWERS,
    own=OWN,
    faults=FAULTS,
    kind=st.sampled_from([OutboxKind.SEND, OutboxKind.SEND, OutboxKind.GMAIL_DRAFT]),
    answer=st.booleans(),
    lag_s=st.sampled_from([0, 3600]),
    edit=EDITS,
    lies=st.integers(1, 12),
)
def test_whatever_searches_answer_only_ours_leaves_or_goes_and_once(
    sandbox: Sandbox,
    searches: list[str] | None,
    lists: list[str] | None,
    own: list[dict[str, str]],
    faults: list[tuple[str, tuple[str, str], int]],
    kind: OutboxKind,
    answer: bool,
    lag_s: int,
    edit: tuple[int, bool] | None,
    lies: int,
) -> None:
    async def run() -> None:
        async with staged(sandbox, own) as (owner, parts, client):
            connections = Connections()
            connections.put(parts.account_id, client)
            sender = Sender(parts.tables, parts.announcer, connections, lambda: None, GoogleServices())
            outbox_id = put_mail(parts, owner, kind, answer)
            sandbox.set_habits(search_answers=searches, list_answers=lists)
            sandbox.set_lag(lag_s)
            for method, (fault, when), nth in faults:
                sandbox.faults.add(fault, f"gmail.users.{method}", when=when, nth=nth)
            for number in range(40):
                if number == lies:
                    honest(sandbox)
                if edit is not None and edit[0] == number:
                    owner.edit(marked=edit[1])
                await one_round(sender, parts)
                item = parts.tables.outbox.get(outbox_id)
                checked(owner, item, edit is not None)
                if number >= lies and item.state in RESTING and not open_sweeps(parts):
                    break
            assert item.state in RESTING
            assert not open_sweeps(parts)

    asyncio.run(run())


STEPS = st.lists(st.sampled_from(["type", "round", "discard", "restore", "round"]), min_size=2, max_size=10)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(searches=ANSWERS, lists=ANSWERS, own=OWN, faults=FAULTS, lag_s=st.sampled_from([0, 3600]), steps=STEPS, edit=EDITS)
@example(searches=["wrong"], lists=None, own=[{}], faults=LOST, lag_s=0, steps=["type", "round"], edit=None)
@example(searches=["wrong", "right"], lists=None, own=[{}, {}], faults=LOST, lag_s=0, steps=["discard", "round"], edit=None)
def test_whatever_searches_answer_a_letters_draft_is_written_over_no_other(
    sandbox: Sandbox,
    searches: list[str] | None,
    lists: list[str] | None,
    own: list[dict[str, str]],
    faults: list[tuple[str, tuple[str, str], int]],
    lag_s: int,
    steps: list[str],
    edit: tuple[int, bool] | None,
) -> None:
    async def run() -> None:
        async with staged(sandbox, own) as (owner, parts, client):
            connections, letters = Connections(), Letters(parts.tables.db, parts.clock)
            connections.put(parts.account_id, client)
            nothing: Any = None
            desk = LetterContext(parts.tables, letters, parts.announcer, nothing, nothing, WakeUp())
            keeper = DraftSync(desk, LetterDrafts(parts.tables.db, parts.clock), connections, WakeUp(), idle_s=0.0)
            letter = Letter(LetterId("l1"), parts.account_id, LetterKind.NEW, to=(ANA,), subject="Plan", body="Hello.")
            sandbox.set_habits(search_answers=searches, list_answers=lists)
            sandbox.set_lag(lag_s)
            for method, (fault, when), nth in faults:
                sandbox.faults.add(fault, f"gmail.users.{method}", when=when, nth=nth)
            for number, step in enumerate(["type", "round", *steps, "discard", "round", "round"]):
                if edit is not None and edit[0] == number:
                    owner.edit(marked=edit[1])
                if step == "type" and not letters.known(letter.id):
                    letters.save(letter, 1)
                elif step == "type" and letters.get(letter.id).state == "open":
                    letters.save(replace(letter, body=f"Hello {number}."), number + 1)
                elif step == "discard":
                    letters.discard(letter.id)
                elif step == "restore" and letters.get(letter.id).state == "discarded":
                    letters.restore(letter.id)
                else:
                    await keeper._round()
                parts.clock.pass_s(ROUND_S)
                assert owner.begun.items() <= owner.drafts().items()
            assert not owner.sent()

    asyncio.run(run())
