"""Rows of tool calls, beside the steps of their run; `tool_executions` is the same as a view. Once per run and call id.

Refuses a second word on a call: the first stands.
"""

import sqlite3
from collections.abc import Sequence

from app.domain.errors import NotFound
from app.domain.ids import RunId
from app.domain.runs import ToolExecution
from app.store.instants import from_ms, to_ms
from app.store.packing import storable
from app.store.run_places import of_tools, seq_of

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
