"""The audit: one row for each tool call, agents' results, and the export of all that agents did as JSON lines.

Audit rows hold hashes and codes. The export also contains arguments and results of tools and what each node read and wrote,
with the texts behind the ids of its state: mail, sources, drafts. A text that was deleted since is null.
"""

import json
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from app.domain.agents.runs import AgentRun, AgentStatus, CallAudit, ModelCall, ToolExecution, TraceStep
from app.domain.ids import MessageId, RunId
from app.store.db.codecs import storable
from app.store.db.database import Database, Table
from app.store.db.records import record
from app.store.db.schema import RUN_SNAPSHOTS
from app.store.db.times import from_ms, to_ms
from app.store.runs.model_calls import load_run_calls
from app.store.runs.runs import has_event, load_steps, note_event

_RUN_TOOLS = "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY seq"


def load_snapshots(connection: sqlite3.Connection, run_id: RunId) -> list[dict[str, Any]]:
    """One record a step, as in the view `agent_log_snapshots`: the whole state it read and the fields it changed."""
    states = ("input_state", "output_state")
    rows = (dict(row) for row in connection.execute(" ".join((RUN_SNAPSHOTS, "ORDER BY s.seq")), {"run": run_id}))
    return [row | {name: json.loads(row[name]) for name in states} for row in rows]


def load_trace(connection: sqlite3.Connection, run_id: RunId) -> tuple[TraceStep, ...]:
    """The steps of a run in order, each with the calls that ended by its end and after the step before."""
    steps = load_steps(connection, run_id)
    if not steps:
        return ()
    ends = [step.at for step in steps]
    began = ends[0] - timedelta(milliseconds=steps[0].latency_ms + 1)
    tools: dict[int, list[ToolExecution]] = defaultdict(list)
    for row in connection.execute(_RUN_TOOLS, (run_id,)):
        call = record(ToolExecution, row)
        tools[min(bisect_left(ends, call.at), len(ends) - 1)].append(call)
    models: dict[int, list[ModelCall]] = defaultdict(list)
    for asked in load_run_calls(connection, run_id, began, ends[-1]):
        models[min(bisect_left(ends, asked.at), len(ends) - 1)].append(asked)
    states = zip(steps, load_snapshots(connection, run_id), strict=True)
    return tuple(
        TraceStep(step, found["input_state"], found["output_state"], tuple(tools[at]), tuple(models[at]))
        for at, (step, found) in enumerate(states)
    )


_NOTE = """INSERT INTO tool_audit (run_id, call_id, tool, effect, arguments_hash, verdict, why, flags, outcome, approved_by,
        approved_at, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_id, call_id) DO UPDATE SET arguments_hash = excluded.arguments_hash, verdict = excluded.verdict,
        why = excluded.why, flags = excluded.flags, outcome = excluded.outcome, approved_by = excluded.approved_by,
        approved_at = excluded.approved_at, at = excluded.at WHERE outcome = 'waiting'"""
_SENDS = """SELECT count(*) FROM tool_audit WHERE effect = 'send' AND outcome = 'ran' AND at > ?"""

_BEGIN = """INSERT OR IGNORE INTO agent_runs (run_id, profile, status, tool_calls_log, final_message, iterations, error, at)
    VALUES (?, ?, ?, '[]', '', 0, '', ?)"""
_FINISH = """INSERT OR REPLACE INTO agent_runs (run_id, profile, status, tool_calls_log, final_message, iterations, error, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_EVENT = "agent_run"

_EXPORTS = (
    ("run", "SELECT * FROM runs WHERE updated_at >= ? ORDER BY created_at, id"),
    ("agent_run", "SELECT * FROM agent_runs WHERE at >= ? ORDER BY at, run_id"),
    ("llm_call", "SELECT * FROM llm_calls WHERE at >= ? ORDER BY at, id"),
    ("tool_call", "SELECT * FROM tool_calls WHERE at >= ? ORDER BY at, run_id, seq"),
    ("tool_audit", "SELECT * FROM tool_audit WHERE at >= ? ORDER BY at, id"),
    ("email_event", "SELECT * FROM email_events WHERE at >= ? ORDER BY at, message_id, id"),
)
_JSON_COLUMNS = frozenset({"tool_calls_log", "mails", "people", "detail", "arguments", "result"})
_TIMES = frozenset({"at", "approved_at", "created_at", "updated_at"})


class AuditTable(Table):
    """The tables `tool_audit` and `agent_runs`."""

    def note(self, row: CallAudit) -> None:
        """Writes a tool call. A row that waited is completed; a completed row stays."""
        flags = ",".join(one.value for one in row.flags)
        effect = row.effect.value if row.effect else ""
        approved_at = to_ms(row.approved_at) if row.approved_at else None
        what = (row.run_id, row.call_id, row.tool, effect, row.arguments_hash, row.verdict, row.why, flags, row.outcome)
        self._db.write(_NOTE, (*what, row.approved_by, approved_at, to_ms(row.at)))

    def begin(self, run_id: RunId, profile: str) -> None:
        """Stores that a profile's run goes on. Does nothing when it is stored already."""
        values = (run_id, profile, AgentStatus.RUNNING, to_ms(self._clock()))
        self._db.write(_BEGIN, values, work_only=True)

    def begun(self, run_id: RunId) -> bool:
        return bool(self._db.read("SELECT 1 FROM agent_runs WHERE run_id = ?", (run_id,)))

    def finish(self, run: AgentRun, message_id: MessageId) -> None:
        """Writes an agent's result and one event of its message in one transaction. A second call replaces only the result."""
        now = to_ms(self._clock())
        result = (run.profile, run.status.value, storable(run.tool_calls_log), storable(run.final_message))
        told = {
            "profile": run.profile,
            "status": run.status.value,
            "iterations": run.iterations,
            "tool_calls": len(run.tool_calls),
        }
        with self._db.transaction(work_only=True) as connection:
            connection.execute(_FINISH, (run.run_id, *result, run.iterations, storable(run.error), now))
            if not has_event(connection, message_id, run.run_id, _EVENT):
                note_event(connection, message_id, run.run_id, _EVENT, json.dumps(told), now)

    def sends_since(self, since: datetime) -> int:
        return int(self._db.read(_SENDS, (to_ms(since),))[0][0])


def export_lines(db: Database, since: datetime) -> Iterator[str]:
    """One JSON object per row, with its record type: runs of every agent, each with its nodes, then their calls.

    Times are ISO 8601 in UTC; columns with JSON text are decoded.
    """
    for kind, sql in _EXPORTS:
        for row in db.read(sql, (to_ms(since),)):
            found = {name: value for name, value in dict(row).items() if name != "id" or isinstance(value, str)}
            for name, value in found.items():
                if name in _TIMES and isinstance(value, int):
                    found[name] = from_ms(value).isoformat()
                elif name in _JSON_COLUMNS and value:
                    found[name] = json.loads(value)
            yield json.dumps({"record": kind, **found}, ensure_ascii=False)
            if kind == "run":
                for step in db.load(load_snapshots, RunId(row["id"])):
                    yield json.dumps({"record": "node", **step}, ensure_ascii=False)
