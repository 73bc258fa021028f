"""Rows around runs: what a dead engine left open, which reviews wait, who is to be woken.

Synchronous; the runner calls it off the loop.
"""

import json
from collections.abc import Iterable
from uuid import uuid4

from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.errors import NotFound
from app.domain.ids import JobId, ReviewId, RunId, ThreadId
from app.engine.runtime.tables import Tables
from app.store.runs.runs import FINAL

WAKE = "wake"
"""Kind of the jobs that go on with a run after a decision."""
CLASSIFY = "classify"
"""Kind of the jobs that start a run on mail that sync found."""
AGENT_PROCESS = "agent_process"
"""Kind of the jobs that start a run of an agent profile, on mail that a rule sends there."""
ANSWER = "answer"
"""Kind of the jobs that start a run the user asked for: no pause and no indexing holds those back."""

KINDS = (WAKE, ANSWER, AGENT_PROCESS, CLASSIFY)
"""All of them, what the user waits for first: the first two also go on while nothing new may start."""


def kind_of(route: Route) -> str:
    """The kind of job that starts a run on this route."""
    return AGENT_PROCESS if route is Route.AGENT else CLASSIFY


class RunRepository:
    """Reads and writes runs, reviews and jobs for the runner."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def recover(self) -> None:
        """Queue every open run again, except those that wait on an undecided review. A decision that was not carried out yet has
        its job still: another one beside it would carry it out twice, at the price of a model call."""
        for run in self._tables.runs.open_runs():
            if run.status is RunStatus.QUEUED:
                if not self._woken(run.id):
                    self._requeue(run)
            elif not self.pending(run):
                self.wake(run.id, ReviewId(0))
            elif run.status is RunStatus.RUNNING:
                self._tables.runs.set_status(run.id, RunStatus.WAITING)

    def ended(self, ids: Iterable[RunId]) -> list[RunId]:
        """Those of `ids` whose runs have ended or are no more."""
        return [one for one in ids if self._has_ended(one)]

    def _has_ended(self, run_id: RunId) -> bool:
        return self._status(run_id) in (None, *FINAL)

    def _status(self, run_id: RunId) -> RunStatus | None:
        """As it is written, None where it is not."""
        try:
            return self._tables.runs.get(run_id).status
        except NotFound:
            return None

    def pending(self, run: Run) -> list[tuple[ReviewId, str]]:
        """The run's undecided reviews with their kinds."""
        return [(review_id, kind.value) for review_id, kind in self._tables.reviews.waiting_of(run.id)]

    def unwritten(self, run: Run, status: RunStatus, job_id: JobId) -> bool:
        """Whether the run's status or the end of its job is still to be written."""
        stays = run.status in FINAL or self._status(run.id) is status
        return not stays or self._tables.jobs.open(job_id)

    def superseded(self, thread_id: ThreadId, besides: RunId = RunId("")) -> list[Run]:
        """The thread's waiting runs that have nothing to wait for any more, but not the run `besides`."""
        return [one for one in self._tables.reviews.waiting_runs(thread_id) if one.id != besides and not self.pending(one)]

    def wake_superseded(self, thread_id: ThreadId, besides: RunId = RunId("")) -> None:
        """Wake them to end."""
        for other in self.superseded(thread_id, besides):
            self.wake(other.id, ReviewId(0))

    def wake(self, run_id: RunId, review_id: ReviewId) -> None:
        """Queue going on with a run; `review_id` 0 when it is not known which review changed. Each decision has a job of its own:
        one that is being worked off may not have seen it. It need not outlast a power cut: `recover` finds the run. Without a
        review nothing is queued where a job waits that knows more."""
        if not review_id and self._woken(run_id):
            return
        payload = json.dumps({"run_id": run_id, "review_id": review_id})
        self._tables.jobs.put(WAKE, f"{run_id}:{uuid4()}", payload, lasting=False)

    def hasten(self) -> None:
        """Whatever waits to be tried again is due now."""
        for kind in KINDS:
            self._tables.jobs.hasten(kind, "")

    def _woken(self, run_id: RunId) -> bool:
        """Whether a job waits already that goes on with the run; it is due now."""
        return self._tables.jobs.hasten(WAKE, f"{run_id}:")

    def _requeue(self, run: Run) -> None:
        """A queued run whose job may be missing."""
        try:
            date = self._tables.messages.get(run.message_id).date
        except NotFound:
            self._tables.runs.set_status(run.id, RunStatus.SUPERSEDED, "the mail is gone")
            return
        kind, key = (ANSWER, run.id) if run.answer else (kind_of(run.route), str(run.message_id))
        self._tables.jobs.put(kind, key, json.dumps({"run_id": run.id}), newest=date)
