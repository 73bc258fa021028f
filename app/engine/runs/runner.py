"""Runs the mail graph: a few runs at once, newest mail first, resumed after a crash, continued after decisions.

All state is in the store, so a restart loses nothing. `DraftingGate` delays drafting until the owner's own answers are indexed,
since good drafts are made from them.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Protocol

from app.domain.agents.runs import Run, RunRecord, RunStatus
from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.errors import AgentsPaused, CapReached, ExpectedError, NotFound
from app.domain.ids import JobId, ReviewId, RunId
from app.domain.protocol.events import ErrorReported, ReviewReady, RunChanged, WorkChanged
from app.domain.record import replace
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.runs.run_repository import AGENT_PROCESS, ANSWER, CLASSIFY, KINDS, WAKE, RunRepository
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import CurrentSettings
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet, Throttle, WakeUp, doubled_s
from app.engine.search.indexer import Indexer
from app.store.db.jobs import Job, name_job, place_of
from app.store.runs.runs import FINAL, RunStart

log = logging.getLogger(__name__)


class Graph(Protocol):
    """The part of `agent.graph.MailGraph` that the runner uses, so that its slow imports can wait.

    `run` and `resume` raise `ModelUnavailable`, `CapReached`, `Offline` or the errors of the store, and leave the run where it
    is. The last write of a stretch also ends `job` and writes the status; a graph may leave both to the caller.
    """

    async def run(self, run: Run, job: JobId) -> RunStatus: ...

    async def resume(self, run_id: RunId, review_id: ReviewId | None, job: JobId) -> RunStatus: ...

    async def forget(self, run_id: RunId) -> None: ...


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

    def __init__(self, settings: CurrentSettings, mail: Mailboxes, index: Indexer, now_s: Callable[[], float]) -> None:
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
    """Works off the jobs of runs. `on_end` is called after a run has ended."""

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        graph: Graph,
        wake_up: WakeUp,
        limits: DraftingGate,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._tables = tables
        self._threads = tables.threads
        self._announcer, self._graph = announcer, graph
        self._wake_up, self._limits, self._on_end = wake_up, limits, on_end
        self.refusal: Callable[[], ErrorText] = lambda: NO_TEXT
        """Says what is wrong with the model's set-up."""
        self._rows = RunRepository(tables)
        self._workload = Throttle(self._tell_work, TOLD_EVERY_S)
        self._working = TaskSet(wake_up.ring)
        self._active_jobs: set[JobId] = set()
        self._last_error_code = ""
        self._recovered = self._ending = False

    async def run(self) -> None:
        """Recovers what an earlier engine left open, then works until cancelled."""
        await self._threads.run(self._rows.recover)
        self._recovered = True
        try:
            while True:
                while self._has_room() and (work := self._next()) is not None:
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

    def take(self, job: Job, start: RunStart) -> bool:
        """Begins an unwritten run if it may begin at once. Returns whether it began.

        Nothing else may be waiting. The run then ends the `route` job that stands for it.
        """
        if self._limits.paused or not self._limits.may_start() or not self._has_room() or not self._recovered:
            return False
        if self._tables.jobs.next_due(KINDS, self._active_jobs) is not None:
            return False
        self._active_jobs.add(job.id)
        self._working.start(self._attempt(job, start.run.id, partial(self._go_on, job), start))
        return True

    def _has_room(self) -> bool:
        return not self._ending and len(self._working) < self._limits.concurrency

    def _next(self) -> Coroutine[object, object, None] | None:
        """The next work: decided runs, then the user's requests, then new mail, agents' mail first.

        Jobs are read on the loop and not claimed, since no other worker takes them.
        """
        held = self._limits.paused or not self._limits.may_start()
        job = self._tables.jobs.next_due(KINDS[:2] if held else KINDS, self._active_jobs)
        if job is None:
            return None
        self._active_jobs.add(job.id)
        return self._wake(job) if job.kind == WAKE else self._begin(job)

    async def _begin(self, job: Job) -> None:
        """Starts or continues the run of a job."""
        run_id = RunId(json.loads(job.payload)["run_id"])
        await self._attempt(job, run_id, partial(self._go_on, job))

    async def _wake(self, job: Job) -> None:
        """Continues a run whose review was decided or superseded."""
        payload = json.loads(job.payload)
        review_id = ReviewId(payload["review_id"]) if payload["review_id"] else None

        async def resume(run: Run) -> RunStatus:
            return await (self._graph.resume(run.id, review_id, job.id) if review_id else self._go_on(job, run))

        await self._attempt(job, RunId(payload["run_id"]), resume)

    async def _go_on(self, job: Job, run: Run) -> RunStatus:
        """Starts or continues a run. A run that has ended is left alone: a crash may leave its job behind."""
        return run.status if run.status in FINAL else await self._graph.run(run, job.id)

    async def _attempt(
        self,
        job: Job,
        run_id: RunId,
        advance: Callable[[Run], Coroutine[object, object, RunStatus]],
        start: RunStart | None = None,
    ) -> None:
        """Runs one stretch and writes and reports its outcome. With `start` the run is not written yet."""
        taken = job.id
        try:
            run = start.run if start is not None else self._tables.runs.get(run_id)
            status = await self._shown(run, job, advance(run))
        except NotFound as error:
            log.info("run %s ends: %s", run_id, error)
            await self._give_up(job, run_id, RunStatus.SUPERSEDED, "the mail is gone")
        except ExpectedError as error:
            job = await self._written_down(job, start)
            await self._retry(job, run_id, error)
        except Exception as error:
            log.exception("run %s failed", run_id)
            self._announcer.bug(f"run {run_id}", error)
            job = await self._written_down(job, start)
            await self._give_up(job, run_id, RunStatus.FAILED, type(error).__name__)
        else:
            self._last_error_code = ""
            await self._settle(job, run, status, start)
        finally:
            self._active_jobs -= {taken, job.id}

    async def _written_down(self, job: Job, start: RunStart | None) -> Job:
        """Writes a run that has to wait or failed before it was written. Returns the run's own job."""
        if start is None:
            return job
        own = replace(job, id=name_job(place_of(job.id)[2], start.kind, start.key), kind=start.kind, payload=start.payload_json)
        self._active_jobs.add(own.id)
        await self._threads.run(self._tables.runs.queue, start, begun=True)
        return own

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

    async def _settle(self, job: Job, run: Run, status: RunStatus, start: RunStart | None) -> None:
        """Writes the outcome where the graph did not, and reports the reviews that now wait."""
        if self._rows.unwritten(run, status, job.id):
            ended = None if run.status in FINAL else status
            trail = RunRecord(run.id, status=ended, job=job.id, run=start.run if start is not None else None)
            await self._threads.run(self._tables.runs.keep, trail)
        if run.status not in FINAL:
            self._announcer.tell(RunChanged(run.id, run.message_id, status))
        for review_id, kind in await self._after(run):
            self._announcer.tell(ReviewReady(review_id, kind))
        if status in FINAL:
            self._on_end()
            await self._graph.forget(run.id)

    async def _after(self, run: Run) -> list[tuple[ReviewId, str]]:
        """The reviews that wait now. Uses a thread only when other runs have to be woken."""
        waiting = self._rows.pending(run)
        if waiting and self._rows.superseded(run.thread_id, run.id):
            await self._threads.run(self._rows.wake_superseded, run.thread_id, run.id)
        return waiting

    async def _retry(self, job: Job, run_id: RunId, error: ExpectedError) -> None:
        """Queues the run again after a temporary error."""
        wait_s = _wait_s(error, job.attempts)
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


def _wait_s(error: ExpectedError, attempts: int) -> float:
    """Seconds until a retry: short for a pause, long for a used-up cap, growing for other errors."""
    if isinstance(error, AgentsPaused):
        return IDLE_S
    return LONGEST_RETRY_S if isinstance(error, CapReached) else doubled_s(FIRST_RETRY_S, attempts, LONGEST_RETRY_S)
