"""Search in the stored mail for agents: by words and by meaning, joined by rank. Implements `MailSearch`.

Refuses spam, trash and drafts, and mail of other accounts.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.domain.ids import AccountId, MessageId
from app.domain.mail import Message
from app.domain.ports.agents import Embedder
from app.engine.searching import open_search
from app.engine.tables import Tables
from app.store.mail_finding import ASKED, opened, queried, worded
from app.store.vectors import Vectors

if TYPE_CHECKING:
    from app.store.search import Search

RANK_OFFSET = 60
"""Of reciprocal rank fusion: how little the first places count more than the next."""


class MailFinder:
    """Its full-text part is opened with the first search."""

    def __init__(self, tables: Tables, embedder: Embedder, vectors: Vectors) -> None:
        self._tables = tables
        self._embedder = embedder
        self._vectors = vectors
        self._search: Search | None = None
        self._opening = asyncio.Lock()

    async def find(self, account_id: AccountId, words: str, limit: int) -> tuple[Message, ...]:
        """The mails that fit best."""
        search = await self._opened()
        by_words, by_meaning = await asyncio.gather(
            asyncio.to_thread(worded, search, account_id, words),
            asyncio.to_thread(self._meant, account_id, words),
        )
        ranked = fused(by_words, by_meaning)
        return await asyncio.to_thread(opened, self._tables.messages, account_id, ranked, limit)

    async def query(self, account_id: AccountId, query: str, limit: int) -> tuple[Message, ...]:
        """The mails that match Gmail's operators, newest first. Raises `Refused`."""
        search = await self._opened()
        found = await asyncio.to_thread(queried, search, account_id, query)
        return await asyncio.to_thread(opened, self._tables.messages, account_id, found, limit)

    def close(self) -> None:
        """Release the file."""
        if self._search is not None:
            self._search.close()
            self._search = None

    async def _opened(self) -> "Search":
        async with self._opening:
            if self._search is None:
                self._search = await asyncio.to_thread(open_search, self._tables)
            return self._search

    def _meant(self, account_id: AccountId, words: str) -> list[MessageId]:
        (vector,) = self._embedder.embed([words])
        return [message_id for message_id, _ in self._vectors.nearest(account_id, vector, ASKED)]


def fused(*rankings: Sequence[MessageId]) -> list[MessageId]:
    """Rankings joined: each place gives its share, the sum orders."""
    scores: dict[MessageId, float] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + 1 / (RANK_OFFSET + place)
    return sorted(scores, key=lambda one: -scores[one])
