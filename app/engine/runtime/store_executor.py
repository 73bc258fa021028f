"""Store calls off the event loop, on threads whose end the engine waits for before it closes the file.

While the disk is full, whoever wants to write waits for room and goes on then: a transaction that did not fit left nothing.
Only what the user waits for fails at once, with words.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakSet

from app.domain.errors import DiskFull

P = ParamSpec("P")
T = TypeVar("T")

ROOM_S = 3.0
"""Between two tries while the disk is full."""


def _unheard(_error: DiskFull) -> None:
    """Nobody asked to be told."""


class StoreExecutor:
    """A few threads for short, blocking store calls. A cancelled caller does not stop a transaction under way. `full` is called
    once when the disk is full, and again only after a write has worked."""

    def __init__(self, count: int = 3, full: Callable[[DiskFull], None] = _unheard) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="store")
        self._full = full
        self._waiting = 0
        self._hurry = asyncio.Event()
        self._impatient: WeakSet[asyncio.Task[object]] = WeakSet()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The function's result, or what it raises; for a full disk it waits. Call it with whole transactions only."""
        loop, work = asyncio.get_running_loop(), partial(function, *args, **kwargs)
        try:
            return await loop.run_in_executor(self._pool, work)
        except DiskFull as error:
            if self._hurry.is_set() or asyncio.current_task() in self._impatient:
                raise
            if not self._waiting:
                self._full(error)
        self._waiting += 1
        try:
            return await self._when_there_is_room(work)
        finally:
            self._waiting -= 1

    @contextmanager
    def impatiently(self) -> Iterator[None]:
        """Inside, the running task gets `DiskFull` instead of waiting."""
        task = asyncio.current_task()
        assert task is not None
        self._impatient.add(task)
        try:
            yield
        finally:
            self._impatient.discard(task)

    def hurry(self) -> None:
        """The engine ends: nobody waits for room any more."""
        self._hurry.set()

    def close(self) -> None:
        """Wait for what is under way; refuse more."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def _when_there_is_room(self, work: Callable[[], T]) -> T:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(ROOM_S):
                    await self._hurry.wait()
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, work)
            except DiskFull:
                if self._hurry.is_set():
                    raise
