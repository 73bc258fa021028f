"""Rows of runs, steps, tool calls and events. Run keys derive from the message id, so no index is needed to find them.

`runs.seq` is the message id << 10 plus the run's number among those of its message. In `run_steps` a run's steps start at seq <<
20, and its tool calls are in the half million places before that. A step stores only the fields of its input that differ from
what the step before left, so a run's steps are kept and deleted together. The views `agent_logs`, `tool_executions` and
`email_events` show whole rows.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from app.domain.agents.runs import Route, Run, RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.store.db.codecs import storable
from app.store.db.jobs import finish_row
from app.store.db.times import from_ms, to_ms
from app.store.mail.thread_summary import write_verdict

_MAIL_BITS = 10
_RUN_BITS = 20
_HALF = 1 << (_RUN_BITS - 1)
_NAMED = re.compile(r"mail-(\d{1,10})-.")

_SEQ = "SELECT seq FROM runs WHERE {run}"

Places = tuple[int, int]
"""The first and the last place."""


def run_name(message_id: MessageId, which: str) -> RunId:
    """The id of a run of a message; `which` distinguishes it from the message's other runs."""
    return RunId(f"mail-{message_id}-{which}")


def of_mail(message_id: MessageId) -> Places:
    """The first and last `seq` of a message's runs."""
    first = message_id << _MAIL_BITS
    return first, first + (1 << _MAIL_BITS) - 1


def is_run(run_id: RunId) -> tuple[str, tuple[int | str, ...]]:
    """The SQL condition, with arguments, that finds a run in `runs` without scanning the table."""
    named = _NAMED.match(run_id)
    if named is None:
        return "id = ? AND substr(id, 1, 5) <> 'mail-'", (run_id,)
    return "seq BETWEEN ? AND ? AND id = ?", (*of_mail(MessageId(int(named[1]))), run_id)


def seq_of(connection: sqlite3.Connection, run_id: RunId) -> int | None:
    """A run's `seq`, None if there is no such run."""
    condition, args = is_run(run_id)
    row = connection.execute(_SEQ.format(run=condition), args).fetchone()
    return None if row is None else int(row[0])


def free_seq(connection: sqlite3.Connection, run: Run) -> int:
    """A free `seq` for a new run. Raises `NotAllowed` when its message has too many, or when the id belongs to another
    message.
    """
    first, last = of_mail(run.message_id)
    if run.id.startswith("mail-") and not run.id.startswith(run_name(run.message_id, "")):
        raise NotAllowed(f"The name {run.id} is not for runs of message {run.message_id}.")
    highest = connection.execute("SELECT max(seq) FROM runs WHERE seq BETWEEN ? AND ?", (first, last)).fetchone()[0]
    if highest == last:
        raise NotAllowed(f"There were {last - first + 1} runs on message {run.message_id} already.")
    return first if highest is None else int(highest) + 1


def of_steps(seq: int) -> Places:
    """The first and last place of a run's steps in `run_steps`."""
    return seq << _RUN_BITS, (seq << _RUN_BITS) + _HALF - 1


def of_tools(seq: int) -> Places:
    """The first and last place of a run's tool calls."""
    return (seq << _RUN_BITS) - _HALF, (seq << _RUN_BITS) - 1


_LONGEST_CHAIN = 40
"""Steps in a row that store only differences; the next one stores its whole input."""

