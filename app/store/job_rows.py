"""Rows of the durable queue, written inside a transaction that the caller owns.

A job lies at its kind and key, and has a number besides: one that is put again later is another job.
"""

import sqlite3
from collections.abc import Sequence
from random import getrandbits
from time import time_ns

from app.domain.ids import JobId

_PUT = """INSERT INTO jobs (kind, key, id, payload, priority, newest, run_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET id = excluded.id, payload = excluded.payload, priority = excluded.priority,
        newest = excluded.newest, run_at = excluded.run_at, attempts = 0, lease_until = 0, failed_at = NULL, error = ''
        WHERE failed_at IS NOT NULL"""


def job_id(row: sqlite3.Row) -> JobId:
    """What names the job of a row."""
    return name_job(row["id"], row["kind"], row["key"])


def name_job(number: int, kind: str, key: str) -> JobId:
    """The id of a job with this number."""
    return JobId(f"{number}:{kind}:{key}")


def place_of(job: JobId) -> tuple[str, str, int]:
    """Kind, key and number."""
    number, _, rest = job.partition(":")
    kind, _, key = rest.partition(":")
    return kind, key, int(number or 0)


def put_row(
    connection: sqlite3.Connection, kind: str, key: str, payload: str, newest: int, run_at: int = 0, priority: int = 0
) -> bool:
    """Queue a job unless one of that kind and key is open; whether it was added. Times in Unix milliseconds."""
    return connection.execute(_PUT, (kind, key, _number(), payload, priority, newest, run_at)).rowcount == 1


def put_many(connection: sqlite3.Connection, kind: str, keyed: Sequence[tuple[str, int]]) -> None:
    """Queue jobs without payload; each key with the Unix milliseconds by which the newest comes first."""
    connection.executemany(_PUT, [(kind, key, _number(), "", 0, newest, 0) for key, newest in keyed])


def finish_row(connection: sqlite3.Connection, job: JobId) -> None:
    """The job is done; one that took its place since stays."""
    connection.execute("DELETE FROM jobs WHERE kind = ? AND key = ? AND id = ?", place_of(job))


def cancel_row(connection: sqlite3.Connection, kind: str, key: str) -> bool:
    """Drop a job that is open; whether there was one."""
    sql = "DELETE FROM jobs WHERE kind = ? AND key = ? AND failed_at IS NULL"
    return connection.execute(sql, (kind, key)).rowcount == 1


def _number() -> int:
    """A number that no job had: microseconds, so that later jobs have higher ones, and chance. Below 2 to the power of 63."""
    return time_ns() // 1000 << 10 | getrandbits(10)
