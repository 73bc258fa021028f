"""Rows of the durable queue, written inside a transaction that the caller owns."""

import sqlite3
from collections.abc import Sequence

_PUT = """INSERT INTO jobs (kind, key, payload, priority, newest, run_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) WHERE failed_at IS NULL DO NOTHING"""


def put_row(
    connection: sqlite3.Connection, kind: str, key: str, payload: str, newest: int, run_at: int = 0, priority: int = 0
) -> bool:
    """Queue a job unless one of that kind and key is open; whether it was added. Times in Unix milliseconds."""
    return connection.execute(_PUT, (kind, key, payload, priority, newest, run_at)).rowcount == 1


def put_many(connection: sqlite3.Connection, kind: str, keyed: Sequence[tuple[str, int]]) -> None:
    """Queue jobs without payload; each key with the Unix milliseconds by which the newest comes first."""
    connection.executemany(_PUT, [(kind, key, "", 0, newest, 0) for key, newest in keyed])


def cancel_row(connection: sqlite3.Connection, kind: str, key: str) -> bool:
    """Drop a job that is open; whether there was one."""
    sql = "DELETE FROM jobs WHERE kind = ? AND key = ? AND failed_at IS NULL"
    return connection.execute(sql, (kind, key)).rowcount == 1
