"""Rows of runs and their node logs as domain objects; shared by the engine and the window. Reads only."""

import sqlite3

from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.domain.runs import Route, Run, RunStatus, StepLog
from app.store.instants import from_ms


def run_of(row: sqlite3.Row) -> Run:
    """A `runs` row."""
    return Run(
        id=RunId(row["id"]),
        account_id=AccountId(row["account_id"]),
        message_id=MessageId(row["message_id"]),
        thread_id=ThreadId(row["thread_id"]),
        route=Route(row["route"]),
        rule=row["rule"],
        profile=row["profile"],
        status=RunStatus(row["status"]),
        graph_version=row["graph_version"],
        created_at=from_ms(row["created_at"]),
        answer=bool(row["answer"]),
        error=row["error"],
    )


def load_runs(connection: sqlite3.Connection, limit: int) -> tuple[Run, ...]:
    """Runs, newest first."""
    rows = connection.execute("SELECT * FROM runs ORDER BY created_at DESC, rowid DESC LIMIT ?", (limit,))
    return tuple(run_of(row) for row in rows)


def load_steps(connection: sqlite3.Connection, run_id: RunId) -> tuple[StepLog, ...]:
    """A run's node log in order."""
    rows = connection.execute("SELECT * FROM agent_logs WHERE trace_id = ? ORDER BY step_order", (run_id,))
    return tuple(_step(row) for row in rows)


def _step(row: sqlite3.Row) -> StepLog:
    """An `agent_logs` row."""
    return StepLog(
        run_id=RunId(row["trace_id"]),
        step_name=row["step_name"],
        step_order=row["step_order"],
        input_state=row["input_state"],
        output_state=row["output_state"],
        latency_ms=row["latency_ms"],
        error=row["error"],
        at=from_ms(row["at"]),
    )
