"""Answers to the window's queries. A newer search stops the one before it; a cancelled query stops where it is."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from app.domain.commands import (
    Answer,
    DraftingPreview,
    ModelTest,
    PreviewDrafting,
    Query,
    SearchMail,
    TestModel,
    ThreadIds,
)
from app.domain.errors import Refused
from app.domain.ids import MessageId
from app.engine.live_files import LiveSettings
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.search import Search

COST_UNKNOWN = -1.0
TestCall = Callable[[str, str], Awaitable[ModelTest]]
"""Call a model, by id and address, once."""

Unsettled = Callable[[Sequence[MessageId]], int]
"""How many of these mails no header rule settles: those may want an answer. Reads mail: call it off the loop."""


class Queries:
    """The handler that the wire calls. `search` has a connection of its own."""

    def __init__(
        self,
        tables: Tables,
        threads: StoreThreads,
        search: Search,
        settings: LiveSettings,
        test_model: TestCall,
        unsettled: Unsettled,
    ) -> None:
        self._tables = tables
        self._threads = threads
        self._search = search
        self._settings = settings
        self._test_model = test_model
        self._unsettled = unsettled
        self._searching: asyncio.Task[ThreadIds] | None = None

    async def answer(self, query: Query) -> Answer:
        """The answer. Raises `ExpectedError` for what cannot be answered."""
        match query:
            case SearchMail():
                return await self._search_mail(query)
            case PreviewDrafting():
                return await self._preview(query)
            case TestModel(model, api_base):
                return await self._test_model(model, api_base)

    async def _search_mail(self, query: SearchMail) -> ThreadIds:
        """Ids of threads. The query is stopped inside SQLite when it is cancelled or a newer one comes."""
        if self._searching is not None and not self._searching.done():
            self._search.interrupt()
            self._searching.cancel()
        searching = self._searching = asyncio.create_task(self._found(query))
        try:
            return await asyncio.shield(searching)
        except asyncio.CancelledError:
            if searching.cancelled():
                raise Refused("A newer search took its place.") from None
            self._search.interrupt()
            raise

    async def _found(self, query: SearchMail) -> ThreadIds:
        return ThreadIds(tuple(await self._threads.run(self._search.thread_ids, query.text, query.limit)))

    async def _preview(self, query: PreviewDrafting) -> DraftingPreview:
        """How much consent would set going: drafts at most, and a cost only where it is known beforehand."""
        since = self._tables.clock() - timedelta(days=query.days)
        since_ms = int(since.timestamp() * 1000) if query.days else 0
        ids = await self._threads.run(self._tables.messages.unread_inbox_since, query.account_id, since_ms)
        cost = COST_UNKNOWN if self._settings.now.model.name else 0.0
        drafts = await self._threads.run(self._unsettled, ids)
        return DraftingPreview(len(ids), drafts, cost)