_STEP = """INSERT OR REPLACE INTO run_steps (place, step_name, input_state, output_state, latency_ms, error, at, follows)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""

# Later rows that build on replaced rows get their complete input first.
_COMPLETE_INPUT = """UPDATE run_steps SET follows = 0, input_state = (SELECT g.input_state FROM agent_logs g
        WHERE g.trace_id = :run AND g.step_order = run_steps.place & 1048575)
    WHERE place > :last AND place <= :end AND follows > 0 AND place - follows <= :last"""

_OF_RUN = "SELECT * FROM run_steps WHERE place BETWEEN ? AND ? ORDER BY place"


def write_steps(connection: sqlite3.Connection, steps: Sequence[StepLog]) -> None:
    """Writes steps of one run in order; a step of the same order is replaced. Raises `NotFound` without the run."""
    if not steps:
        return
    run_id = steps[0].run_id
    seq = seq_of(connection, run_id)
    if seq is None:
        raise NotFound(f"There is no run {run_id}.")
    start, end = of_steps(seq)
    connection.execute(_COMPLETE_INPUT, {"run": run_id, "last": start + steps[-1].step_order, "end": end})
    left, follows = _state_before(connection, start, steps[0].step_order)
    connection.executemany(_STEP, _packed(steps, start, left, follows))


def load_steps(connection: sqlite3.Connection, run_id: RunId) -> tuple[StepLog, ...]:
    """The steps of a run in order, with complete inputs."""
    seq = seq_of(connection, run_id)
    if seq is None:
        return ()
    start, end = of_steps(seq)
    return tuple(_unpacked(run_id, start, connection.execute(_OF_RUN, (start, end))))


def _state_before(connection: sqlite3.Connection, start: int, order: int) -> tuple[dict[str, Any] | None, int]:
    """The state left by the step before `order` and its `follows`; None without such a step."""
    rows = connection.execute(_OF_RUN, (start, start + order - 1)).fetchall()
    if not rows or rows[-1]["place"] != start + order - 1:
        return None, 0
    *_, last = _unpacked(RunId(""), start, rows)
    given, changed = _fields(last.input_state), _fields(last.output_state)
    return None if given is None or changed is None else given | changed, rows[-1]["follows"]


def _packed(steps: Sequence[StepLog], start: int, left: dict[str, Any] | None, follows: int) -> Iterable[tuple[object, ...]]:
    """The columns of each step, where the step before left the state `left` and has `follows`."""
    order = steps[0].step_order - 1
    for one in steps:
        given = _fields(one.input_state)
        told = None if one.step_order != order + 1 or follows >= _LONGEST_CHAIN else _difference(left, given, one.input_state)
        follows, order = 0 if told is None else follows + 1, one.step_order
        states = (storable(one.input_state if told is None else told), storable(one.output_state))
        yield (start + order, one.step_name, *states, one.latency_ms, storable(one.error), to_ms(one.at), follows)
        changed = _fields(one.output_state)
        left = None if given is None or changed is None else given | changed


def _difference(left: dict[str, Any] | None, given: dict[str, Any] | None, text: str) -> str | None:
    """The fields of `given` that differ from `left` as JSON; empty for none.

    Returns None when a field of `left` is missing in `given` (written as `text`), or when the difference is not shorter.
    """
    if left is None or given is None or not left.keys() <= given.keys():
        return None
    more = {name: value for name, value in given.items() if name not in left or not _same(left[name], value)}
    told = json.dumps(more, ensure_ascii=False) if more else ""
    return told if len(told) < len(text) else None


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are equal; in Python 1 also equals True and 1.0."""
    return type(one) is type(other) and one == other


def _unpacked(run_id: RunId, start: int, rows: Iterable[sqlite3.Row]) -> Iterable[StepLog]:
    """The steps with complete inputs."""
    left: dict[str, Any] = {}
    for row in rows:
        if row["follows"] and row["input_state"]:
            left |= _fields(row["input_state"]) or {}
        given = json.dumps(left, ensure_ascii=False) if row["follows"] else row["input_state"]
        yield StepLog(
            run_id=run_id,
            step_name=row["step_name"],
            step_order=row["place"] - start,
            input_state=given,
            output_state=row["output_state"],
            latency_ms=row["latency_ms"],
            error=row["error"],
            at=from_ms(row["at"]),
        )
        left = {**(left if row["follows"] else _fields(given) or {}), **(_fields(row["output_state"]) or {})}


