"""The trail of a run, written inside a transaction that the caller owns: one write in place of one for each node and tool.

Refuses to move a run that has ended: its status stays, the rest is written.
"""

import sqlite3

from app.domain.errors import NotFound
from app.domain.ids import MessageId, ThreadId
from app.domain.runs import Run, RunStatus, Trail
from app.domain.triage import Triage
from app.store.instants import to_ms
from app.store.job_rows import finish_row
from app.store.packing import storable
from app.store.run_places import free_seq, is_run, seq_of
from app.store.step_rows import write_steps
from app.store.thread_summary import refresh
from app.store.tool_rows import write_tools

FINAL = (RunStatus.DONE, RunStatus.NEEDS_REVIEW, RunStatus.FAILED, RunStatus.SUPERSEDED)
"""Statuses a run does not leave."""

_START = """INSERT INTO runs (seq, id, account_id, message_id, thread_id, route, rule, profile, status, graph_version,
    created_at, updated_at, answer, error, routed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_STATUS = """UPDATE runs SET status = ?, error = '', updated_at = ? WHERE {run} AND status <> ?
    AND status NOT IN ('done', 'needs_review', 'failed', 'superseded')"""


def write_trail(connection: sqlite3.Connection, trail: Trail, now_ms: int) -> None:
    """Everything of it. Raises `NotFound` when the mail of its verdict is gone."""
    if trail.verdict is not None:
        write_verdict(connection, *trail.verdict)
    if trail.run is not None:
        insert_run(connection, trail.run)
    write_tools(connection, trail.tools)
    write_steps(connection, trail.steps)
    if trail.status is not None:
        condition, args = is_run(trail.run_id)
        connection.execute(_STATUS.format(run=condition), (trail.status, now_ms, *args, trail.status))
    if trail.job:
        finish_row(connection, trail.job)


def insert_run(connection: sqlite3.Connection, run: Run) -> bool:
    """Insert a run; whether it was new."""
    if seq_of(connection, run.id) is not None:
        return False
    created = to_ms(run.created_at)
    identity = (free_seq(connection, run), run.id, run.account_id, run.message_id, run.thread_id)
    how = (run.route, run.rule, run.profile, run.status, run.graph_version)
    connection.execute(_START, (*identity, *how, created, created, run.answer, run.error, storable(run.routed)))
    return True


def write_verdict(connection: sqlite3.Connection, message_id: MessageId, triage: Triage) -> ThreadId:
    """Note what triage said; the thread whose row shows it. Raises `NotFound`."""
    changed = connection.execute(
        """UPDATE messages SET decision = ?, category = ?, confidence = ?, reason = ?, maker = ? WHERE id = ?
            RETURNING thread_id""",
        (triage.decision, triage.category, triage.confidence, storable(triage.reason), triage.maker, message_id),
    ).fetchall()
    if not changed:
        raise NotFound(f"There is no message {message_id}.")
    thread_id = ThreadId(changed[0][0])
    refresh(connection, (thread_id,))
    return thread_id
