"""Runs store calls on threads. The engine waits for them before it closes the database.

While the disk is full, a write waits for free space and is then repeated: a transaction that did not fit left nothing behind.
Work that the user waits for raises `DiskFull` at once instead.
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
"""Seconds between two tries while the disk is full."""


def _unheard(_error: DiskFull) -> None: ...


class StoreExecutor:
    """A few threads for short, blocking store calls. Cancelling a caller does not stop its transaction.

    `full` is called once when the disk is full, and again only after a write has worked.
    """

    def __init__(self, count: int = 3, full: Callable[[DiskFull], None] = _unheard) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="store")
        self._full = full
        self._waiting = 0
        self._stop_waiting = asyncio.Event()
        self._impatient: WeakSet[asyncio.Task[object]] = WeakSet()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs the function on a thread and returns its result. Waits while the disk is full.

        Pass whole transactions only, since the function may be called again.
        """
        loop, work = asyncio.get_running_loop(), partial(function, *args, **kwargs)
        try:
            return await loop.run_in_executor(self._pool, work)
        except DiskFull as error:
            if self._stop_waiting.is_set() or asyncio.current_task() in self._impatient:
                raise
            if not self._waiting:
                self._full(error)
        self._waiting += 1
        try:
            return await self._when_there_is_room(work)
        finally:
            self._waiting -= 1

    @contextmanager
    def without_waiting(self) -> Iterator[None]:
        """Within this context the current task gets `DiskFull` instead of waiting."""
        task = asyncio.current_task()
        assert task is not None
        self._impatient.add(task)
        try:
            yield
        finally:
            self._impatient.discard(task)

    def stop_waiting(self) -> None:
        """Makes calls that wait for free space raise `DiskFull`, because the engine ends."""
        self._stop_waiting.set()

    def close(self) -> None:
        """Waits for running calls and accepts no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def _when_there_is_room(self, work: Callable[[], T]) -> T:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(ROOM_S):
                    await self._stop_waiting.wait()
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, work)
            except DiskFull:
                if self._stop_waiting.is_set():
                    raise
