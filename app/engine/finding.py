"""Search in the stored mail for agents: by words and by meaning, joined by rank. Implements `MailSearch`.

Refuses spam, trash and drafts, and mail of other accounts.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.ids import AccountId, MessageId
from app.domain.mail import Message, SystemLabel
from app.domain.ports.agents import Embedder
from app.engine.searching import open_search
from app.engine.tables import Tables
from app.store.vectors import Vectors

if TYPE_CHECKING:
    from app.store.search import Search

ASKED = 40
RANK_OFFSET = 60
"""Of reciprocal rank fusion: how little the first places count more than the next."""

CLOSED = frozenset({SystemLabel.SPAM.value, SystemLabel.TRASH.value, SystemLabel.DRAFT.value})


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
        worded, meant = await asyncio.gather(
            asyncio.to_thread(_worded, search, account_id, words),
            asyncio.to_thread(self._meant, account_id, words),
        )
        ranked = fused(worded, meant)
        return await asyncio.to_thread(self._open_ones, account_id, ranked, limit)

    async def query(self, account_id: AccountId, query: str, limit: int) -> tuple[Message, ...]:
        """The mails that match Gmail's operators, newest first. Raises `Refused`."""
        search = await self._opened()
        found = await asyncio.to_thread(search.message_ids, f"({query}) -in:drafts", ASKED, account_id)
        return await asyncio.to_thread(self._open_ones, account_id, found, limit)

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

    def _open_ones(self, account_id: AccountId, ids: Sequence[MessageId], limit: int) -> tuple[Message, ...]:
        found = self._tables.messages.many(ids)
        fit = (found[one] for one in ids if one in found)
        return tuple(one for one in fit if one.account_id == account_id and not one.labels & CLOSED)[:limit]


def fused(*rankings: Sequence[MessageId]) -> list[MessageId]:
    """Rankings joined: each place gives its share, the sum orders."""
    scores: dict[MessageId, float] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + 1 / (RANK_OFFSET + place)
    return sorted(scores, key=lambda one: -scores[one])


def _worded(search: "Search", account_id: AccountId, words: str) -> list[MessageId]:
    """The account's mails with all the words; where there are none, with any of the longer ones. Operators are words here. Spam
    and trash are left out by the search itself, drafts by ours: none of them may take the place of another mail."""
    plain = [one for one in "".join(letter if letter.isalnum() else " " for letter in words).split() if one]
    for terms in (plain, [" OR ".join(one for one in plain if len(one) > 3)]):
        query = " ".join(terms).strip()
        if not query:
            continue
        try:
            found = search.message_ids(f"({query}) -in:drafts", ASKED, account_id)
        except Refused:
            continue
        if found:
            return found
    return []
