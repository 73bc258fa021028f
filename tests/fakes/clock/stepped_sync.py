"""A syncer over a sync stage, rest by rest: rests take no time, and the test says when each is over."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from app.domain.ids import AccountId
from app.domain.ports.gmail import MailServer
from app.domain.protocol.events import ConnectionChanged, ConnectionState, Event, SyncPhase, SyncProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import WakeUp
from app.engine.sync.listing import Limits
from app.engine.sync.mirror import MailboxMirror
from app.engine.sync.syncer import Syncer
from app.store.mail.sync_page import Applied, SyncPage
from fakes.engine.sync import SyncStage

POLL_S = 60.0
PATIENCE_S = 30.0


class Rests(WakeUp):
    """Rests take no time: the test is told how long one would be, and says when it is over."""

    def __init__(self, pass_s: Callable[[float], None]) -> None:
        super().__init__()
        self._pass_s = pass_s
        self._begun: asyncio.Queue[float] = asyncio.Queue()
        self._ended: asyncio.Queue[bool] = asyncio.Queue()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Rest until the test says so."""
        assert timeout_s is not None
        self._begun.put_nowait(timeout_s)
        rang = await self._ended.get()
        if not rang:
            self._pass_s(timeout_s)
        return rang

    async def begun(self) -> float:
        """Wait for the next rest; its seconds."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._begun.get()

    def end(self, *, rang: bool) -> None:
        """The rest is over, or cut short by a ring."""
        self._ended.put_nowait(rang)


class Told(EventBus):
    """Every event as it is told, before any are folded."""

    def __init__(self, told: list[Event]) -> None:
        super().__init__(lambda _event: None)
        self._told = told

    def tell(self, event: Event) -> None:
        """Note it."""
        self._told.append(event)


@dataclass
class Syncing:
    """A syncer over a stage, from one start on. `pages` are what it wrote, `told` what it said; `server` stands in for
    the stage's client."""

    stage: SyncStage
    limits: Limits = field(default_factory=Limits)
    poll_s: float = POLL_S
    tick_s: float = 0.0
    told: list[Event] = field(default_factory=list)
    pages: list[SyncPage] = field(default_factory=list)
    brought: list[bool] = field(default_factory=list)
    signed_out: int = 0
    watch: Callable[[SyncPage], None] = lambda _page: None
    server: MailServer | None = None

    def __post_init__(self) -> None:
        announcer = Told(self.told)
        self.rests = Rests(self._pass)
        self.mirror = MailboxMirror(self.stage.account, self.stage.tables, self.stage.threads, announcer, self._wrote)
        around = (announcer, self.rests, lambda: self.poll_s, self._now, self._fetched, self._refused, lambda: self.limits)
        self.syncer = Syncer(self.server or self.stage.client, self.mirror, *around)

    async def on(self, *, rang: bool = False) -> float:
        """End the rest; the seconds of the next one."""
        self.rests.end(rang=rang)
        return await self.rests.begun()

    async def until(self, after_s: float) -> None:
        """Let time pass until the first rest that begins so late."""
        while self.stage.now < after_s:
            await self.on()

    def progress(self) -> list[SyncProgress]:
        """How far it was, as told."""
        return [one for one in self.told if isinstance(one, SyncProgress)]

    def phases(self) -> list[SyncPhase]:
        """The phases told, each as often as it was told anew."""
        phases = [one.phase for one in self.progress()]
        return [phase for number, phase in enumerate(phases) if number == 0 or phases[number - 1] is not phase]

    def states(self) -> list[ConnectionState]:
        """What was told of the connection."""
        return [one.state for one in self.told if isinstance(one, ConnectionChanged)]

    def _now(self) -> float:
        self.stage.now += self.tick_s
        return self.stage.now

    def _pass(self, seconds: float) -> None:
        self.stage.now += seconds

    def _wrote(self, _account: AccountId, page: SyncPage, _applied: Applied) -> None:
        self.pages.append(page)
        self.watch(page)

    def _fetched(self) -> None:
        self.brought.append(self.syncer.recent_done)

    def _refused(self) -> None:
        self.signed_out += 1


@asynccontextmanager
async def running(syncing: Syncing) -> AsyncIterator[float]:
    """Start it, and end it as the engine's end does; the seconds of its first rest."""
    task = asyncio.create_task(syncing.syncer.run())
    try:
        yield await syncing.rests.begun()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
