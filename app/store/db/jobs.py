"""Rows of the durable queue, written inside a transaction that the caller owns.

A job lies at its kind and key, and has a number besides: one that is put again later is another job.

The durable queue: what the engine still has to do, surviving any crash.

A job is open until it is done (its row goes) or failed for good (its row stays for a while, with the error, or until it is put
again). Order: priority, then newest first.
"""

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import getrandbits
from time import time_ns

from app.domain.ids import JobId
from app.domain.ports.agents import Clock
from app.store.db.codecs import pack_strings, storable
from app.store.db.database import Database
from app.store.db.times import optional_ms, to_ms

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


_CLAIM = """UPDATE jobs SET lease_until = :until, attempts = attempts + 1
    WHERE kind = :kind AND key IN (SELECT key FROM jobs WHERE kind = :kind
        AND failed_at IS NULL AND run_at <= :now AND lease_until <= :now
        ORDER BY priority DESC, newest DESC, id DESC LIMIT :limit)
    RETURNING id, kind, key, payload, priority, newest, attempts"""

_DUE = """SELECT id, kind, key, payload, priority, newest, attempts + 1 AS attempts FROM jobs
    WHERE kind = ? AND failed_at IS NULL AND run_at <= ? AND lease_until <= ?
    ORDER BY priority DESC, newest DESC, id DESC LIMIT ?"""

_NEXT = """SELECT j.id, j.kind, j.key, j.payload, j.priority, j.newest, j.attempts + 1 AS attempts
    FROM json_each(?) k JOIN jobs j ON j.kind = k.value
    WHERE j.failed_at IS NULL AND j.run_at <= ? AND j.lease_until <= ?
    ORDER BY k.key, j.priority DESC, j.newest DESC, j.id DESC LIMIT ?"""

_OPEN = "SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ? AND failed_at IS NULL"
_AGAIN = "UPDATE jobs SET error = ?, run_at = ?, attempts = ?, lease_until = 0 WHERE kind = ? AND key = ? AND id = ?"
_HASTEN = "UPDATE jobs SET run_at = 0 WHERE kind = ? AND key >= ? AND key < ? AND failed_at IS NULL"
_FAIL = "UPDATE jobs SET error = ?, failed_at = ?, run_at = ?, lease_until = 0 WHERE kind = ? AND key = ? AND id = ?"

LAST_SIGN = "\U0010ffff"
"""Behind everything that begins a key."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job at hand. `payload` is JSON text or empty; `attempts` counts this one."""

    id: JobId
    kind: str
    key: str
    payload: str
    attempts: int


class Jobs:
    """The queue. Kinds: route, classify, agent_process, index, memory."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def put(
        self,
        kind: str,
        key: str,
        payload_json: str,
        run_at: datetime | None = None,
        priority: int = 0,
        newest: datetime | None = None,
        *,
        lasting: bool = True,
    ) -> bool:
        """Queue a job, not before `run_at`; False when one of that kind and key is open already. `newest` orders within the
        priority: the mail's date where there is one, now otherwise. `lasting` as in `Database.transaction`."""
        now = to_ms(self._clock())
        order = now if newest is None else to_ms(newest)
        with self._db.transaction(work_only=True, lasting=lasting) as connection:
            return put_row(connection, kind, key, storable(payload_json), order, optional_ms(run_at) or 0, priority)

    def claim(self, kind: str, lease_s: float) -> Job | None:
        """Take the next due job for `lease_s` seconds; after that somebody else may."""
        return next(iter(self.claim_many(kind, lease_s, 1)), None)

    def claim_many(self, kind: str, lease_s: float, limit: int) -> tuple[Job, ...]:
        """Take up to `limit` due jobs at once."""
        now = self._clock()
        until = to_ms(now + timedelta(seconds=lease_s))
        with self._db.transaction(work_only=True) as connection:
            rows = connection.execute(_CLAIM, {"kind": kind, "now": to_ms(now), "until": until, "limit": limit}).fetchall()
        # RETURNING promises no order.
        rows.sort(key=lambda row: (row["priority"], row["newest"], row["id"]), reverse=True)
        return tuple(_job(row) for row in rows)

    def due(self, kind: str, limit: int, besides: Collection[JobId]) -> tuple[Job, ...]:
        """The next due jobs of a kind, but none of `besides`. Nothing is written: for a kind that one worker alone works off, who
        remembers what is in hand."""
        now = to_ms(self._clock())
        found = [_job(row) for row in self._db.read(_DUE, (kind, now, now, limit + len(besides)))]
        return tuple([one for one in found if one.id not in besides][:limit])

    def next_due(self, kinds: Sequence[str], besides: Collection[JobId]) -> Job | None:
        """The next due job of the first kind that has one, but none of `besides`; nothing is written."""
        now = to_ms(self._clock())
        found = (_job(row) for row in self._db.read(_NEXT, (pack_strings(kinds), now, now, 1 + len(besides))))
        return next((one for one in found if one.id not in besides), None)

    def open(self, job: JobId) -> bool:
        """Whether a job is still to be done."""
        return bool(self._db.read(_OPEN, place_of(job)))

    def hasten(self, kind: str, prefix: str) -> bool:
        """Open jobs of a kind whose keys begin with `prefix` are due at once; whether there are any."""
        with self._db.transaction(work_only=True) as connection:
            return connection.execute(_HASTEN, (kind, prefix, prefix + LAST_SIGN)).rowcount > 0

    def again(self, job: Job, error: str, retry_at: datetime) -> None:
        """Note the error and the attempt of a job that is due again at `retry_at`."""
        with self._db.transaction(work_only=True) as connection:
            connection.execute(
                _AGAIN,
                (storable(error), to_ms(retry_at), job.attempts, *place_of(job.id)),
            )

    def done(self, *ids: JobId) -> None:
        """Finished: the rows go."""
        with self._db.transaction(work_only=True) as connection:
            for one in ids:
                finish_row(connection, one)

    def fail(self, job: JobId, error: str, retry_at: datetime | None) -> None:
        """Note the error; the job is due again at `retry_at`, or failed for good when None."""
        failed = to_ms(self._clock()) if retry_at is None else None
        with self._db.transaction(work_only=True) as connection:
            connection.execute(
                _FAIL,
                (storable(error), failed, optional_ms(retry_at) or 0, *place_of(job)),
            )

    def release_leases(self) -> None:
        """At start: whoever held a lease is dead."""
        with self._db.transaction(work_only=True) as connection:
            connection.execute("UPDATE jobs SET lease_until = 0 WHERE lease_until <> 0")

    def counts(self) -> dict[str, int]:
        """Open jobs by kind."""
        rows = self._db.read("SELECT kind, count(*) FROM jobs WHERE failed_at IS NULL GROUP BY kind")
        return {row[0]: row[1] for row in rows}


def _job(row: sqlite3.Row) -> Job:
    """A claimed row."""
    return Job(job_id(row), row["kind"], row["key"], row["payload"], row["attempts"])
