"""Where a run and what it leaves lie: by its mail, so that no index is needed to find them.

`runs.seq` is the mail's id, 10 bits to the left, and the run's number among those of its mail. In `run_steps` a run's steps lie
from `seq`, 20 bits to the left, on; the rows of its tools in the half million places before that.

Rows of node logs: of a step's input only that is stored which is not what the step before left. Shared by engine and window.

`agent_logs` is the same as a view, for whoever reads the file with SQL. The rows of a run live and go together, since later ones
lean on earlier ones.

Rows of runs as domain objects; shared by the engine and the window. Reads only.

Rows of a mail's history, written inside a transaction that the caller owns. Numbered by mail.

The view `email_events` has them, and how mails were routed besides, which stands in their runs.

Rows of tool calls, beside the steps of their run; `tool_executions` is the same as a view. Once per run and call id.

The trail of a run, written inside a transaction that the caller owns: one write in place of one for each node and tool.
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
    """The id of a run of a mail; `which` tells it from the mail's others."""
    return RunId(f"mail-{message_id}-{which}")


def of_mail(message_id: MessageId) -> Places:
    """The places of a mail's runs in `runs`."""
    first = message_id << _MAIL_BITS
    return first, first + (1 << _MAIL_BITS) - 1


def is_run(run_id: RunId) -> tuple[str, tuple[int | str, ...]]:
    """The condition by which a query finds a run in `runs` without reading them all, with its arguments."""
    named = _NAMED.match(run_id)
    if named is None:
        return "id = ? AND substr(id, 1, 5) <> 'mail-'", (run_id,)
    return "seq BETWEEN ? AND ? AND id = ?", (*of_mail(MessageId(int(named[1]))), run_id)


def seq_of(connection: sqlite3.Connection, run_id: RunId) -> int | None:
    """A run's place, None where there is no such run."""
    condition, args = is_run(run_id)
    row = connection.execute(_SEQ.format(run=condition), args).fetchone()
    return None if row is None else int(row[0])


def free_seq(connection: sqlite3.Connection, run: Run) -> int:
    """The place of a run that is not there yet. Raises `NotAllowed` after too many of its mail, or when its id names another."""
    first, last = of_mail(run.message_id)
    if run.id.startswith("mail-") and not run.id.startswith(run_name(run.message_id, "")):
        raise NotAllowed(f"The name {run.id} is not for runs of message {run.message_id}.")
    highest = connection.execute("SELECT max(seq) FROM runs WHERE seq BETWEEN ? AND ?", (first, last)).fetchone()[0]
    if highest == last:
        raise NotAllowed(f"There were {last - first + 1} runs on message {run.message_id} already.")
    return first if highest is None else int(highest) + 1


def of_steps(seq: int) -> Places:
    """The places of a run's steps in `run_steps`; a step's order counts from the first."""
    return seq << _RUN_BITS, (seq << _RUN_BITS) + _HALF - 1


def of_tools(seq: int) -> Places:
    """The places of the rows of a run's tools."""
    return (seq << _RUN_BITS) - _HALF, (seq << _RUN_BITS) - 1


_LONGEST = 40
"""Steps that lean on one; the next has its whole input again."""

_STEP = """INSERT OR REPLACE INTO run_steps (place, step_name, input_state, output_state, latency_ms, error, at, follows)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""

# Later rows that lean on rows about to be replaced get their input first.
_STAND_ALONE = """UPDATE run_steps SET follows = 0, input_state = (SELECT g.input_state FROM agent_logs g
        WHERE g.trace_id = :run AND g.step_order = run_steps.place & 1048575)
    WHERE place > :last AND place <= :end AND follows > 0 AND place - follows <= :last"""

_OF_RUN = "SELECT * FROM run_steps WHERE place BETWEEN ? AND ? ORDER BY place"


def write_steps(connection: sqlite3.Connection, steps: Sequence[StepLog]) -> None:
    """Write the rows of one run, in order; a row of the same order is replaced. Raises `NotFound` without the run."""
    if not steps:
        return
    run_id = steps[0].run_id
    seq = seq_of(connection, run_id)
    if seq is None:
        raise NotFound(f"There is no run {run_id}.")
    start, end = of_steps(seq)
    connection.execute(_STAND_ALONE, {"run": run_id, "last": start + steps[-1].step_order, "end": end})
    left, follows = _left_before(connection, start, steps[0].step_order)
    connection.executemany(_STEP, _packed(steps, start, left, follows))


def load_steps(connection: sqlite3.Connection, run_id: RunId) -> tuple[StepLog, ...]:
    """A run's node log in order."""
    seq = seq_of(connection, run_id)
    if seq is None:
        return ()
    start, end = of_steps(seq)
    return tuple(_unpacked(run_id, start, connection.execute(_OF_RUN, (start, end))))


