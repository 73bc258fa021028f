"""Runs of the mail graph, their steps, tool calls and events."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from app.domain.agents.runs import AGAIN, Run, RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import JobId, MessageId, RunId
from app.domain.record import Record, asdict, replace
from app.store.db.codecs import pack_strings, storable
from app.store.db.jobs import finish_row, place_of, put_row
from app.store.db.records import insert_row, record
from app.store.db.times import to_ms
from app.store.mail.thread_summary import write_verdict
from app.store.runs.model_calls import ModelCalls

_STEPS = "SELECT * FROM run_steps WHERE run_id = ? ORDER BY seq"


def run_name(message_id: MessageId, which: str) -> RunId:
    """The id of a run of a message; `which` distinguishes it from the message's other runs."""
    return RunId(f"mail-{message_id}-{which}")


_PASSED_OVER = "SELECT seq FROM run_steps WHERE run_id = ? AND error <> '' AND output_state = '{}' ORDER BY seq"


def _placed(connection: sqlite3.Connection, steps: Sequence[StepLog]) -> list[StepLog]:
    """The steps of one run at their places: behind every failed attempt of their node and of those before."""
    found = connection.execute(_PASSED_OVER, (steps[0].run_id,)) if steps else ()
    orders = [row["seq"] - before for before, row in enumerate(found)]
    placed = []
    for one in steps:
        placed.append(replace(one, step_order=one.step_order + sum(order <= one.step_order for order in orders)))
        if one.passed_over:
            orders.append(one.step_order)
    return placed


def write_steps(connection: sqlite3.Connection, steps: Sequence[StepLog]) -> None:
    """Writes steps of a run. A node that ran again has one row, but its failed attempts stay."""
    for one in _placed(connection, steps):
        row = {"seq": one.step_order, **asdict(one)}
        del row["step_order"]
        insert_row(connection, "run_steps", row, "INSERT OR REPLACE")


def load_steps(connection: sqlite3.Connection, run_id: RunId) -> tuple[StepLog, ...]:
    """The steps of a run in order. A row without its input follows on from what the steps before left."""
    steps, state = [], dict[str, Any]()
    for row in connection.execute(_STEPS, (run_id,)):
        given = row["input_state"] or json.dumps(state, ensure_ascii=False)
        state = {**json.loads(given), **json.loads(row["output_state"])}
        steps.append(record(StepLog, row, step_order=row["seq"], input_state=given))
    return tuple(steps)


_NEWEST = """SELECT *, status = 'done' AND EXISTS (SELECT 1 FROM reviews INDEXED BY reviews_thread
        WHERE reviews.thread_id = runs.thread_id AND run_id = runs.id AND reviews.status = 'pending') AS reopened
    FROM runs ORDER BY created_at DESC, id DESC LIMIT ?"""
"""`reopened`: its decision was undone, so it waits again."""


def load_run(connection: sqlite3.Connection, run_id: RunId) -> Run | None:
    row = connection.execute(_GET, (run_id,)).fetchone()
    return None if row is None else record(Run, row)


def load_runs(connection: sqlite3.Connection, limit: int = 500) -> tuple[Run, ...]:
    """Runs newest first."""
    found = ((record(Run, row), row["reopened"]) for row in connection.execute(_NEWEST, (limit,)))
    return tuple(replace(run, status=RunStatus.WAITING) if reopened else run for run, reopened in found)


_NOTE = """INSERT INTO email_events (message_id, id, run_id, kind, detail, at)
    SELECT :message, coalesce(max(id), 0) + 1, :run, :kind, :detail, :at FROM email_events WHERE message_id = :message"""
_KNOWN = "SELECT 1 FROM email_events WHERE message_id = ? AND run_id = ? AND kind = ?"


def note_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str, detail: str, at_ms: int) -> None:
    """Appends to a message's history. `detail` is JSON text; `run_id` is empty without a run."""
    values = {"message": message_id, "run": run_id, "kind": kind, "detail": storable(detail), "at": at_ms}
    connection.execute(_NOTE, values)


def has_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str) -> bool:
    return connection.execute(_KNOWN, (message_id, run_id, kind)).fetchone() is not None


