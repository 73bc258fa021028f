"""Search for the window's queries: opened with the first one, since its grammar takes a while to import.

A newer search stops the one before it; a cancelled one stops where it is.
"""

import asyncio
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.ids import ThreadId
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables

if TYPE_CHECKING:
    from app.store.search import Search


class Searching:
    """One search at a time over a connection of its own."""

    def __init__(self, tables: Tables, threads: StoreThreads) -> None:
        self._tables = tables
        self._threads = threads
        self._opening = asyncio.Lock()
        self._search: Search | None = None
        self._current: asyncio.Task[list[ThreadId]] | None = None

    async def thread_ids(self, text: str, limit: int) -> tuple[ThreadId, ...]:
        """Threads with a match, newest first. Raises `Refused` for what cannot be understood or was overtaken."""
        search = await self._opened()
        if self._current is not None and not self._current.done():
            search.interrupt()
            self._current.cancel()
        current = self._current = asyncio.create_task(self._threads.run(search.thread_ids, text, limit))
        try:
            return tuple(await asyncio.shield(current))
        except asyncio.CancelledError:
            if current.cancelled():
                raise Refused("A newer search took its place.") from None
            search.interrupt()
            raise

    async def close(self) -> None:
        """Stop and release the file."""
        if self._search is not None:
            self._search.interrupt()
            await asyncio.to_thread(self._search.close)

    async def _opened(self) -> "Search":
        async with self._opening:
            if self._search is None:
                self._search = await self._threads.run(_open, self._tables)
            return self._search


def _open(tables: Tables) -> "Search":
    from app.store.search import Search

    return Search(tables.db, tables.clock)
