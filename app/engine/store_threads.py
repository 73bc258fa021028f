"""Store calls off the event loop, on threads whose end the engine waits for before it closes the file."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class StoreThreads:
    """A few threads for short, blocking store calls. A cancelled caller does not stop a transaction under way."""

    def __init__(self, count: int = 3) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="store")

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The function's result, or what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(function, *args, **kwargs))

    def close(self) -> None:
        """Wait for what is under way; refuse more."""
        self._pool.shutdown(wait=True, cancel_futures=True)