_PLACE = "SELECT coalesce(max(seq), 0) + 1 FROM tool_calls WHERE run_id = ? HAVING NOT coalesce(max(call_id = ?), 0)"
_CALL = "SELECT * FROM tool_calls WHERE run_id = ? AND call_id = ?"


def write_tools(connection: sqlite3.Connection, tools: Sequence[ToolExecution]) -> None:
    """Writes tool calls that have no row yet."""
    for one in tools:
        place = connection.execute(_PLACE, (one.run_id, one.call_id)).fetchone()
        if place is not None:
            insert_row(connection, "tool_calls", {"seq": place[0], **asdict(one)})


def load_tool(connection: sqlite3.Connection, run_id: RunId, call_id: str) -> ToolExecution | None:
    """The stored result of a tool call, None when it has not run."""
    row = connection.execute(_CALL, (run_id, call_id)).fetchone()
    return None if row is None else record(ToolExecution, row)


FINAL = (RunStatus.DONE, RunStatus.NEEDS_REVIEW, RunStatus.FAILED, RunStatus.SUPERSEDED)
"""Statuses of runs that have ended. Only a decision on its review takes a run out of one."""

_START = """INSERT OR IGNORE INTO runs (id, account_id, message_id, thread_id, route, rule, profile, status, graph_version,
    created_at, updated_at, answer, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_STATUS = """UPDATE runs SET status = ?, error = '', updated_at = ? WHERE id = ? AND status <> ?
    AND status NOT IN ('done', 'needs_review', 'failed', 'superseded')"""


def write_trail(connection: sqlite3.Connection, trail: RunRecord, now_ms: int) -> None:
    """Writes everything a stretch of a run left, inside the caller's transaction.

    Raises `NotFound` when its message or the run itself is gone.
    """
    if trail.verdict is not None:
        write_verdict(connection, *trail.verdict)
    if trail.run is not None:
        insert_run(connection, trail.run)
    if (trail.tools or trail.steps) and not connection.execute("SELECT 1 FROM runs WHERE id = ?", (trail.run_id,)).fetchone():
        raise NotFound(f"There is no run {trail.run_id}.")
    if trail.route is not None:
        connection.execute("UPDATE runs SET route = ? WHERE id = ?", (trail.route, trail.run_id))
    write_tools(connection, trail.tools)
    write_steps(connection, trail.steps)
    if trail.status is not None:
        connection.execute(_STATUS, (trail.status, now_ms, trail.run_id, trail.status))
    if trail.ask_again:
        put_row(connection, ASK_AGAIN, trail.run_id, "", now_ms, now_ms + FIRST_REPEAT_MS * 4 ** trail.run_id.count(AGAIN))
    if trail.job:
        finish_row(connection, trail.job)


_MOVE = "UPDATE runs SET status = ?, error = '', updated_at = ? WHERE id = ? AND status IN (SELECT value FROM json_each(?))"


def move_run(connection: sqlite3.Connection, run_id: RunId, before: Sequence[RunStatus], after: RunStatus, now_ms: int) -> None:
    """Changes the status of a run that has ended, as a decision on its review asks. Does nothing in other statuses."""
    connection.execute(_MOVE, (after, now_ms, run_id, pack_strings(before)))


ASK_AGAIN = "ask_again"
"""Kind of the jobs that repeat a run whose model gave no answer; the key is the run's id."""
FIRST_REPEAT_MS = 60_000
"""Wait before the first repetition. Each further one waits four times as long."""


def insert_run(connection: sqlite3.Connection, run: Run) -> bool:
    """Inserts a run, with the event of its routing. Returns whether it was new."""
    created = to_ms(run.created_at)
    identity = (run.id, run.account_id, run.message_id, run.thread_id)
    how = (run.route, run.rule, run.profile, run.status, run.graph_version)
    if not connection.execute(_START, (*identity, *how, created, created, run.answer, run.error)).rowcount:
        return False
    if run.routed:
        note_event(connection, run.message_id, run.id, "routed", run.routed, created)
    return True


__all__ = ["FINAL", "RunStart", "Runs"]

