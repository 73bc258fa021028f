"""The audit: one row for each tool call, agents' results, and the export of all that agents did as JSON lines.

Audit rows hold hashes and codes. The export also contains arguments and results of tools and what each node read and wrote,
with the texts behind the ids of its state: mail, sources, drafts. A text that was deleted since is null.
"""

import json
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from app.domain.agents.runs import AgentRun, AgentStatus, CallAudit, ModelCall, StepLog, ToolExecution, TraceStep
from app.domain.ids import MessageId, RunId
from app.store.db.codecs import storable
from app.store.db.database import Database, Table
from app.store.db.records import record
from app.store.db.times import from_ms, to_ms
from app.store.runs.model_calls import load_run_calls
from app.store.runs.runs import has_event, load_steps, note_event

State = Mapping[str, Any]

_MAIL = "SELECT id, sender_email, subject, date, text FROM whole_messages WHERE id = ?"
_DRAFT = "SELECT draft FROM review_revisions WHERE review_id = ? AND (revision = ? OR ? = 0) ORDER BY revision DESC LIMIT 1"
_OUTBOX = "SELECT id, kind, state, recipients, subject, sha256 FROM outbox WHERE id = ?"
_RUN_TOOLS = "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY seq"
_TOOLS = "SELECT call_id, tool, arguments, result, error FROM tool_calls WHERE run_id = ? AND at <= ? ORDER BY seq"


def load_snapshots(connection: sqlite3.Connection, run_id: RunId) -> Iterator[dict[str, Any]]:
    """One record a step: the whole state it read and the fields it changed."""
    for one, read, wrote in _states(connection, run_id):
        yield {
            "run_id": run_id,
            "step_order": one.step_order,
            "step_name": one.step_name,
            "input_state": read,
            "output_state": wrote,
            "latency_ms": one.latency_ms,
            "error": one.error,
            "at": one.at.isoformat(),
        }


def load_trace(connection: sqlite3.Connection, run_id: RunId) -> tuple[TraceStep, ...]:
    """The steps of a run in order, each with the calls that ended by its end and after the step before."""
    states = list(_states(connection, run_id))
    if not states:
        return ()
    ends = [step.at for step, _read, _wrote in states]
    first = states[0][0]
    began = first.at - timedelta(milliseconds=first.latency_ms + 1)
    tools: dict[int, list[ToolExecution]] = defaultdict(list)
    for row in connection.execute(_RUN_TOOLS, (run_id,)):
        call = record(ToolExecution, row)
        tools[min(bisect_left(ends, call.at), len(ends) - 1)].append(call)
    models: dict[int, list[ModelCall]] = defaultdict(list)
    for asked in load_run_calls(connection, run_id, began, ends[-1]):
        models[min(bisect_left(ends, asked.at), len(ends) - 1)].append(asked)
    return tuple(
        TraceStep(step, read, wrote, tuple(tools[at]), tuple(models[at])) for at, (step, read, wrote) in enumerate(states)
    )


def _states(connection: sqlite3.Connection, run_id: RunId) -> Iterator[tuple[StepLog, State, State]]:
    """Each step with the whole state it read and the fields it changed, resolved."""
    steps = load_steps(connection, run_id)
    left = [json.loads(one.output_state) for one in steps]
    for at, one in enumerate(steps):
        read = json.loads(one.input_state)
        wrote = _resolved(connection, one, left[at], {**read, **left[at]}, left[at:])
        yield one, _resolved(connection, one, read, read, left[at:]), wrote


def _resolved(connection: sqlite3.Connection, step: StepLog, fields: State, state: State, later: Sequence[State]) -> State:
    """The fields with texts for ids. `later` are the changes of this step and those after it."""
    found = dict(fields)
    if "email" in fields:
        found["email"] = _mail(connection, fields["email"])
    if "context" in fields:
        found["context"] = [{"source": one, "mail": _mail(connection, _message_of(one))} for one in fields["context"]]
    if fields.get("draft_response"):
        found["draft_response"] = _draft(connection, fields["draft_response"], state, later)
    if fields.get("final_response"):
        found["final_response"] = _row(connection, _OUTBOX, _number(fields["final_response"]))
    if "messages" in fields:
        found["messages"] = [dict(row) for row in connection.execute(_TOOLS, (step.run_id, to_ms(step.at)))]
    return found


def _mail(connection: sqlite3.Connection, message_id: int) -> dict[str, Any] | None:
    row = _row(connection, _MAIL, message_id)
    return row and {**row, "date": from_ms(row["date"]).isoformat()}


def _draft(connection: sqlite3.Connection, value: str, state: State, later: Sequence[State]) -> Any:
    """The draft of a review. One on its way to a review is that of the review it then opened."""
    asked = state if value.startswith("review:") else next((one for one in later if one.get("review_id")), None)
    if asked is None:
        return value
    revision = asked.get("revision", 0)
    row = _row(connection, _DRAFT, asked.get("review_id") or _number(value), revision, revision)
    return row and json.loads(row["draft"] or "null")


def _row(connection: sqlite3.Connection, sql: str, *values: int) -> dict[str, Any] | None:
    row = connection.execute(sql, values).fetchone()
    return None if row is None else dict(row)


def _number(reference: str) -> int:
    """The id in `review:12` or `outbox:12`."""
    return int(reference.partition(":")[2])


def _message_of(source: str) -> int:
    """The message's id in `message:12@0.83` or `own_reply:34/30@0.71`."""
    return _number(source.partition("@")[0].partition("/")[0])


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
            yield json.dumps({"record": kind, **_plain(row)}, ensure_ascii=False)
            if kind == "run":
                for step in db.load(_snapshots, RunId(row["id"])):
                    yield json.dumps({"record": "node", **step}, ensure_ascii=False)


def _snapshots(connection: sqlite3.Connection, run_id: RunId) -> list[dict[str, object]]:
    return list(load_snapshots(connection, run_id))


def _plain(row: sqlite3.Row) -> dict[str, object]:
    """The columns; row numbers are left out."""
    return {name: _value(name, row[name]) for name in dict(row) if name != "id" or isinstance(row[name], str)}


def _value(name: str, value: object) -> object:
    if name in _TIMES and isinstance(value, int):
        return from_ms(value).isoformat()
    if name in _JSON_COLUMNS and isinstance(value, str) and value:
        return json.loads(value)
    return value
