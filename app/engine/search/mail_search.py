"""Full-text search for the window, and hybrid search for agents. A newer search of the window stops the one before it."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId
from app.domain.mail.message import Message
from app.domain.ports.agents import Embedder
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.domain.protocol.queries import (
    CountMail,
    ExplainedMails,
    ExplainMails,
    FindMail,
    FoundMails,
    MailCounts,
    Suggestions,
    SuggestSearch,
)
from app.engine.runtime.tables import Tables
from app.store.search.corpus import ASKED, held, opened, queried, worded
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.store.search.search import Search

T = TypeVar("T")
AnswerOfSearch = ThreadIds | FoundMails | ExplainedMails | Suggestions | MailCounts


class SearchConnection:
    """A search over the store on a connection of its own, opened by the first `get`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._opening = asyncio.Lock()
        self._lock = Lock()
        self._search: Search | None = None
        self._closed = False

    async def get(self) -> "Search":
        async with self._opening:  # searches go on in the order in which they came
            return await asyncio.to_thread(self._open) if self._search is None else self._search

    def close(self) -> None:
        """Stops the running query and closes the connection. A thread that is about to open it finds it closed."""
        with self._lock:
            self._closed = True
            if self._search is not None:
                self._search.interrupt()
                self._search.close()
                self._search = None

    def _open(self) -> "Search":
        from app.store.search.search import Search  # with its grammar, slow to import

        with self._lock:
            if self._closed:
                raise NotAllowed("The program is ending.")
            self._search = search = Search(self._tables.db, self._tables.clock)
            return search


class TextSearch:
    """One search at a time over its own connection."""

    queries = (SearchMail, FindMail, ExplainMails, SuggestSearch, CountMail)

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._connection = SearchConnection(tables)
        self._current: asyncio.Task[Any] | None = None

    async def answer(self, query: SearchMail | FindMail | ExplainMails | SuggestSearch | CountMail) -> AnswerOfSearch:
        """Answers one query. Raises `NotAllowed` for an invalid one, or when a newer search replaced this one."""
        search = await self._connection.get()
        run = self._tables.run
        match query:
            case SearchMail(text, limit):
                return ThreadIds(tuple(await self._run_newest(search, partial(search.thread_ids, text, limit))))
            case ExplainMails(text, mails, typing):
                return ExplainedMails(await run(partial(search.explained, typing=typing), text, mails))
            case SuggestSearch(text):
                likelier = await run(search.suggestion, text)
                return Suggestions((likelier,) if likelier else ())
            case CountMail(texts):
                return MailCounts(tuple([await run(search.count, text) for text in texts]))
        find = partial(search.find, query.text, query.limit, typing=query.typing, best_first=query.best_first)
        return await self._run_newest(search, find)

    async def warm(self) -> None:
        """Reads ahead what the first search needs."""
        search = await self._connection.get()
        await self._tables.run(search.refresh)

    async def _run_newest(self, search: "Search", ask: Callable[[], T]) -> T:
        """Runs the newest search and stops the one before it."""
        older, current = self._current, asyncio.create_task(self._tables.run(ask))
        self._current = current
        if older is not None and not older.done():
            search.interrupt()
            older.cancel()
        try:
            return await asyncio.shield(current)
        except asyncio.CancelledError:
            if current.cancelled():
                raise NotAllowed("A newer search took its place.") from None
            search.interrupt()
            raise

    async def close(self) -> None:
        await asyncio.to_thread(self._connection.close)


RANK_OFFSET = 60
"""Constant of reciprocal rank fusion: the larger, the less the first places count."""


class HybridSearch:
    """Search by words and by meaning, merged by rank. Implements `MailSearch`. The full-text part is opened by the first
    search.
    """

    def __init__(self, tables: Tables, embedder: Embedder, vectors: Vectors) -> None:
        self._tables, self._embedder, self._vectors = tables, embedder, vectors
        self._connection = SearchConnection(tables)

    def close(self) -> None:
        self._connection.close()

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        search = await self._connection.get()
        by_words, by_meaning = await asyncio.gather(
            asyncio.to_thread(worded, search, account_id, words, scope),
            asyncio.to_thread(self._meant, search, account_id, words, scope),
        )
        return await asyncio.to_thread(opened, self._tables.messages, account_id, fused(by_words, by_meaning), limit)

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """The messages that match Gmail's operators, newest first. Raises `NotAllowed`."""
        search = await self._connection.get()
        found = await asyncio.to_thread(queried, search, account_id, query, scope)
        return await asyncio.to_thread(opened, self._tables.messages, account_id, found, limit)

    def _meant(self, search: "Search", account_id: AccountId, words: str, scope: MailScope) -> list[MessageId]:
        (vector,) = self._embedder.embed([words])
        near = [message_id for message_id, _ in self._vectors.nearest(account_id, vector, ASKED)]
        return near if scope == ALL_MAIL else held(search, account_id, scope, near)


def fused(*rankings: Sequence[MessageId]) -> list[MessageId]:
    """Merges rankings by reciprocal rank fusion."""
    scores: dict[MessageId, float] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + 1 / (RANK_OFFSET + place)
    return sorted(scores, key=lambda one: -scores[one])
