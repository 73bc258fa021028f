"""The trail of a run, written inside a transaction that the caller owns: one write in place of one for each node and tool.

Refuses to move a run that has ended: its status stays, the rest is written.
"""

import sqlite3

from app.domain.errors import NotFound
from app.domain.ids import MessageId, ThreadId
from app.domain.runs import RunStatus, ToolExecution, Trail
from app.domain.triage import Triage
from app.store.instants import to_ms
from app.store.job_rows import finish_row
from app.store.packing import storable
from app.store.step_rows import write_steps
from app.store.thread_summary import refresh

FINAL = (RunStatus.DONE, RunStatus.NEEDS_REVIEW, RunStatus.FAILED, RunStatus.SUPERSEDED)
"""Statuses a run does not leave."""

_TOOL = """INSERT OR IGNORE INTO tool_executions (run_id, call_id, tool, arguments, result, error, latency_ms, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_STATUS = """UPDATE runs SET status = ?1, error = '', updated_at = ?2
    WHERE id = ?3 AND status <> ?1 AND status NOT IN ('done', 'needs_review', 'failed', 'superseded')"""


def write_trail(connection: sqlite3.Connection, trail: Trail, now_ms: int) -> None:
    """Everything of it. Raises `NotFound` when the mail of its verdict is gone."""
    if trail.verdict is not None:
        write_verdict(connection, *trail.verdict)
    write_steps(connection, trail.steps)
    connection.executemany(_TOOL, [_tool(one) for one in trail.tools])
    if trail.status is not None:
        connection.execute(_STATUS, (trail.status, now_ms, trail.run_id))
    if trail.job:
        finish_row(connection, trail.job)


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


def _tool(one: ToolExecution) -> tuple[object, ...]:
    """The columns of a `tool_executions` row."""
    said = (storable(one.arguments), storable(one.result), storable(one.error))
    return (one.run_id, one.call_id, one.tool, *said, one.latency_ms, to_ms(one.at))
