"""Rows around runs: open runs of an earlier engine, waiting reviews, runs to wake. Synchronous, call it off the loop."""

import json
from collections.abc import Iterable
from uuid import uuid4

from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.errors import NotFound
from app.domain.ids import JobId, ReviewId, RunId, ThreadId
from app.engine.runtime.tables import Tables
from app.store.runs.runs import FINAL

WAKE = "wake"
"""Kind of the jobs that continue a run after a decision."""
CLASSIFY = "classify"
"""Kind of the jobs that start a run on mail that sync found."""
AGENT_PROCESS = "agent_process"
"""Kind of the jobs that start a run of an agent profile on mail that a rule sends there."""
ANSWER = "answer"
"""Kind of the jobs that start a run the user asked for. No pause and no indexing delays them."""

KINDS = (WAKE, ANSWER, AGENT_PROCESS, CLASSIFY)
"""All kinds in order of urgency. The first two also go on while nothing new may start."""


def kind_of(route: Route) -> str:
    """The kind of job that starts a run on this route."""
    return AGENT_PROCESS if route is Route.AGENT else CLASSIFY


class RunRepository:
    """Reads and writes runs, reviews and jobs for the runner."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def recover(self) -> None:
        """Queues every open run again, except those that wait for an undecided review.

        A decision that was not carried out yet still has its job. A second job would carry it out twice, at the price of a model
        call.
        """
        for run in self._tables.runs.open_runs():
            if run.status is RunStatus.QUEUED:
                if not self._woken(run.id):
                    self._requeue(run)
            elif not self.pending(run):
                self.wake(run.id, ReviewId(0))
            elif run.status is RunStatus.RUNNING:
                self._tables.runs.set_status(run.id, RunStatus.WAITING)

    def ended(self, ids: Iterable[RunId]) -> list[RunId]:
        """Those of `ids` whose runs have ended or no longer exist."""
        return [one for one in ids if self._status(one) in (None, *FINAL)]

    def _status(self, run_id: RunId) -> RunStatus | None:
        """The stored status, None if there is no row."""
        try:
            return self._tables.runs.get(run_id).status
        except NotFound:
            return None

    def pending(self, run: Run) -> list[tuple[ReviewId, str]]:
        """The run's undecided reviews with their kinds."""
        return [(review_id, kind.value) for review_id, kind in self._tables.reviews.waiting_of(run.thread_id, run.id)]

    def unwritten(self, run: Run, status: RunStatus, job_id: JobId) -> bool:
        """Whether the run's status or the end of its job is still to be written."""
        stays = run.status in FINAL or self._status(run.id) is status
        return not stays or self._tables.jobs.open(job_id)

    def superseded(self, thread_id: ThreadId, besides: RunId = RunId("")) -> list[Run]:
        """The conversation's waiting runs without a pending review, except the run `besides`."""
        return [one for one in self._tables.reviews.waiting_runs(thread_id) if one.id != besides and not self.pending(one)]

    def wake_superseded(self, thread_id: ThreadId, besides: RunId = RunId("")) -> None:
        """Wakes these runs so that they end."""
        for other in self.superseded(thread_id, besides):
            self.wake(other.id, ReviewId(0))

    def wake(self, run_id: RunId, review_id: ReviewId) -> None:
        """Queues a run to continue. `review_id` is 0 if it is unknown which review changed.

        Each decision has its own job, since one under way may not have seen it. The job need not survive a power failure, because
        `recover` finds the run. Without a review, nothing is queued where a job already waits.
        """
        if not review_id and self._woken(run_id):
            return
        payload = json.dumps({"run_id": run_id, "review_id": review_id})
        self._tables.jobs.put(WAKE, f"{run_id}:{uuid4()}", payload, lasting=False)

    def run_now(self) -> None:
        """Makes all jobs that wait for a retry due now."""
        for kind in KINDS:
            self._tables.jobs.run_now(kind, "")

    def _woken(self, run_id: RunId) -> bool:
        """Whether a job that continues the run already waits. It becomes due now."""
        return self._tables.jobs.run_now(WAKE, f"{run_id}:")

    def _requeue(self, run: Run) -> None:
        """Queues the job of a queued run, which may be missing."""
        try:
            date = self._tables.messages.get(run.message_id).date
        except NotFound:
            self._tables.runs.set_status(run.id, RunStatus.SUPERSEDED, "the mail is gone")
            return
        kind, key = (ANSWER, run.id) if run.answer else (kind_of(run.route), str(run.message_id))
        self._tables.jobs.put(kind, key, json.dumps({"run_id": run.id}), newest=date)
