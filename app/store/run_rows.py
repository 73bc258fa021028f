"""Rows of runs as domain objects; shared by the engine and the window. Reads only."""

import sqlite3

from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.domain.runs import Route, Run, RunStatus
from app.store.instants import from_ms
from app.store.step_rows import load_steps

_NEWEST = """SELECT * FROM runs WHERE seq IN (SELECT seq FROM runs ORDER BY created_at DESC, seq DESC LIMIT ?)
    ORDER BY created_at DESC, seq DESC"""

__all__ = ["load_runs", "load_steps", "run_of"]


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
        routed=row["routed"],
    )


def load_runs(connection: sqlite3.Connection, limit: int) -> tuple[Run, ...]:
    """Runs, newest first. No index knows their times: those are read through, and of the newest then the rest."""
    return tuple(run_of(row) for row in connection.execute(_NEWEST, (limit,)))
