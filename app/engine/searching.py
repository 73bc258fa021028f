"""Search for the window's queries: opened with the first one, since its grammar takes a while to import.

A newer search stops the one before it; a cancelled one stops where it is.
"""

import asyncio
from typing import TYPE_CHECKING, TypeVar

from app.domain.errors import Refused
from app.domain.finding import FoundMail, FoundMails
from app.domain.ids import ThreadId
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables

if TYPE_CHECKING:
    from app.store.search import Search

T = TypeVar("T", "ThreadId", "FoundMail")


class Searching:
    """One search at a time over a connection of its own."""

    def __init__(self, tables: Tables, threads: StoreThreads) -> None:
        self._tables = tables
        self._threads = threads
        self._opening = asyncio.Lock()
        self._search: Search | None = None
        self._current: asyncio.Task[list[ThreadId]] | asyncio.Task[list[FoundMail]] | None = None

    async def thread_ids(self, text: str, limit: int) -> tuple[ThreadId, ...]:
        """Threads with a match, newest first. Raises `Refused` for what cannot be understood or was overtaken."""
        search = await self._opened()
        return tuple(await self._alone(search, asyncio.create_task(self._threads.run(search.thread_ids, text, limit))))

    async def find(self, text: str, limit: int) -> FoundMails:
        """Conversations with a match and why they match. Raises `Refused` as `thread_ids` does."""
        search = await self._opened()
        found = await self._alone(search, asyncio.create_task(self._threads.run(search.explained, text, limit + 1)))
        return FoundMails(tuple(found[:limit]), len(found) > limit)

    async def _alone(self, search: "Search", current: "asyncio.Task[list[T]]") -> list[T]:
        """The newest search; the one before it is stopped."""
        older, self._current = self._current, current
        if older is not None and not older.done():
            search.interrupt()
            older.cancel()
        try:
            return await asyncio.shield(current)
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
                self._search = await self._threads.run(open_search, self._tables)
            return self._search


def open_search(tables: Tables) -> "Search":
    """A search over the store, with its grammar imported: call it in a thread."""
    from app.store.search import Search

    return Search(tables.db, tables.clock)
