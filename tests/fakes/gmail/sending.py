"""Setup for sending: sandbox, engine and store, with a question in the inbox and a review that answers it.

The review is written into the store as a run would do it, so that no test waits for the agents to load.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Proposal, Review, ReviewKind
from app.domain.ids import GmailId, OutboxId, ReviewId, RunId
from app.domain.mail.message import Address, Message
from app.domain.mail.outbox import OutboxItem, OutboxState
from app.domain.protocol.commands import Decide, SyncNow
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.messages import Messages
from app.store.outbox import Outbox
from app.store.reviews.reviews import Reviews
from fakes.engine.engine_process import QUICK, EngineProcess, start_engine
from fakes.gmail.sandbox import AdminError, Sandbox, running_sandbox

RESTING = frozenset({OutboxState.SENT, OutboxState.HELD, OutboxState.CANCELLED})
ANN = Address("ann@partner.org", "Ann Berg")


def question(number: int) -> bytes:
    """A mail from Ann."""
    return (
        f"From: Ann Berg <ann@partner.org>\r\nTo: me@example.com\r\nSubject: Order {number}\r\n"
        f"Message-ID: <q{number}@partner.org>\r\n\r\nCould you tell me when the order arrives?\r\n"
    ).encode()


def follow_up(message: Message, text: str) -> bytes:
    """Ann's next mail in the thread of `message`."""
    return _reply(message, "From: Ann Berg <ann@partner.org>\r\nTo: me@example.com", text)


def own_answer(message: Message, text: str) -> bytes:
    """An answer that the owner writes in another client."""
    return _reply(message, "From: me@example.com\r\nTo: ann@partner.org", text)


def _reply(message: Message, people: str, text: str) -> bytes:
    threading = f"In-Reply-To: {message.rfc822_id}\r\nReferences: {message.rfc822_id}"
    return f"{people}\r\nSubject: Re: {message.subject}\r\n{threading}\r\n\r\n{text}\r\n".encode()


@dataclass
class Stage:
    """The running parts. `engine` changes when it is killed and restarted."""

    data: Path
    sandbox: Sandbox
    engine: EngineProcess
    _numbers: Any = field(default_factory=lambda: count(1))

    async def ask(self) -> Message:
        """Delivers a question and waits until it is stored."""
        number = next(self._numbers)
        delivered = self.sandbox.deliver(question(number))
        return await self.mirrored(GmailId(delivered["id"]))

    async def mirrored(self, gmail_id: GmailId) -> Message:
        """Waits until a message is stored."""
        self.engine.client.send(SyncNow())
        return await self.engine.until(lambda: self._mirrored(gmail_id))

    def _mirrored(self, gmail_id: GmailId) -> Message | None:
        accounts = self.engine.reader.accounts()
        if not accounts:
            return None
        with opened(self.data) as db:
            return Messages(db).by_gmail_id(accounts[0].id, gmail_id)

    def propose(self, message: Message, text: str = "It arrives on Friday.") -> Review:
        """Opens a review with a finished draft."""
        draft = Draft((message.sender,), (), (), f"Re: {message.subject}", text, "template", message.id)
        run_id = RunId(f"run-{message.id}-{datetime.now(UTC).timestamp()}")
        proposal = Proposal(
            message.account_id,
            run_id,
            message.id,
            message.thread_id,
            ReviewKind.REPLY,
            "respond",
            "inquiry",
            0.9,
            "It asks.",
            "test",
            draft,
        )
        with opened(self.data) as db:
            reviews = Reviews(db, lambda: datetime.now(UTC))
            return reviews.review(reviews.open(proposal, "reply"))

    async def decide(self, review: Review, action: Action = Action.ACCEPT, draft: Draft | None = None) -> None:
        await self.engine.do(Decide(review.id, review.revision, action, draft))

    async def approved(self, text: str = "It arrives on Friday.") -> Review:
        """Delivers a question and approves an answer."""
        review = self.propose(await self.ask(), text)
        await self.decide(review)
        return review

    def item(self, review_id: ReviewId) -> OutboxItem | None:
        """The review's newest outbox item."""
        with opened(self.data) as db:
            return Outbox(db, lambda: datetime.now(UTC)).for_review(review_id)

    def jobs(self, kind: str) -> int:
        """How many jobs of a kind are open."""
        with opened(self.data) as db:
            return Jobs(db, lambda: datetime.now(UTC)).counts().get(kind, 0)

    def states(self, outbox_id: OutboxId) -> list[str]:
        """The states of an outbox item in order."""
        with opened(self.data) as db:
            return [step.new for step in Outbox(db, lambda: datetime.now(UTC)).steps(outbox_id)]

    async def in_state(self, review_id: ReviewId, *states: OutboxState) -> OutboxItem:
        """Waits until the review's item is in one of the states."""

        def look() -> OutboxItem | None:
            item = self.item(review_id)
            return item if item is not None and item.state in states else None

        return await self.engine.until(look)

    async def rested(self, review_id: ReviewId) -> OutboxItem:
        """Waits until the item is sent, held or cancelled."""
        return await self.in_state(review_id, *RESTING)

    async def fired(self, rule_id: str) -> None:
        """Waits until a fault rule has fired."""
        await self.engine.until(lambda: any(one["id"] == rule_id and one["fired"] for one in self.sandbox.faults.listed()))

    def copies(self, item: OutboxItem) -> int:
        """How many sent messages on the server carry the item's marker."""
        return sum(item.marker.encode() in self.sandbox.mail.raw(one["id"]) for one in self.sandbox.sent())

    def sent_in(self, review: Review) -> int:
        """How many mails the owner sent in the review's thread, from any client."""
        message = self.engine.reader.message(review.proposal.message_id)
        assert message is not None
        return sum(one["threadId"] == message.gmail_thread_id for one in self.sandbox.sent())

    def drafts_of(self, item: OutboxItem) -> int:
        """How many drafts on the server carry the item's marker."""
        found = 0
        for draft in self.sandbox.mail.drafts():
            with suppress(AdminError):  # it was sent or deleted meanwhile
                found += item.marker.encode() in self.sandbox.mail.raw(draft["message"]["id"])
        return found

    async def no_drafts(self, item: OutboxItem) -> None:
        """Waits until no draft of the item is left."""
        await self.engine.until(lambda: self.drafts_of(item) == 0)

    async def crash(self) -> None:
        """Kills the engine with SIGKILL."""
        await self.engine.kill()

    async def restart(self) -> None:
        """Starts the engine again over the same folder."""
        self.engine = await start_engine(self.data, self.sandbox.url, self.sandbox.token)

    def sends(self) -> Counter[str]:
        """The number of requests so far by method id."""
        return Counter(entry["method"] for entry in self.sandbox.log())


class opened:  # noqa: N801 - reads as a with statement
    """The database beside the engine, for a `with` block."""

    def __init__(self, data: Path) -> None:
        self._path = data / "mail.db"

    def __enter__(self) -> Database:
        self._db = Database.open(self._path)
        return self._db

    def __exit__(self, *_: object) -> None:
        self._db.close()


@asynccontextmanager
async def staged(data: Path, settings: str = QUICK) -> AsyncIterator[Stage]:
    """A setup with an empty mailbox. The engine running at the end is closed."""
    with running_sandbox() as sandbox:
        engine = await start_engine(data, sandbox.url, sandbox.token, settings)
        stage = Stage(data, sandbox, engine)
        await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
        try:
            yield stage
        finally:
            await asyncio.wait_for(stage.engine.close(), 60)
