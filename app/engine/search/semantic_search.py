"""Search by meaning for the window: compares the free words of a search with mail that matches its operators.

Spam and trash are left out, as in search by words.
"""

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.ports.agents import Embedder
from app.domain.protocol.queries import FindSimilar, FoundMail, MatchPlace, SearchMatch, SimilarityState, SimilarMails
from app.engine.runtime.settings_watcher import CurrentSettings
from app.engine.runtime.tables import Tables
from app.engine.search.indexer import INDEX
from app.engine.search.mail_search import open_search
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.retrieval import PassageCache
    from app.store.search.query_tree import SearchExpression
    from app.store.search.search import Search

ASKED = 200
"""Number of nearest messages examined per account."""

AT_ONCE = 20
"""Messages read in one query, nearest first; few more than are shown."""

NARROWED = 10_000
"""With operators only the newest this many matching messages are compared (60 ms)."""


@dataclass(frozen=True, slots=True)
class SemanticModels:
    """What a comparison needs once it is loaded.

    `near_enough` decides by cosine and text whether a message is worth showing; none below `least` is.
    """

    embedder: Embedder
    vectors: Vectors
    passages: "PassageCache"
    near_enough: Callable[[float, str], bool]
    least: float


class SemanticSearch:
    """Answers one query at a time, once the models are loaded."""

    queries = (FindSimilar,)

    def __init__(self, tables: Tables, settings: CurrentSettings) -> None:
        self._tables = tables
        self._settings = settings
        self._models: asyncio.Future[SemanticModels] | None = None
        self._search: Search | None = None
        self._opening = asyncio.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="meaning")
        self._given_up: set[threading.Event] = set()

    def begin(self) -> None:
        """Makes queries wait for the models from now on."""
        if self._models is None:
            self._models = asyncio.get_running_loop().create_future()

    def ready(self, models: SemanticModels) -> None:
        """Answers waiting and new queries with these models."""
        if self._models is not None and not self._models.done():
            self._models.set_result(models)

    def fail(self, error: ExpectedError) -> None:
        """Makes queries raise `error`, because the models cannot be loaded."""
        if self._models is not None and not self._models.done():
            self._models.set_exception(error)
            self._models.exception()  # avoids a warning when nobody asks

    async def answer(self, asked: FindSimilar) -> SimilarMails:
        """Conversations similar in meaning.

        Raises `NotAllowed` for an invalid query, `IndexLost`, or the error that kept the models from loading.
        """
        search = await self._opened()
        words, rest = await self._tables.run(_parted, asked.text)
        if not words:
            return SimilarMails((), SimilarityState.NO_WORDS)
        if self._models is None:
            if self._settings.now.drafting.paused:
                return SimilarMails((), SimilarityState.PAUSED)
            self.begin()
        assert self._models is not None
        models = await asyncio.shield(self._models)
        return await self._compared(Comparison(self._tables, search, models, asked, rest, threading.Event()), words)

    async def close(self) -> None:
        """Ends the work of queries, which are cancelled by then. Call it before the vectors are closed, because a query that
        still reads them would report damage.
        """
        for one in self._given_up:
            one.set()
        await asyncio.to_thread(self._worker.shutdown, cancel_futures=True)
        if self._search is not None:
            await asyncio.to_thread(self._search.close)

    async def _compared(self, one: "Comparison", words: str) -> SimilarMails:
        self._given_up.add(one.given_up)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, one.answer, words)
        except asyncio.CancelledError:
            one.given_up.set()
            raise
        finally:
            self._given_up.discard(one.given_up)

    async def _opened(self) -> "Search":
        async with self._opening:
            if self._search is None:
                self._search = await self._tables.run(open_search, self._tables)
            return self._search


@dataclass(frozen=True, slots=True)
class Comparison:
    """One query at work on a thread. `given_up` stops it between two passages."""

    tables: Tables
    search: "Search"
    models: SemanticModels
    asked: FindSimilar
    rest: "SearchExpression"
    given_up: threading.Event

    def answer(self, words: str) -> SimilarMails:
        """Returns what is similar to the words, and how much could be compared."""
        (vector,) = self.models.embedder.embed([words])
        accounts = [one.id for one in self.tables.accounts.all()]
        near = sorted((pair for one in accounts for pair in self._near(one, vector)), key=lambda pair: -pair[1])
        mails = tuple(self._explained(thread, one, vector) for thread, one in self._chosen(near))
        indexed = sum(map(self.models.vectors.count, accounts))
        return SimilarMails(mails, SimilarityState.COMPARED, indexed, self.tables.jobs.counts().get(INDEX, 0))

    def _near(self, account_id: AccountId, vector: Sequence[float]) -> list[tuple[MessageId, float]]:
        """The account's nearest messages that match the operators."""
        from app.store.search.query_parser import EVERYTHING

        among = None
        if self.rest != EVERYTHING:
            among = self.search.message_ids(self.rest, NARROWED, account_id)
        found = self.models.vectors.nearest(account_id, vector, ASKED, among=among)
        return [pair for pair in found if pair[1] >= self.models.least]

    def _chosen(self, near: Sequence[tuple[MessageId, float]]) -> list[tuple[ThreadId, Message]]:
        """The nearest message of each conversation that is near enough and was not found by its words."""
        threads = self.search.among(self.rest, [message_id for message_id, _ in near])
        closed: Collection[ThreadId] = frozenset(self.asked.besides)
        cosines = {one: cosine for one, cosine in near if one in threads and threads[one] not in closed}
        chosen: dict[ThreadId, Message] = {}
        left = iter(cosines)
        while len(chosen) < self.asked.limit and (few := list(islice(left, AT_ONCE))):
            found = self.tables.messages.many(few)
            for one in (found[one] for one in few if one in found):
                if threads[one.id] not in chosen and self.models.near_enough(cosines[one.id], newest_part(one.body_text)):
                    chosen[threads[one.id]] = one
        return list(chosen.items())[: self.asked.limit]

    def _explained(self, thread: ThreadId, message: Message, vector: Sequence[float]) -> FoundMail:
        if self.given_up.is_set():
            raise NotAllowed("The question was withdrawn.")
        passage = self.models.passages.nearest(newest_part(message.body_text), vector)
        return FoundMail(thread, message.id, (SearchMatch(MatchPlace.MEANING, passage),))


def _parted(text: str) -> "tuple[str, SearchExpression]":
    """Splits a query into free words and the rest. The first call imports the grammar."""
    from app.store.search.query_parser import by_meaning, parse_query

    return by_meaning(parse_query(text))
