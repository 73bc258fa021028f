"""Runs of the mail graph: a few at once, newest mail first, resumed after a crash, woken by decisions.

The store's rows say what is open; nothing is remembered here that a restart would lose.
Refuses to start a run that nobody asked for while paused, and to touch one that waits on an undecided review.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta

from app.domain.errors import CapReached, ExpectedError, NotFound
from app.domain.events import ReviewReady, RunChanged, Trouble, WorkChanged
from app.domain.ids import ReviewId, RunId
from app.domain.runs import Run, RunStatus
from app.engine.announcer import Announcer
from app.engine.bell import Bell
from app.engine.run_rows import AGENT_PROCESS, ANSWER, CLASSIFY, WAKE, RunRows
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.engine.thinking import Graph
from app.store.jobs import Job
from app.store.runs import FINAL

log = logging.getLogger(__name__)

LEASE_S = 3600.0
IDLE_S = 15.0
FIRST_RETRY_S = 10.0
LONGEST_RETRY_S = 900.0


class Runner:
    """`concurrency` gives how many runs at once; `may_start` whether new runs may start now (indexing goes first);
    `paused` whether the user stopped the agents."""

    def __init__(
        self,
        tables: Tables,
        threads: StoreThreads,
        announcer: Announcer,
        graph: Graph,
        bell: Bell,
        concurrency: Callable[[], int],
        may_start: Callable[[], bool],
        paused: Callable[[], bool],
    ) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer
        self._graph = graph
        self._bell = bell
        self._concurrency = concurrency
        self._may_start = may_start
        self._paused = paused
        self._rows = RunRows(tables)
        self._working: set[asyncio.Task[None]] = set()
        self._troubled = ""
        self._ending = False

    async def run(self) -> None:
        """Recover what a dead engine left, then work for ever."""
        await self._threads.run(self._rows.recover)
        try:
            while True:
                while self._has_room() and (work := await self._next()) is not None:
                    task = asyncio.create_task(work)
                    self._working.add(task)
                    task.add_done_callback(self._ended)
                await self._tell_work()
                await self._bell.wait(IDLE_S)
        finally:
            for task in self._working:
                task.cancel()
            await asyncio.gather(*self._working, return_exceptions=True)

    async def finish(self, within_s: float) -> None:
        """Start no more; let runs under way reach their end, for at most `within_s` seconds."""
        self._ending = True
        if self._working:
            await asyncio.wait(set(self._working), timeout=within_s)

    def _has_room(self) -> bool:
        return not self._ending and len(self._working) < self._concurrency()

    async def _next(self) -> Coroutine[object, object, None] | None:
        """The next piece of work: runs that were decided on, then what the user asked for, then new mail, first what a rule gives
        to an agent."""
        wake = await self._threads.run(self._tables.jobs.claim, WAKE, LEASE_S)
        if wake is not None:
            return self._wake(wake)
        asked = await self._threads.run(self._tables.jobs.claim, ANSWER, LEASE_S)
        if asked is not None:
            return self._begin(asked)
        if self._paused() or not self._may_start():
            return None
        for kind in (AGENT_PROCESS, CLASSIFY):
            job = await self._threads.run(self._tables.jobs.claim, kind, LEASE_S)
            if job is not None:
                return self._begin(job)
        return None

    async def _begin(self, job: Job) -> None:
        """Start or go on with the run of a job."""
        run_id = RunId(json.loads(job.payload)["run_id"])
        await self._attempt(job, run_id, self._go_on)

    async def _wake(self, job: Job) -> None:
        """Go on with a run whose review was decided or superseded."""
        told = json.loads(job.payload)
        review_id = ReviewId(told["review_id"]) if told["review_id"] else None

        async def resume(run: Run) -> RunStatus:
            return await (self._graph.resume(run.id, review_id) if review_id else self._go_on(run))

        await self._attempt(job, RunId(told["run_id"]), resume)

    async def _go_on(self, run: Run) -> RunStatus:
        """Start a run or go on with it. One that has ended is not begun again: a crash may leave its job behind."""
        return run.status if run.status in FINAL else await self._graph.run(run)

    async def _attempt(self, job: Job, run_id: RunId, advance: Callable[[Run], Awaitable[RunStatus]]) -> None:
        """One stretch of a run, and what became of it in rows and events."""
        try:
            run = await self._threads.run(self._tables.runs.get, run_id)
            await self._note(run, RunStatus.RUNNING)
            status = await advance(run)
        except NotFound as error:
            log.info("run %s ends: %s", run_id, error)
            await self._give_up(job, run_id, RunStatus.SUPERSEDED, "the mail is gone")
        except ExpectedError as error:
            await self._retry(job, run_id, error)
        except Exception as error:
            log.exception("run %s failed", run_id)
            self._announcer.tell(Trouble("bug", f"run {run_id}: {type(error).__name__}", "", bug=True))
            await self._give_up(job, run_id, RunStatus.FAILED, type(error).__name__)
        else:
            self._troubled = ""
            await self._settle(job, run, status)

    async def _settle(self, job: Job, run: Run, status: RunStatus) -> None:
        """The status, the job's end, and the reviews that now wait."""
        await self._note(run, status)
        for review_id, kind in await self._threads.run(self._rows.after_stretch, run):
            self._announcer.tell(ReviewReady(review_id, kind))
        if status in FINAL:
            await self._graph.forget(run.id)
        await self._threads.run(self._tables.jobs.done, job.id)

    async def _retry(self, job: Job, run_id: RunId, error: ExpectedError) -> None:
        """Trouble that passes: the run keeps its place and is tried again later."""
        wait_s = (
            LONGEST_RETRY_S if isinstance(error, CapReached) else min(FIRST_RETRY_S * 2 ** (job.attempts - 1), LONGEST_RETRY_S)
        )
        log.info("run %s waits %.0f s: %s", run_id, wait_s, error.code)
        if self._troubled != error.code:
            self._troubled = error.code
            self._announcer.tell(Trouble(error.code, error.detail, error.remedy))
        run = await self._threads.run(self._tables.runs.get, run_id)
        await self._note(run, RunStatus.QUEUED, error.code)
        retry_at = self._tables.clock() + timedelta(seconds=wait_s)
        await self._threads.run(self._tables.jobs.fail, job.id, error.code, retry_at)

    async def _give_up(self, job: Job, run_id: RunId, status: RunStatus, error: str) -> None:
        try:
            run = await self._threads.run(self._tables.runs.get, run_id)
        except NotFound:
            log.info("run %s has no row", run_id)
        else:
            await self._note(run, status, error)
            await self._graph.forget(run_id)
        await self._threads.run(self._tables.jobs.done, job.id)

    async def _note(self, run: Run, status: RunStatus, error: str = "") -> None:
        """Write and tell a run's status; a run that ended before (its decision was undone) keeps its end."""
        if run.status in FINAL:
            return
        await self._threads.run(self._tables.runs.set_status, run.id, status, error)
        self._announcer.tell(RunChanged(run.id, run.message_id, status))

    async def _tell_work(self) -> None:
        """The workload, for the status line."""
        counts = await self._threads.run(self._tables.jobs.counts)
        calls, tokens, cost = await self._threads.run(self._tables.runs.usage_today)
        queued = max(sum(counts.get(kind, 0) for kind in ("route", CLASSIFY, AGENT_PROCESS, ANSWER)) - len(self._working), 0)
        self._announcer.tell(WorkChanged(queued, len(self._working), self._paused(), calls, tokens, cost))

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._working.discard(task)
        self._bell.ring()
