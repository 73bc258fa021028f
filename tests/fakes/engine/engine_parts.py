"""The engine's inner parts in the test's own event loop: a real store, a settable clock, recorded events."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from app.config.settings import SendingSettings, Settings
from app.domain.ids import AccountId, MessageId, ReviewId, RunId
from app.domain.mail.message import Account, Message, RemoteMessage
from app.domain.wire import Event
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import StoreExecutor, Tables, open_tables
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.empty import prepared
from fakes.engine.store.values import ME, HandClock

E = TypeVar("E", bound=Event)


@dataclass
class FixedSettings:
    """Settings without a file."""

    now: Settings = field(default_factory=Settings)

    @classmethod
    def undo_s(cls, seconds: int) -> "FixedSettings":
        """Settings with this undo delay."""
        return cls(Settings(sending=SendingSettings(undo_s=seconds)))


@dataclass
class DecisionLog:
    """What a reviewer's listener was told."""

    woken: list[tuple[RunId, ReviewId]] = field(default_factory=list)
    undone: int = 0

    async def decided(self, run_id: RunId, review_id: ReviewId) -> None:
        self.woken.append((run_id, review_id))

    async def decision_undone(self) -> None:
        self.undone += 1


@dataclass
class Parts:
    """`told` has the events in order; `clock` gives the store its times."""

    tables: Tables
    clock: HandClock
    account_id: AccountId
    told: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.announcer = EventBus(self.told.append)

    @property
    def threads(self) -> StoreExecutor:
        return self.tables.threads

    @property
    def account(self) -> Account:
        return self.tables.accounts.get(self.account_id)

    def mail(self, *messages: RemoteMessage) -> list[Message]:
        """Stores messages and returns them as stored."""
        self.tables.messages.apply(self.account_id, SyncPage(messages=messages))
        found = (self.tables.messages.by_gmail_id(self.account_id, one.gmail_id) for one in messages)
        return [one for one in found if one is not None]

    def events(self, kind: type[E]) -> list[E]:
        """The events of a kind, after a flush."""
        self.announcer.flush()
        return [one for one in self.told if isinstance(one, kind)]

    def labels(self, message_id: MessageId) -> frozenset[str]:
        """A message's current labels."""
        return self.tables.messages.get(message_id).labels


@asynccontextmanager
async def engine_parts(folder: Path) -> AsyncIterator[Parts]:
    """A new store with one account."""
    clock = HandClock()
    tables = open_tables(prepared(folder / "mail.db"), clock)
    account_id = tables.accounts.add(ME.email, ME.name, (ME.email,), "<b>Me</b>", "#123456")
    parts = Parts(tables, clock, account_id)
    try:
        yield parts
    finally:
        parts.announcer.flush()
        tables.close()
