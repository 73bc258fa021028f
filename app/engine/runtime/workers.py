"""Workers that live as long as the engine: a fault of one is told and it starts again; it never takes the others along.

A bell wakes a worker before its time: rung from anywhere in the loop, heard once.

Why a house is left: for good, or to be built anew over files that had to be closed first.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.protocol.events import ErrorReported
from app.engine.runtime.event_bus import EventBus

log = logging.getLogger(__name__)

RESTART_S = 5.0
TELL_AGAIN_S = 2.0


class WorkerSupervisor:
    """Named tasks, cancelled together in the reverse order of their start."""

    def __init__(self, announcer: EventBus) -> None:
        self._announcer = announcer
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work` for ever: when it raises, that is told and it starts again; when it returns, it is done."""
        self._tasks.append(asyncio.create_task(self._watched(name, work), name=name))

    async def stop(self) -> None:
        """Cancel all and wait until each has cleaned up; one that does not hear is told again."""
        for task in reversed(self._tasks):
            while not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=TELL_AGAIN_S)
        self._tasks.clear()

    async def _watched(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
                return
            except ExpectedError as error:
                log.error("%s stopped: %s", name, error)
                self._announcer.tell(ErrorReported.of(error))
            except Exception as error:
                log.exception("%s failed", name)
                self._announcer.tell(ErrorReported("bug", f"{name}: {type(error).__name__}", ""))
            await asyncio.sleep(RESTART_S)


class WakeUp:
    """Rings are not counted: however often it rang, the next `wait` returns at once, and only that one."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Wake whoever waits, now or next."""
        self._event.set()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for a ring, at most `timeout_s` seconds (None: for ever); whether it rang."""
        if timeout_s is None or timeout_s > 0:
            # Not wait_for: before Python 3.12 it loses a cancellation that meets a ring.
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._event.wait()
        rang = self._event.is_set()
        self._event.clear()
        return rang


@dataclass(frozen=True, slots=True)
class ShutdownHandles:
    """Call them in the loop's thread, `index_lost` from any. `stop` ends the engine; `wipe` (account, its address) closes
    everything and takes the account out of all files; `index_lost` opens everything again, so that the vectors are built anew."""

    stop: Callable[[], None]
    wipe: Callable[[AccountId, str], None]
    index_lost: Callable[[], None]
