"""Runs the mail graph: a few runs at once, newest mail first, resumed after a crash, continued after decisions.

All state is in the store, so a restart loses nothing. `DraftingGate` delays drafting until the owner's own answers are indexed,
since good drafts are made from them.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from datetime import timedelta

from app.domain.agents.runs import Run, RunRecord, RunStatus
from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.errors import AgentsPaused, CapReached, ExpectedError, NotFound
from app.domain.ids import JobId, ReviewId, RunId
from app.domain.protocol.events import ErrorReported, ReviewReady, RunChanged, WorkChanged
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.runs.agent_runtime import AgentRuntime
from app.engine.runs.run_repository import AGENT_PROCESS, ANSWER, CLASSIFY, KINDS, RunRepository
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet, Throttle, WakeUp, doubled_s
from app.engine.search.indexer import Indexer
from app.store.db.jobs import Job
from app.store.runs.runs import FINAL

log = logging.getLogger(__name__)


IDLE_S = 15.0
SHOWN_AFTER_S = 1.0
"""Showing a run as running writes 35 kB. At 0.3 s a fifth of the runs with a fast model did on a busy computer."""
TOLD_EVERY_S = 0.2
"""Least time between two reports of the workload. Counting takes as long as reading mail, and each run changes it four times."""

FIRST_RETRY_S = 10.0
LONGEST_RETRY_S = 900.0


LONGEST_WAIT_S = 90.0


class DraftingGate:
    """The limits of the runner: the user's settings, and no new runs before there is mail to draft from.

    `now_s` is monotonic. The longest wait counts from the first call. Once open, it stays open.
    """

    def __init__(self, settings: LiveSettings, mail: Mailboxes, index: Indexer, now_s: Callable[[], float]) -> None:
        self._settings, self._mail, self._index, self._now_s = settings, mail, index, now_s
        self._asked_at: float | None = None
        self._open = False

    @property
    def concurrency(self) -> int:
        """How many runs go on at once."""
        return self._settings.now.drafting.concurrency

    @property
    def paused(self) -> bool:
        """Whether the user paused the agents."""
        return self._settings.now.drafting.paused

    def may_start(self) -> bool:
        """Whether new runs may start."""
        if self._open:
            return True
        if self._asked_at is None:
            self._asked_at = self._now_s()
        waited_s = self._now_s() - self._asked_at
        self._open = waited_s > LONGEST_WAIT_S or (self._mail.recent_done and self._index.caught_up)
        return self._open


class Runner:
    """Works off the jobs of runs. `on_end` is called after a run has ended.

    The graph raises `ModelUnavailable`, `CapReached`, `Offline` or the errors of the store, and leaves the run where it is. The
    last write of a stretch also ends its job and writes the status; a graph may leave both to the caller.
    """

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        graph: AgentRuntime,
        wake_up: WakeUp,
        limits: DraftingGate,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._tables, self._threads = tables, tables.threads
        self._announcer, self._graph = announcer, graph
        self._wake_up, self._limits, self._on_end = wake_up, limits, on_end
        self.refusal: Callable[[], ErrorText] = lambda: NO_TEXT
        """Says what is wrong with the model's set-up."""
        self._rows = RunRepository(tables)
        self._workload = Throttle(self._tell_work, TOLD_EVERY_S)
        self._working = TaskSet(wake_up.ring)
        self._active_jobs: set[JobId] = set()
        self._last_error_code = ""
        self._ending = False

    async def run(self) -> None:
        """Recovers what an earlier engine left open, then works until cancelled."""
        await self._threads.run(self._rows.recover)
        try:
            while True:
                while not self._ending and len(self._working) < self._limits.concurrency and (work := self._next()) is not None:
                    self._working.start(work)
                self._workload.ask()
                await self._wake_up.wait(IDLE_S)
        finally:
            self._workload.stop()
            await self._working.cancel()

    async def finish(self, within_s: float) -> None:
        """Starts no more runs and waits at most `within_s` seconds for those under way."""
        self._ending = True
        await self._working.finish(within_s)

    def _next(self) -> Coroutine[object, object, None] | None:
        """The next work: decided runs, then the user's requests, then new mail, agents' mail first.

        Jobs are read on the loop and not claimed, since no other worker takes them.
        """
        held = self._limits.paused or not self._limits.may_start()
        job = self._tables.jobs.next_due(KINDS[:2] if held else KINDS, self._active_jobs)
        if job is None:
            return None
        self._active_jobs.add(job.id)
        return self._attempt(job)

    async def _attempt(self, job: Job) -> None:
        """Runs one stretch and writes and reports its outcome."""
        payload = json.loads(job.payload)
        run_id, review_id = RunId(payload["run_id"]), ReviewId(payload.get("review_id", 0))
        try:
            run = self._tables.runs.get(run_id)
            status = await self._shown(run, job, self._advance(run, review_id, job.id))
        except NotFound as error:
            log.info("run %s ends: %s", run_id, error)
            await self._give_up(job, run_id, RunStatus.SUPERSEDED, "the mail is gone")
        except ExpectedError as error:
            await self._retry(job, run_id, error)
        except Exception as error:
            log.exception("run %s failed", run_id)
            self._announcer.bug(f"run {run_id}", error)
            await self._give_up(job, run_id, RunStatus.FAILED, type(error).__name__)
        else:
            self._last_error_code = ""
            await self._settle(job, run, status)
        finally:
            self._active_jobs.discard(job.id)

    async def _advance(self, run: Run, review_id: ReviewId, job: JobId) -> RunStatus:
        """Starts a run or continues it, after a decision on a review if that is known. A run that has ended is left alone, unless
        its review was decided anew: a crash may leave a job behind.
        """
        if review_id:
            return await self._graph.resume(run.id, review_id, job)
        return run.status if run.status in FINAL else await self._graph.run(run, job)

    async def _shown(self, run: Run, job: Job, work: Coroutine[object, object, RunStatus]) -> RunStatus:
        """Awaits the stretch. One longer than `SHOWN_AFTER_S` is shown as running meanwhile, unless it has just written its
        end.
        """
        task = asyncio.create_task(work)
        try:
            done, _ = await asyncio.wait({task}, timeout=SHOWN_AFTER_S)
            if not done and await self._threads.run(self._tables.runs.show_running, run, job.id):
                self._announcer.tell(RunChanged(run.id, run.message_id, RunStatus.RUNNING))
            return await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _settle(self, job: Job, run: Run, status: RunStatus) -> None:
        """Writes the outcome where the graph did not, and reports the reviews that now wait."""
        if self._rows.unwritten(run, status, job.id):
            ended = None if run.status in FINAL else status
            await self._threads.run(self._tables.runs.keep, RunRecord(run.id, status=ended, job=job.id))
        if run.status not in FINAL:
            self._announcer.tell(RunChanged(run.id, run.message_id, status))
        waiting = self._rows.pending(run)
        if waiting and self._rows.superseded(run.thread_id, run.id):
            await self._threads.run(self._rows.wake_superseded, run.thread_id, run.id)
        for review_id, kind in waiting:
            self._announcer.tell(ReviewReady(review_id, kind))
        if status in FINAL:
            self._on_end()
            await self._graph.forget(run.id)

    async def _retry(self, job: Job, run_id: RunId, error: ExpectedError) -> None:
        """Queues the run again after a temporary error."""
        wait_s = doubled_s(FIRST_RETRY_S, job.attempts, LONGEST_RETRY_S)
        if isinstance(error, AgentsPaused | CapReached):
            wait_s = IDLE_S if isinstance(error, AgentsPaused) else LONGEST_RETRY_S
        log.info("run %s waits %.0f s: %s", run_id, wait_s, error.code)
        if self._last_error_code != error.code:
            self._last_error_code = error.code
            self._announcer.tell(ErrorReported.of(error))
        run = await self._threads.run(self._tables.runs.get, run_id)
        await self._note(run, RunStatus.QUEUED, error.code)
        retry_at = self._tables.clock() + timedelta(seconds=wait_s)
        await self._threads.run(self._tables.jobs.again, job, error.code, retry_at)

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
        """Writes and reports a run's status. A run that has already ended keeps its status."""
        if run.status in FINAL:
            return
        await self._threads.run(self._tables.runs.set_status, run.id, status, error)
        self._announcer.tell(RunChanged(run.id, run.message_id, status))

    def _tell_work(self) -> None:
        """Reports the workload for the status line."""
        counts = self._tables.jobs.counts()
        calls, tokens, cost = self._tables.runs.usage_today()
        queued = max(sum(counts.get(kind, 0) for kind in ("route", CLASSIFY, AGENT_PROCESS, ANSWER)) - len(self._working), 0)
        running, paused = len(self._working), self._limits.paused
        self._announcer.tell(WorkChanged(queued, running, paused, calls, tokens, cost, self.refusal()))
