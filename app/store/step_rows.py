"""Rows of node logs: of a step's input only that is stored which is not what the step before left. Shared by engine and window.

`agent_logs` is the same as a view, for whoever reads the file with SQL. Refuses to guess: an input that lacks a field of what
the step before left is stored as it is. The rows of a run live and go together, since later ones lean on earlier ones.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from app.domain.errors import NotFound
from app.domain.ids import RunId
from app.domain.runs import StepLog
from app.store.instants import from_ms, to_ms
from app.store.packing import storable
from app.store.run_places import of_steps, seq_of

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
