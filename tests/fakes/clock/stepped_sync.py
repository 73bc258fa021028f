"""Runs a syncer whose waits take no time; the test ends each wait."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from app.config.settings import SyncSettings
from app.domain.ids import AccountId
from app.domain.ports.gmail import MailServer
from app.domain.protocol.events import ConnectionChanged, ConnectionState, SyncPhase, SyncProgress
from app.domain.wire import Event
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import WakeUp
from app.engine.sync.mirror import MailboxMirror
from app.engine.sync.syncer import Syncer
from app.store.mail.sync_page import Applied, SyncPage
from fakes.engine.sync import SyncStage

POLL_S = 60.0
PATIENCE_S = 30.0


class Rests(WakeUp):
    """A wake-up whose waits take no time: the test sees the timeout of each and ends it."""

    def __init__(self, pass_s: Callable[[float], None]) -> None:
        super().__init__()
        self._pass_s = pass_s
        self._begun: asyncio.Queue[float] = asyncio.Queue()
        self._ended: asyncio.Queue[bool] = asyncio.Queue()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Waits until the test calls `end`."""
        assert timeout_s is not None
        self._begun.put_nowait(timeout_s)
        rang = await self._ended.get()
        if not rang:
            self._pass_s(timeout_s)
        return rang

    async def begun(self) -> float:
        """Waits for the next wait and returns its timeout in seconds."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._begun.get()

    def end(self, *, rang: bool) -> None:
        """Ends the wait by timeout, or by a wake-up when `rang`."""
        self._ended.put_nowait(rang)


class Told(EventBus):
    """An event bus that records every event before any are merged."""

    def __init__(self, told: list[Event]) -> None:
        super().__init__(lambda _event: None)
        self._told = told

    def tell(self, event: Event) -> None:
        self._told.append(event)


@dataclass
class Syncing:
    """A syncer over a setup. `pages` are the pages it wrote, `told` its events; `server` replaces the setup's client."""

    stage: SyncStage
    limits: SyncSettings = field(default_factory=SyncSettings)
    poll_s: float = POLL_S
    tick_s: float = 0.0
    told: list[Event] = field(default_factory=list)
    pages: list[SyncPage] = field(default_factory=list)
    brought: list[bool] = field(default_factory=list)
    refused: int = 0
    watch: Callable[[SyncPage], None] = lambda _page: None
    server: MailServer | None = None

    def __post_init__(self) -> None:
        announcer = Told(self.told)
        self.rests = Rests(self._pass)
        self.mirror = MailboxMirror(self.stage.account, self.stage.tables, announcer, self._wrote)
        self.syncer = Syncer(self.server or self.stage.client, self.mirror, _Pace(self), self, self.rests, self._now)

    async def on(self, *, rang: bool = False) -> float:
        """Ends the wait. Returns the seconds of the next one."""
        self.rests.end(rang=rang)
        return await self.rests.begun()

    async def until(self, after_s: float) -> None:
        """Ends waits until the clock has reached `after_s`."""
        while self.stage.now < after_s:
            await self.on()

    def progress(self) -> list[SyncProgress]:
        """The `SyncProgress` events."""
        return [one for one in self.told if isinstance(one, SyncProgress)]

    def phases(self) -> list[SyncPhase]:
        """The reported phases without repetitions."""
        phases = [one.phase for one in self.progress()]
        return [phase for number, phase in enumerate(phases) if number == 0 or phases[number - 1] is not phase]

    def states(self) -> list[ConnectionState]:
        """The reported states of the connection."""
        return [one.state for one in self.told if isinstance(one, ConnectionChanged)]

    def _now(self) -> float:
        self.stage.now += self.tick_s
        return self.stage.now

    def _pass(self, seconds: float) -> None:
        self.stage.now += seconds

    def _wrote(self, _account: AccountId, page: SyncPage, _applied: Applied) -> None:
        self.pages.append(page)
        self.watch(page)

    def fetched(self) -> None:
        """Notes that mail came in."""
        self.brought.append(self.syncer.recent_done)

    def signed_out(self, _account: AccountId) -> None:
        """Notes a rejected sign-in."""
        self.refused += 1


@dataclass
class _Pace:
    of: Syncing

    def poll_s(self) -> float:
        return self.of.poll_s

    def limits(self) -> SyncSettings:
        return self.of.limits


@asynccontextmanager
async def running(syncing: Syncing) -> AsyncIterator[float]:
    """Runs the syncer and cancels it as the engine does. Yields the seconds of its first wait."""
    task = asyncio.create_task(syncing.syncer.run())
    try:
        yield await syncing.rests.begun()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
