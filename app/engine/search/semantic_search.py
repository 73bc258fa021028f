"""Search by meaning for the window: compares the free words of a search with mail that matches its operators.

Spam and trash are left out, as in search by words. Mails are answered without their passages, which are embedded when asked for.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.quotes import newest_part
from app.domain.ports.agents import Embedder
from app.domain.protocol.queries import (
    FindPassage,
    FindSimilar,
    FoundMail,
    FoundPassage,
    MatchPlace,
    SearchMatch,
    SimilarityState,
    SimilarMails,
)
from app.domain.record import Record
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.search.indexer import INDEX
from app.engine.search.mail_search import SearchConnection
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.retrieval import PassageCache
    from app.store.search.query_tree import SearchExpression
    from app.store.search.search import Search

T = TypeVar("T")

ASKED = 200
"""Number of nearest messages examined per account."""

AT_ONCE = 20
"""Messages read in one query, nearest first; few more than are shown."""


class SemanticModels(Record):
    """What a comparison needs once it is loaded.

    `near_enough` decides by cosine and text whether a message is worth showing; none below `least` is. `question` leaves the
    first words of a long question.
    """

    embedder: Embedder
    vectors: Vectors
    passages: "PassageCache"
    near_enough: Callable[[float, str], bool]
    least: float
    question: Callable[[str], str]


class SemanticSearch:
    """Answers one query at a time, once the models are loaded."""

    queries = (FindSimilar, FindPassage)

    def __init__(self, tables: Tables, settings: LiveSettings) -> None:
        self._tables, self._settings = tables, settings
        self._models: asyncio.Future[SemanticModels] | None = None
        self._connection = SearchConnection(tables)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="meaning")

    def begin(self) -> None:
        """Makes queries wait for the models from now on."""
        if self._models is None:
            self._models = asyncio.get_running_loop().create_future()

    def ready(self, models: SemanticModels) -> None:
        """Answers waiting and new queries with these models."""
        if self._models is not None and not self._models.done():
            self._models.set_result(models)
            self._worker.submit(self._warm, models)

    def _warm(self, models: SemanticModels) -> None:
        """Reads vectors and embeds a word ahead, so that the first query is as quick as the others."""
        with suppress(ExpectedError):  # a query reports it
            for account in self._tables.accounts.all():
                models.vectors.load(account.id)
            models.embedder.embed(["mail"])

    def fail(self, error: ExpectedError) -> None:
        """Makes queries raise `error`, because the models cannot be loaded."""
        if self._models is not None and not self._models.done():
            self._models.set_exception(error)
            self._models.exception()  # avoids a warning when nobody asks

    async def answer(self, asked: FindSimilar | FindPassage) -> SimilarMails | FoundPassage:
        """Conversations similar in meaning, or the passage of one mail that is.

        Raises `NotAllowed` for an invalid query, `IndexLost`, or the error that kept the models from loading.
        """
        search = await self._connection.get()
        words, rest = await self._tables.run(_parted, asked.text)
        if isinstance(asked, FindPassage):
            return await self._passage(asked, words)
        if not words:
            return SimilarMails((), SimilarityState.NO_WORDS)
        if self._models is None:
            if self._settings.now.drafting.paused:
                return SimilarMails((), SimilarityState.PAUSED)
            self.begin()
        assert self._models is not None
        models = await asyncio.shield(self._models)
        archives = self._settings.now.sync.archives_by_meaning
        return await self._in_worker(partial(self._compare, search, models, asked, words, rest, archives))

    async def _passage(self, asked: FindPassage, words: str) -> FoundPassage:
        """The passage of one mail, which is embedded now (some 50 ms)."""
        if not words or self._models is None:
            return FoundPassage("")
        models = await asyncio.shield(self._models)

        def nearest() -> FoundPassage:
            found = self._tables.messages.many([asked.message_id])
            if not found:
                return FoundPassage("")
            (vector,) = models.embedder.embed([models.question(words)])
            return FoundPassage(models.passages.nearest(newest_part(found[asked.message_id].body_text), vector))

        return await self._in_worker(nearest)

    def _compare(
        self,
        search: "Search",
        models: SemanticModels,
        asked: FindSimilar,
        words: str,
        rest: "SearchExpression",
        archives: bool,
    ) -> SimilarMails:
        """What is similar to the words, and how much could be compared. Runs on the worker thread."""
        (vector,) = models.embedder.embed([models.question(words)])
        accounts = [*(one.id for one in self._tables.accounts.all()), *(self._tables.archives.sizes() if archives else ())]
        among = search.matching(rest)
        near = [pair for one in accounts for pair in models.vectors.nearest(one, vector, ASKED, among=among)]
        near = sorted((pair for pair in near if pair[1] >= models.least), key=lambda pair: -pair[1])
        why = (SearchMatch(MatchPlace.MEANING, ""),)
        mails = tuple(FoundMail(thread, one, why) for thread, one in _chosen(search, models, asked, near))
        indexed = sum(map(models.vectors.count, accounts))
        return SimilarMails(mails, SimilarityState.COMPARED, indexed, self._tables.jobs.counts().get(INDEX, 0))

    async def close(self) -> None:
        """Waits for the query at work. Call it before the vectors are closed, because a query that still reads them would
        report damage.
        """
        await asyncio.to_thread(self._worker.shutdown, cancel_futures=True)
        await asyncio.to_thread(self._connection.close)

    async def _in_worker(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)


def _chosen(
    search: "Search", models: SemanticModels, asked: FindSimilar, near: Sequence[tuple[MessageId, float]]
) -> list[tuple[ThreadId, MessageId]]:
    """The nearest message of each conversation that is near enough and was not found by its words."""
    threads = search.threads_of([message_id for message_id, _ in near])
    cosines = {one: cosine for one, cosine in near if one in threads and threads[one] not in asked.besides}
    chosen: dict[ThreadId, MessageId] = {}
    left = iter(cosines)
    while len(chosen) < asked.limit and (few := list(islice(left, AT_ONCE))):
        texts = search.beginnings(few)
        for one in (each for each in few if each in texts and threads[each] not in chosen):
            if models.near_enough(cosines[one], newest_part(texts[one])):
                chosen[threads[one]] = one
    return list(chosen.items())[: asked.limit]


def _parted(text: str) -> "tuple[str, SearchExpression]":
    """Splits a query into free words and the rest. The first call imports the grammar."""
    from app.store.search.query_parser import by_meaning, parse_query

    words, rest = by_meaning(parse_query(text))
    return words, rest
