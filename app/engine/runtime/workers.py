"""Supervised tasks of the engine, sets of short tasks, the event that wakes a worker, a throttle and exponential backoff."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress

from app.domain.errors import ExpectedError
from app.domain.protocol.events import ErrorReported
from app.engine.runtime.event_bus import EventBus

log = logging.getLogger(__name__)

RESTART_S = 5.0
TELL_AGAIN_S = 2.0


class WorkerSupervisor:
    """Named tasks. A task that fails is reported and restarted; the others go on."""

    def __init__(self, announcer: EventBus) -> None:
        self._announcer = announcer
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Starts `work` as a task. It is restarted after an exception and ends when it returns."""
        self._tasks.append(asyncio.create_task(self._watched(name, work), name=name))

    async def stop(self) -> None:
        """Cancels all tasks, the last started first, and waits for each. Cancels again every `TELL_AGAIN_S`."""
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
                self._announcer.bug(name, error)
            await asyncio.sleep(RESTART_S)


class TaskSet:
    """Tasks under way. `ended` is called after each of them."""

    def __init__(self, ended: Callable[[], None] = lambda: None) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_end = ended

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[object, object, None]) -> None:
        """Runs `work` as a task. It must handle its own errors."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def finish(self, within_s: float | None = None) -> None:
        """Waits for the tasks, at most `within_s` seconds."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=within_s)

    async def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        self._on_end()


class WakeUp:
    """Auto-reset event: `ring` wakes one waiter; further calls before the wake are merged."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Wakes the waiter, or makes the next `wait` return at once."""
        self._event.set()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Waits at most `timeout_s` seconds, None for no limit. Returns whether it was woken."""
        if timeout_s is None or timeout_s > 0:
            # Not wait_for: before Python 3.12 it loses a cancellation that comes together with the event.
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._event.wait()
        rang = self._event.is_set()
        self._event.clear()
        return rang


class Throttle:
    """Calls `tell` at most once in `rest_s` seconds. Use it on the loop's thread and call `stop` at the end."""

    def __init__(self, tell: Callable[[], None], rest_s: float) -> None:
        self._tell, self._rest_s = tell, rest_s
        self._resting: asyncio.TimerHandle | None = None
        self._asked = False

    def ask(self) -> None:
        """Calls `tell` now, or once after the current rest."""
        if self._resting is not None:
            self._asked = True
            return
        self._resting = asyncio.get_running_loop().call_later(self._rest_s, self._rested)
        self._tell()

    def stop(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
        self._asked = False

    def _rested(self) -> None:
        self._resting = None
        if self._asked:
            self._asked = False
            self.ask()


DOUBLINGS = 30
"""Enough for any wait to reach its bound; 2.0 ** 1024 would overflow."""


def doubled_s(first_s: float, failures: int, longest_s: float) -> float:
    """Seconds to wait after `failures` in a row. `first_s` after one failure, doubled with each more, at most `longest_s`."""
    return min(first_s * 2.0 ** min(max(failures - 1, 0), DOUBLINGS), longest_s)
