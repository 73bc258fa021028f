"""The steps of a run with the texts behind the ids in their states: mail, sources, drafts, outbox and tool calls.

The log holds ids and digests. A text that was deleted since is null.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.domain.agents.runs import StepLog
from app.domain.ids import RunId
from app.store.db.times import from_ms, to_ms
from app.store.runs.runs import load_steps

State = Mapping[str, Any]

_MAIL = "SELECT id, sender_email, subject, date, text FROM whole_messages WHERE id = ?"
_DRAFT = "SELECT draft FROM review_revisions WHERE review_id = ? AND (revision = ? OR ? = 0) ORDER BY revision DESC LIMIT 1"
_OUTBOX = "SELECT id, kind, state, recipients, subject, sha256 FROM outbox WHERE id = ?"
_TOOLS = "SELECT call_id, tool, arguments, result, error FROM tool_calls WHERE run_id = ? AND at <= ? ORDER BY seq"


def load_snapshots(connection: sqlite3.Connection, run_id: RunId) -> Iterator[dict[str, Any]]:
    """One record a step: the whole state it read and the fields it changed."""
    steps = load_steps(connection, run_id)
    left = [json.loads(one.output_state) for one in steps]
    for at, one in enumerate(steps):
        read = json.loads(one.input_state)
        yield {
            "run_id": run_id,
            "step_order": one.step_order,
            "step_name": one.step_name,
            "input_state": _resolved(connection, one, read, read, left[at:]),
            "output_state": _resolved(connection, one, left[at], {**read, **left[at]}, left[at:]),
            "latency_ms": one.latency_ms,
            "error": one.error,
            "at": one.at.isoformat(),
        }


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
