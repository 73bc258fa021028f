"""Runs of the mail graph and the trace they leave: node logs, model calls, tool calls, agent results, mail events.

Implements `Journal`. Refuses to move a run that is final.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import NotFound, Refused
from app.domain.ids import JobId, MessageId, RunId, ThreadId
from app.domain.runs import Run, RunStatus, StepLog, ToolExecution, Trail
from app.store.event_rows import note_event
from app.store.instants import from_ms, to_ms
from app.store.job_rows import finish_row, place_of, put_row
from app.store.model_calls import ModelCalls
from app.store.packing import pack_strings, storable
from app.store.run_rows import run_of
from app.store.step_rows import load_steps
from app.store.trails import FINAL, write_trail

__all__ = ["FINAL", "MailEvent", "Runs", "Start"]

_START = """INSERT INTO runs (id, account_id, message_id, thread_id, route, rule, profile, status, graph_version, created_at,
    updated_at, answer, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"""

# No index knows a run's status: it changes with every commit of a run. Open runs are asked for once, at start.
_OPEN = "SELECT * FROM runs WHERE status IN ('queued', 'running', 'waiting') ORDER BY created_at, seq"
_WAITING = """SELECT * FROM runs WHERE id IN (SELECT run_id FROM reviews WHERE thread_id = ?) AND status = 'waiting'
    ORDER BY created_at, seq"""


@dataclass(frozen=True, slots=True)
class Start:
    """A run as it is queued: the job that starts it (`kind`, `key`), the mail's date in Unix milliseconds, the event's JSON, and
    the job that is worked off with it, empty for none."""

    run: Run
    kind: str
    key: str
    payload_json: str
    newest_ms: int
    detail_json: str
    done: JobId = JobId("")


@dataclass(frozen=True, slots=True)
class MailEvent:
    """An `email_events` row; `detail_json` is JSON text with ids, no mail."""

    message_id: MessageId
    run_id: RunId
    kind: str
    detail_json: str
    at: datetime


_UNDER_WAY = """UPDATE runs SET status = ?, updated_at = ? WHERE id = ? AND status = ?
    AND EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ?)"""


class Runs(ModelCalls):
    """The runs table and the journal."""

    def start(self, run: Run) -> None:
        """Insert a run; the same id again changes nothing."""
        with self._db.transaction(work_only=True) as connection:
            _insert(connection, run)

    def queue(self, start: Start) -> None:
        """Insert a run with its job and its event, in one commit; the same run again changes nothing but the done job. With a
        done job it need not outlast a power cut, which brings that job back."""
        run = start.run
        with self._db.transaction(work_only=True, lasting=not start.done) as connection:
            if _insert(connection, run):
                put_row(connection, start.kind, start.key, storable(start.payload_json), start.newest_ms)
                now = to_ms(self._clock())
                note_event(connection, run.message_id, run.id, "routed", start.detail_json, now)
            if start.done:
                finish_row(connection, start.done)

    def set_status(self, run_id: RunId, status: RunStatus, error: str = "") -> None:
        """Move a run. Raises `Refused` when it is final already (its own status again is fine), `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            changed = connection.execute(
                """UPDATE runs SET status = ?, error = ?, updated_at = ?
                    WHERE id = ? AND (status = ? OR status NOT IN (SELECT value FROM json_each(?)))""",
                (status, storable(error), to_ms(self._clock()), run_id, status, pack_strings(FINAL)),
            ).rowcount
        if not changed:
            raise Refused(f"Run {run_id} is {self.get(run_id).status} and cannot become {status}.")

    def show_running(self, run: Run, job: JobId) -> bool:
        """Say that a stretch of `run` is under way for `job`; whether it still was: the end of one ends its job with it."""
        with self._db.transaction(work_only=True, lasting=False) as connection:
            told = (RunStatus.RUNNING, to_ms(self._clock()), run.id, run.status, *place_of(job))
            return connection.execute(_UNDER_WAY, told).rowcount == 1

    def get(self, run_id: RunId) -> Run:
        """One run. Raises `NotFound`."""
        rows = self._db.read("SELECT * FROM runs WHERE id = ?", (run_id,))
        if not rows:
            raise NotFound(f"There is no run {run_id}.")
        return run_of(rows[0])

    def open_runs(self) -> tuple[Run, ...]:
        """Runs that are not final, oldest first."""
        rows = self._db.read(_OPEN)
        return tuple(run_of(row) for row in rows)

    def waiting_in(self, thread_id: ThreadId) -> tuple[Run, ...]:
        """A thread's runs that wait for a review, oldest first."""
        return tuple(run_of(row) for row in self._db.read(_WAITING, (thread_id,)))

    def by_message(self, message_id: MessageId) -> tuple[Run, ...]:
        """A message's runs, newest first."""
        rows = self._db.read("SELECT * FROM runs WHERE message_id = ? ORDER BY created_at DESC, seq DESC", (message_id,))
        return tuple(run_of(row) for row in rows)

    def event(self, message_id: MessageId, run_id: RunId | None, kind: str, detail_json: str) -> None:
        """Append to a message's history."""
        with self._db.transaction(work_only=True) as connection:
            note_event(connection, message_id, run_id or RunId(""), kind, detail_json, to_ms(self._clock()))

    def events(self, message_id: MessageId) -> tuple[MailEvent, ...]:
        """A message's history, oldest first."""
        rows = self._db.read(
            "SELECT message_id, run_id, kind, detail, at FROM email_events WHERE message_id = ? ORDER BY id", (message_id,)
        )
        return tuple(MailEvent(row[0], row[1], row[2], row[3], from_ms(row[4])) for row in rows)

    def step(self, log: StepLog) -> None:
        """Append one `agent_logs` row."""
        self.keep(Trail(log.run_id, (log,)))

    def keep(self, trail: Trail) -> None:
        """Write a trail, all or none. The same run and order again replaces a node's row; a tool's first word stands; a run that
        has ended keeps its status. Raises `NotFound` when the mail of its verdict is gone.

        The end of a stretch that called no tool need not outlast a power cut: its job comes back and it is run again."""
        with self._db.transaction(work_only=True, lasting=trail.status is None or bool(trail.tools)) as connection:
            write_trail(connection, trail, to_ms(self._clock()))

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        """A run's node log in order."""
        with self._db.reading() as connection:
            return load_steps(connection, run_id)

    def tool(self, execution: ToolExecution) -> None:
        """Insert a `tool_executions` row once per run and call id; the first word stands."""
        self.keep(Trail(execution.run_id, tools=(execution,)))

    def tool_result(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        """What a tool call of a run returned, None when it has not run."""
        rows = self._db.read("SELECT * FROM tool_executions WHERE run_id = ? AND call_id = ?", (run_id, call_id))
        return next((_execution(row) for row in rows), None)


def _insert(connection: sqlite3.Connection, run: Run) -> bool:
    """Insert a run; whether it was new."""
    created = to_ms(run.created_at)
    identity = (run.id, run.account_id, run.message_id, run.thread_id)
    how = (run.route, run.rule, run.profile, run.status, run.graph_version)
    return connection.execute(_START, (*identity, *how, created, created, run.answer, run.error)).rowcount == 1


def _execution(row: sqlite3.Row) -> ToolExecution:
    """A `tool_executions` row."""
    return ToolExecution(
        RunId(row["run_id"]),
        row["call_id"],
        row["tool"],
        row["arguments"],
        row["result"],
        row["error"],
        row["latency_ms"],
        from_ms(row["at"]),
    )