def _fields(text: str) -> dict[str, Any] | None:
    """A JSON object, None for any other text."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


_NEWEST = """SELECT * FROM runs WHERE seq IN (SELECT seq FROM runs ORDER BY created_at DESC, seq DESC LIMIT ?)
    ORDER BY created_at DESC, seq DESC"""

__all__ = ["load_runs", "load_steps", "run_of"]


def run_of(row: sqlite3.Row) -> Run:
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
    """Runs newest first. There is no index by time, so all times are read first."""
    return tuple(run_of(row) for row in connection.execute(_NEWEST, (limit,)))


_NOTE = """INSERT INTO mail_events (message_id, id, run_id, kind, detail, at)
    SELECT :message, coalesce(max(id), 0) + 1, :run, :kind, :detail, :at FROM mail_events WHERE message_id = :message"""
_KNOWN = "SELECT 1 FROM mail_events WHERE message_id = ? AND run_id = ? AND kind = ?"


def note_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str, detail: str, at_ms: int) -> None:
    """Appends to a message's history. `detail` is JSON text; `run_id` is empty without a run."""
    values = {"message": message_id, "run": run_id, "kind": kind, "detail": storable(detail), "at": at_ms}
    connection.execute(_NOTE, values)


def has_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str) -> bool:
    """Whether the run has recorded an event of this kind."""
    return connection.execute(_KNOWN, (message_id, run_id, kind)).fetchone() is not None


_TOOL = """INSERT INTO run_steps (place, step_name, input_state, output_state, latency_ms, error, at, follows, call_id)
    SELECT coalesce(max(place) + 1, :first), :tool, :arguments, :result, :latency_ms, :error, :at, 0, :call_id
    FROM run_steps WHERE place BETWEEN :first AND :last"""
_CALL = "SELECT * FROM run_steps WHERE place BETWEEN ? AND ? AND call_id = ?"


def write_tools(connection: sqlite3.Connection, tools: Sequence[ToolExecution]) -> None:
    """Writes tool calls of one run that have no row yet. Raises `NotFound` without the run."""
    if not tools:
        return
    seq = seq_of(connection, tools[0].run_id)
    if seq is None:
        raise NotFound(f"There is no run {tools[0].run_id}.")
    first, last = of_tools(seq)
    for one in tools:
        if connection.execute(_CALL, (first, last, one.call_id)).fetchone() is None:
            connection.execute(_TOOL, {"first": first, "last": last, **_values(one)})


def load_tool(connection: sqlite3.Connection, run_id: RunId, call_id: str) -> ToolExecution | None:
    """The stored result of a tool call, None when it has not run."""
    seq = seq_of(connection, run_id)
    row = None if seq is None else connection.execute(_CALL, (*of_tools(seq), call_id)).fetchone()
    return None if row is None else _execution(run_id, row)


def _values(one: ToolExecution) -> dict[str, str | float | int]:
    return {
        "tool": one.tool,
        "arguments": storable(one.arguments),
        "result": storable(one.result),
        "latency_ms": one.latency_ms,
        "error": storable(one.error),
        "at": to_ms(one.at),
        "call_id": one.call_id,
    }


def _execution(run_id: RunId, row: sqlite3.Row) -> ToolExecution:
    said = (row["input_state"], row["output_state"], row["error"])
    return ToolExecution(run_id, row["call_id"], row["step_name"], *said, row["latency_ms"], from_ms(row["at"]))


FINAL = (RunStatus.DONE, RunStatus.NEEDS_REVIEW, RunStatus.FAILED, RunStatus.SUPERSEDED)
"""Statuses that a run never leaves."""

_START = """INSERT INTO runs (seq, id, account_id, message_id, thread_id, route, rule, profile, status, graph_version,
    created_at, updated_at, answer, error, routed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_STATUS = """UPDATE runs SET status = ?, error = '', updated_at = ? WHERE {run} AND status <> ?
    AND status NOT IN ('done', 'needs_review', 'failed', 'superseded')"""


def write_trail(connection: sqlite3.Connection, trail: RunRecord, now_ms: int) -> None:
    """Writes everything a stretch of a run left, inside the caller's transaction. Raises `NotFound` when its message is gone."""
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
    """Inserts a run. Returns whether it was new."""
    if seq_of(connection, run.id) is not None:
        return False
    created = to_ms(run.created_at)
    identity = (free_seq(connection, run), run.id, run.account_id, run.message_id, run.thread_id)
    how = (run.route, run.rule, run.profile, run.status, run.graph_version)
    connection.execute(_START, (*identity, *how, created, created, run.answer, run.error, storable(run.routed)))
    return True