# There is no index by status, because it changes with every commit of a run. Open runs are read once, at start.
_OPEN = "SELECT * FROM runs WHERE status IN ('queued', 'running', 'waiting') ORDER BY created_at, id"
_GET = "SELECT * FROM runs WHERE id = ?"
_SET = """UPDATE runs SET status = ?, error = ?, updated_at = ?
    WHERE id = ? AND (status = ? OR status NOT IN (SELECT value FROM json_each(?)))"""
_OF_MAIL = "SELECT * FROM runs WHERE message_id = ? ORDER BY created_at DESC, id DESC"


class RunStart(Record):
    """A run to queue, with the job that starts it (`kind`, `key`).

    `newest_ms` is the mail's date in Unix milliseconds. `done` is a job that is finished with it, empty for none.
    """

    run: Run
    kind: str
    key: str
    payload_json: str
    newest_ms: int
    done: JobId = JobId("")


_UNDER_WAY = """UPDATE runs SET status = ?, updated_at = ? WHERE id = ? AND status = ?
    AND EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ?)"""


class Runs(ModelCalls):
    """The table `runs` and the logs of runs."""

    def queue(self, start: RunStart) -> None:
        """Inserts a run and its job in one transaction, and finishes the job `start.done`. A known run queues no job.

        With `start.done` the transaction need not survive a power cut, because then that job comes back.
        """
        with self._db.transaction(work_only=True, lasting=not start.done) as connection:
            new = insert_run(connection, start.run)
            if new:
                put_row(connection, start.kind, start.key, storable(start.payload_json), start.newest_ms)
            if start.done:
                finish_row(connection, start.done)

    def set_status(self, run_id: RunId, status: RunStatus, error: str = "") -> None:
        """Changes a run's status. Raises `NotAllowed` when it has another final status, and `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            changed = connection.execute(
                _SET, (status, storable(error), to_ms(self._clock()), run_id, status, pack_strings(FINAL))
            ).rowcount
        if not changed:
            raise NotAllowed(f"Run {run_id} is {self.get(run_id).status} and cannot become {status}.")

    def show_running(self, run: Run, job: JobId) -> bool:
        """Marks a run as running for `job` and inserts it if it is not stored yet.

        Returns False when the job is gone, which means that this part of the run has ended, or when the status changed meanwhile.
        """
        if run.status in FINAL:
            return False
        with self._db.transaction(work_only=True, lasting=False) as connection:
            if connection.execute("SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ?", place_of(job)).fetchone():
                insert_run(connection, run)
            told = (RunStatus.RUNNING, to_ms(self._clock()), run.id, run.status, *place_of(job))
            return connection.execute(_UNDER_WAY, told).rowcount == 1

    def get(self, run_id: RunId) -> Run:
        """Raises `NotFound`."""
        found = self._db.load(load_run, run_id)
        if found is None:
            raise NotFound(f"There is no run {run_id}.")
        return found

    def open_runs(self) -> tuple[Run, ...]:
        """Runs without a final status, oldest first."""
        rows = self._db.read(_OPEN)
        return tuple(record(Run, row) for row in rows)

    def by_message(self, message_id: MessageId) -> tuple[Run, ...]:
        """A message's runs, newest first."""
        rows = self._db.read(_OF_MAIL, (message_id,))
        return tuple(record(Run, row) for row in rows)

    def keep(self, trail: RunRecord) -> None:
        """Writes what a stretch of a run left, in one transaction.

        A step of the same order is replaced, a stored tool call stays, and a final status stays. Raises `NotFound` when the
        message of its verdict is gone. A record that ends a stretch without tool calls need not survive a power cut: its job
        comes back and runs again.
        """
        with self._db.transaction(work_only=True, lasting=trail.status is None or bool(trail.tools)) as connection:
            write_trail(connection, trail, to_ms(self._clock()))

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        return self._db.load(load_steps, run_id)

    def tool(self, execution: ToolExecution) -> None:
        """Inserts a tool call once per run and call id."""
        self.keep(RunRecord(execution.run_id, tools=(execution,)))

    def tool_result(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        return self._db.load(load_tool, run_id, call_id)
