"""Finds out which queries scan a table."""

import sqlite3
from collections.abc import Callable


def gone_through(connection: sqlite3.Connection, call: Callable[[], object]) -> set[str]:
    """The tables (or aliases) that the queries made by `call` scan, with or without an index."""
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    call()
    connection.set_trace_callback(None)
    queries = [sql for sql in asked if sql.lstrip().startswith(("SELECT", "WITH")) and "'main'." not in sql]
    assert queries
    steps = [str(row[3]) for sql in queries for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]
    return {
        step.split()[1] for step in steps if step.startswith("SCAN") and not step.startswith(("SCAN json_each", "SCAN CONSTANT"))
    }
