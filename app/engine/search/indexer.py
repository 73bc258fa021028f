"""Embeds stored mail in small batches on a thread of low priority, answered questions first, archives last.

Vectors are a cache: an error here costs retrieval, never mail.
"""

import asyncio
import contextlib
import logging
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

from app.config.settings import ARCHIVE_MAILS
from app.domain.errors import IndexLost
from app.domain.ids import AccountId, MessageId
from app.domain.mail.quotes import newest_part
from app.domain.ports.agents import Embedder
from app.domain.protocol.events import IndexProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.db.jobs import Job
from app.store.search.corpus import questions_of, vector_kinds
from app.store.search.vectors import Entry, VectorKind, Vectors, index_again, index_archive

log = logging.getLogger(__name__)

INDEX = "index"
WINDOW = 300
"""Jobs taken at once, so that answered questions among them can go first."""
BATCH = 16
LEASE_S = 900.0
YIELD_S = 0.005
RETRY_S = 60.0
ATTEMPTS = 4
NICENESS = 10

TextOf = Callable[[str, str], str]
"""Turns a subject and the newest part of a body into the text to embed."""


class Indexer:
    """Works until cancelled; `close` ends its thread. `advanced` is called after each group of batches.

    Seven parameters: it is made when the model is loaded, later than the services it works for.
    """

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        embedder: Embedder,
        vectors: Vectors,
        text_of: TextOf,
        advanced: Callable[[], None],
        archives: Callable[[], bool] = lambda: False,
    ) -> None:
        """`archives` says whether the owner wants archives searched by meaning."""
        self._tables, self._announcer, self._embedder = tables, announcer, embedder
        self._vectors, self._text_of, self._advanced, self._archives = vectors, text_of, advanced, archives
        self._followed: tuple[bool, dict[AccountId, int]] = (False, {})
        self._wake_up = WakeUp()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="indexer", initializer=_be_nice)
        self._done = 0
        self._answers_done = False
        self._idle = False

    @property
    def caught_up(self) -> bool:
        """Whether nothing waits, or the answered messages among the newest mail are indexed."""
        return self._idle or self._answers_done

    def wake(self) -> None:
        """Makes `run` look for mail to index."""
        self._idle = False
        self._wake_up.ring()

    async def run(self) -> None:
        """Indexes until cancelled."""
        while True:
            await self._follow_archives()
            jobs = await self._tables.run(self._tables.jobs.claim_many, INDEX, LEASE_S, WINDOW)
            if not jobs:
                self._idle, self._done = True, 0
                self._advanced()
                await self._wake_up.wait(RETRY_S)
                continue
            kinds = await self._tables.run(vector_kinds, self._tables.db, [_message_id(job) for job in jobs])
            answered = [job for job in jobs if kinds[_message_id(job)] is VectorKind.ANSWERED]
            others = [job for job in jobs if kinds[_message_id(job)] is not VectorKind.ANSWERED]
            await self._work_off(answered)
            self._answers_done = True
            self._advanced()
            await self._work_off(others)
            self._advanced()

    async def forget(self, account_id: AccountId, ids: Sequence[MessageId]) -> None:
        """Deletes the vectors of deleted mail."""
        if ids:
            await self._in_worker(lambda: self._vectors.delete(account_id, ids))

    def close(self) -> None:
        """Waits for the current batch and ends the thread."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    async def _follow_archives(self) -> None:
        """Queues the mail of archives, or forgets it, after the owner's wish or an archive changed."""
        wanted = (self._archives(), await self._tables.run(self._tables.archives.sizes))
        if wanted == self._followed:
            return
        most = ARCHIVE_MAILS if wanted[0] else 0
        for account_id in wanted[1]:
            await self._in_worker(partial(index_archive, self._tables.db, self._vectors, account_id, most))
        self._followed = wanted
        await self._tell_progress()

    async def _work_off(self, jobs: Sequence[Job]) -> None:
        """Indexes all jobs in small batches with short pauses."""
        for at in range(0, len(jobs), BATCH):
            await self._guarded(jobs[at : at + BATCH])
            await asyncio.sleep(YIELD_S)

    async def _guarded(self, batch: Sequence[Job]) -> None:
        """Indexes one batch. A batch that fails is retried up to `ATTEMPTS` times."""
        try:
            await self._in_worker(lambda: self._index(batch))
        except Exception as error:
            log.exception("a batch of %d could not be indexed", len(batch))
            # Lost vectors end the engine; its next start indexes this batch with all others.
            pause_s = 0.0 if isinstance(error, IndexLost) else RETRY_S
            for job in batch:
                retry_at = self._tables.clock() + timedelta(seconds=pause_s) if job.attempts < ATTEMPTS else None
                await self._tables.run(self._tables.jobs.fail, job.id, type(error).__name__, retry_at)
            return
        await self._tables.run(self._tables.jobs.done, *[job.id for job in batch])
        self._done += len(batch)
        await self._tell_progress()

    async def _tell_progress(self) -> None:
        counts = await self._tables.run(self._tables.jobs.counts)
        self._announcer.tell(IndexProgress(self._done, self._done + counts.get(INDEX, 0)))

    def _index(self, batch: Sequence[Job]) -> None:
        """Embeds and stores a batch, without messages that are gone. Runs on the worker thread."""
        found = self._tables.messages.many([_message_id(job) for job in batch])
        kinds = vector_kinds(self._tables.db, list(found))
        entries: dict[AccountId, list[Entry]] = defaultdict(list)
        for message in found.values():
            vector = self._embedder.embed([self._text_of(message.subject, newest_part(message.body_text))])[0]
            entries[message.account_id].append((message.id, vector, kinds[message.id]))
        for account_id, rows in entries.items():
            self._vectors.upsert(account_id, rows)
        answers = [message.id for message in found.values() if message.outgoing]
        for question in questions_of(self._tables.db, answers) if answers else ():
            if question not in found:
                self._tables.jobs.put(INDEX, str(question), "")

    async def _in_worker(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, work)


def queue_lost(tables: Tables, vectors: Vectors) -> None:
    """Queues the mail of accounts without any vector: they were lost, or another model's."""
    for account in tables.accounts.all():
        if not vectors.count(account.id):
            queued = index_again(tables.db, account.id)
            log.info("account %d: %d messages are to be indexed", account.id, queued)


def _message_id(job: Job) -> MessageId:
    return MessageId(int(job.key))


def _be_nice() -> None:
    """Lowers this thread's priority on Linux, where threads have their own."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
