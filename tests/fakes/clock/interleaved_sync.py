"""Runs sync, the owner, another client and the sender in random order: others may act before and after each server request.

Seeded; server, store and client are real.
"""

import asyncio
import random
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.ports.gmail import MailServer
from app.engine.outbox.label_sender import LabelSender
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import WakeUp
from fakes.engine.sync import SyncStage
from fakes.gmail.google_client import google_service

LABELS = ("INBOX", "UNREAD", "STARRED", "IMPORTANT", "TRASH", "SPAM")
PLACES = (("INBOX", "UNREAD"), ("INBOX",), ("SPAM",), ("SENT",), ("TRASH",), ("STARRED",), ("DRAFT",))
METHODS = ("messages.list", "history.list", "labels.list", "labels.get", "messages.modify", "messages.get", "threads.get")
OFTEN = {
    "deliver": 6,
    "label": 14,
    "delete": 2,
    "expire": 1,
    "fault": 2,
    "own": 6,
    "send": 6,
    "send_draft": 1,
    "make": 1,
    "drop": 1,
}
STRIKES = 0.35
DEEPEST = 2
"""Levels of actions during actions."""


@dataclass
class AnyOrder:
    """The random actions; `calm` ends them. `acts` records what happened."""

    stage: SyncStage
    seed: int
    calm: bool = False
    acts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self._told = EventBus(lambda _event: None)
        self._steps = OutboxWriter(self.stage.tables, self._told, WakeUp())
        self._numbers = count(1)
        self._depth = 0
        labels = google_service("gmail.v1", self.stage.sandbox.url, self.stage.sandbox.token).users().labels()
        self._labels = cast(Any, labels)

    def server(self, *, sending: bool = False) -> MailServer:
        """The server, with random actions around each request."""
        return cast(MailServer, _Between(self, sending))

    async def strike(self, sending: bool = False) -> None:
        """Maybe performs actions. While `sending`, no other sending starts."""
        if self.calm or self._depth >= DEEPEST or self.chance.random() > STRIKES:
            return
        self._depth += 1
        try:
            for _ in range(self.chance.choice((1, 1, 2, 4))):
                (act,) = self.chance.choices(list(OFTEN), list(OFTEN.values()))
                if not sending or act not in {"own", "send"}:
                    self.acts.append(act)
                    await getattr(self, f"_{act}")()
        finally:
            self._depth -= 1

    async def send_one(self) -> bool:
        """Sends the next label change. Returns whether there was one."""
        outbox = self.stage.tables.outbox
        item = outbox.claim_due("sender", 3600)
        if item is None:
            return False
        try:
            await LabelSender(self.server(sending=True), self._steps, self.stage.tables, self._told).advance(item)
        except ExpectedError:
            outbox.release(item.id, self.stage.tables.clock())
        return True

    def _ids(self, label: str = "") -> list[str]:
        served = self.stage.served()
        return [one for one in served if not label or label in served[one]]

    def _users_own(self) -> list[str]:
        return [one["id"] for one in self.stage.sandbox.dump()["labels"] if one["id"].startswith("Label_")]

    def _some(self, names: list[str]) -> list[str]:
        return self.chance.sample(names, min(len(names), self.chance.choice((0, 1, 1, 2))))

    async def _deliver(self) -> None:
        number = next(self._numbers)
        before = f"References: <n{self.chance.randint(1, number)}@x.org>\r\n" if self.chance.random() < 0.5 else ""
        head = f"From: ann@x.org\r\nTo: me@example.com\r\nSubject: Order\r\nMessage-ID: <n{number}@x.org>\r\n{before}"
        self.stage.sandbox.deliver(f"{head}\r\nHello\r\n".encode(), labels=list(self.chance.choice(PLACES)))

    async def _label(self) -> None:
        ids = self._ids()
        names = [*LABELS, *self._users_own()]
        add = self._some(names)
        remove = [one for one in self._some(names) if one not in add]
        self.stage.sandbox.mail.label(*self.chance.sample(ids, self.chance.choice((1, 1, 3, 20))), add=add, remove=remove)

    async def _delete(self) -> None:
        if len(ids := self._ids()) > 30:
            self.stage.sandbox.mail.delete(*self.chance.sample(ids, 2))

    async def _expire(self) -> None:
        self.stage.sandbox.expire_history()

    async def _fault(self) -> None:
        method = self.chance.choice(METHODS)
        inner = method in {"messages.get", "threads.get"}
        kind = self.chance.choice(("503", "429") if inner else ("503", "429", "cut", "truncate"))
        self.stage.sandbox.faults.add(kind, f"gmail.users.{method}", times=1, **({"place": "inner"} if inner else {}))

    async def _own(self) -> None:
        """The owner changes labels, and sometimes undoes it."""
        threads = [ThreadId(row[0]) for row in self.stage.tables.db.read("SELECT id FROM threads")]
        key, add, remove = f"k{next(self._numbers)}", self._some(list(LABELS)), self._some(list(LABELS))
        try:
            picked = self.chance.sample(threads, min(len(threads), 2))
            self.stage.tables.actions.change(key, picked, add, [one for one in remove if one not in add])
            if self.chance.random() < 0.2:
                self.stage.tables.actions.undo(key)
        except ExpectedError:  # nothing is stored yet
            return

    async def _send(self) -> None:
        await self.send_one()

    async def _send_draft(self) -> None:
        if drafts := self._ids("DRAFT"):
            self.stage.sandbox.mail.label(self.chance.choice(drafts), add=["SENT"], remove=["DRAFT"])

    async def _make(self) -> None:
        self._labels.create(userId="me", body={"name": f"L{next(self._numbers)}"}).execute()

    async def _drop(self) -> None:
        if own := self._users_own():
            self._labels.delete(userId="me", id=self.chance.choice(own)).execute()


class _Between:
    """The client, with random actions around each request."""

    def __init__(self, order: AnyOrder, sending: bool) -> None:
        self._order = order
        self._sending = sending

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._order.stage.client, name)
        if not asyncio.iscoroutinefunction(asked):
            return asked

        async def between(*args: Any, **named: Any) -> Any:
            await self._order.strike(self._sending)
            answer = await asked(*args, **named)
            await self._order.strike(self._sending)
            return answer

        return between
