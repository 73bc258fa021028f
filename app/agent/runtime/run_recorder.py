"""Collects the rows of runs and writes them together: with a review, before a checkpoint, and at the end of a stretch.

A crash loses only the rows of nodes that will run again. Also encodes the fields of step logs as JSON.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from app.domain.agents.runs import Run, RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.drafting.review import Proposal
from app.domain.ids import AccountId, JobId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Message
from app.domain.mail.triage import Triage
from app.domain.record import replace
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs

Told = Callable[[AccountId, ThreadId], None]
RowOf = Callable[[ReviewId, int], StepLog]
"""Makes the row of the node that opens a review, once the review's id and revision are known."""


class RunRecorder:
    """Rows by run. `told` is called with the thread of a mail whose verdict was just written.

    Call it from the event loop's thread only.
    """

    def __init__(self, journal: Runs, desk: Reviews, told: Told | None = None) -> None:
        self._journal, self._reviews, self._on_verdict = journal, desk, told
        self._records: dict[RunId, RunRecord] = {}
        self._verdict_threads: dict[RunId, tuple[AccountId, ThreadId]] = {}

    def begin(self, run_id: RunId, job: JobId, run: Run | None = None) -> None:
        """Starts a stretch. `job` is closed by the write that leaves the run waiting or ended. `run` is one not stored yet."""
        self._records[run_id] = RunRecord(run_id, job=job, run=run)

    def note(self, row: StepLog) -> None:
        record = self._record_of(row.run_id)
        self._records[row.run_id] = replace(record, steps=(*record.steps, row))

    def tool(self, execution: ToolExecution) -> None:
        """Adds a tool call that may safely run again: it read, or wrote nothing lasting."""
        record = self._record_of(execution.run_id)
        self._records[execution.run_id] = replace(record, tools=(*record.tools, execution))

    def change(self, run_id: RunId, **fields: Any) -> None:
        """Sets fields of the run: the agent that it came to (`route`), whether its model is asked again later (`ask_again`)."""
        self._records[run_id] = replace(self._record_of(run_id), **fields)

    def verdict(self, run_id: RunId, message: Message, triage: Triage) -> None:
        self.change(run_id, verdict=(message.id, triage))
        self._verdict_threads[run_id] = (message.account_id, message.thread_id)

    async def open_review(self, proposal: Proposal, key: str, again: ReviewId, row: RowOf, *, waits: bool) -> None:
        """Opens a review under `key`, or revises review `again`, and writes all collected rows with it.

        `waits`: the run waits from then on.
        """
        trail = self._record_of(proposal.run_id)
        ended = replace(trail, status=RunStatus.WAITING) if waits else replace(trail, job=JobId(""))

        def full(review_id: ReviewId, revision: int) -> RunRecord:
            return replace(ended, steps=(*ended.steps, row(review_id, revision)))

        if again:
            await asyncio.to_thread(self._reviews.revise, again, proposal, full)
        else:
            await asyncio.to_thread(self._reviews.open, proposal, key, full)
        self._written(trail, job=JobId("") if waits else trail.job)

    async def write(self, run_id: RunId, status: RunStatus | None = None) -> None:
        """Writes all collected rows. With a `status` the stretch has ended and its job is closed too."""
        trail = self._record_of(run_id)
        full = replace(trail, status=status if trail.job else None) if status else replace(trail, job=JobId(""))
        if full.empty:
            return  # the run itself stays for the first write that has something
        await asyncio.to_thread(self._journal.keep, full)
        self._written(trail, job=JobId("") if status else trail.job)

    def drop(self, run_id: RunId) -> None:
        """Ends the stretch and discards unwritten rows."""
        self._records.pop(run_id, None)
        self._verdict_threads.pop(run_id, None)

    def _record_of(self, run_id: RunId) -> RunRecord:
        return self._records.get(run_id) or RunRecord(run_id)

    def _written(self, trail: RunRecord, job: JobId) -> None:
        """Clears the written rows and reports the verdict."""
        self._records[trail.run_id] = RunRecord(trail.run_id, job=job)
        judged = self._verdict_threads.pop(trail.run_id, None) if trail.verdict is not None else None
        if judged is not None and self._on_verdict is not None:
            self._on_verdict(*judged)


def dumped(fields: Mapping[str, Any]) -> str:
    try:
        return msgspec.json.encode(fields).decode()
    except UnicodeEncodeError:
        return json.dumps(fields, ensure_ascii=False)


def loaded(text: str) -> dict[str, Any]:
    """Decodes fields from JSON. Raises `ValueError` for anything but a JSON object."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError):
        found: object = json.loads(text)
        if not isinstance(found, dict):
            raise json.JSONDecodeError("This is no object", text, 0) from None
        return found