def _left_before(connection: sqlite3.Connection, start: int, order: int) -> tuple[dict[str, Any] | None, int]:
    """What the row before the one of `order` left, and on how many it leans; None where there is no such row."""
    rows = connection.execute(_OF_RUN, (start, start + order - 1)).fetchall()
    if not rows or rows[-1]["place"] != start + order - 1:
        return None, 0
    *_, last = _unpacked(RunId(""), start, rows)
    given, changed = _fields(last.input_state), _fields(last.output_state)
    return None if given is None or changed is None else given | changed, rows[-1]["follows"]


def _packed(steps: Sequence[StepLog], start: int, left: dict[str, Any] | None, follows: int) -> Iterable[tuple[object, ...]]:
    """The columns of each row, the first behind a step that left `left` and leans on `follows`."""
    order = steps[0].step_order - 1
    for one in steps:
        given = _fields(one.input_state)
        told = None if one.step_order != order + 1 or follows >= _LONGEST else _beyond(left, given, one.input_state)
        follows, order = 0 if told is None else follows + 1, one.step_order
        states = (storable(one.input_state if told is None else told), storable(one.output_state))
        yield (start + order, one.step_name, *states, one.latency_ms, storable(one.error), to_ms(one.at), follows)
        changed = _fields(one.output_state)
        left = None if given is None or changed is None else given | changed


def _beyond(left: dict[str, Any] | None, given: dict[str, Any] | None, text: str) -> str | None:
    """The fields of `given` that are not in `left`, as JSON, empty for none; None where `given` (written as `text`) does not
    follow from `left`, or telling them saves nothing."""
    if left is None or given is None or not left.keys() <= given.keys():
        return None
    more = {name: value for name, value in given.items() if name not in left or not _same(left[name], value)}
    told = json.dumps(more, ensure_ascii=False) if more else ""
    return told if len(told) < len(text) else None


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are the same; to Python 1 is also true and 1.0."""
    return type(one) is type(other) and one == other


def _unpacked(run_id: RunId, start: int, rows: Iterable[sqlite3.Row]) -> Iterable[StepLog]:
    """The rows with their inputs."""
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
    """A JSON object, None where the text is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


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


_NOTE = """INSERT INTO mail_events (message_id, id, run_id, kind, detail, at)
    SELECT :message, coalesce(max(id), 0) + 1, :run, :kind, :detail, :at FROM mail_events WHERE message_id = :message"""
_KNOWN = "SELECT 1 FROM mail_events WHERE message_id = ? AND run_id = ? AND kind = ?"


def note_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str, detail: str, at_ms: int) -> None:
    """Append to a mail's history; `detail` is JSON text, `run_id` empty where no run did it."""
    values = {"message": message_id, "run": run_id, "kind": kind, "detail": storable(detail), "at": at_ms}
    connection.execute(_NOTE, values)


def has_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str) -> bool:
    """Whether the run has noted an event of that kind."""
    return connection.execute(_KNOWN, (message_id, run_id, kind)).fetchone() is not None


_TOOL = """INSERT INTO run_steps (place, step_name, input_state, output_state, latency_ms, error, at, follows, call_id)
    SELECT coalesce(max(place) + 1, :first), :tool, :arguments, :result, :latency_ms, :error, :at, 0, :call_id
    FROM run_steps WHERE place BETWEEN :first AND :last"""
_CALL = "SELECT * FROM run_steps WHERE place BETWEEN ? AND ? AND call_id = ?"


def write_tools(connection: sqlite3.Connection, tools: Sequence[ToolExecution]) -> None:
    """Write the calls of one run that have no row yet. Raises `NotFound` without the run."""
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
    """What a call of a run returned, None when it has not run."""
    seq = seq_of(connection, run_id)
    row = None if seq is None else connection.execute(_CALL, (*of_tools(seq), call_id)).fetchone()
    return None if row is None else _execution(run_id, row)


def _values(one: ToolExecution) -> dict[str, str | float | int]:
    """The columns of a row."""
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
    """A row."""
    said = (row["input_state"], row["output_state"], row["error"])
    return ToolExecution(run_id, row["call_id"], row["step_name"], *said, row["latency_ms"], from_ms(row["at"]))


FINAL = (RunStatus.DONE, RunStatus.NEEDS_REVIEW, RunStatus.FAILED, RunStatus.SUPERSEDED)
"""Statuses a run does not leave."""

_START = """INSERT INTO runs (seq, id, account_id, message_id, thread_id, route, rule, profile, status, graph_version,
    created_at, updated_at, answer, error, routed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_STATUS = """UPDATE runs SET status = ?, error = '', updated_at = ? WHERE {run} AND status <> ?
    AND status NOT IN ('done', 'needs_review', 'failed', 'superseded')"""


def write_trail(connection: sqlite3.Connection, trail: RunRecord, now_ms: int) -> None:
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
