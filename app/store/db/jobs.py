"""The durable job queue: what the engine still has to do. It survives every crash.

A job has a kind and a key, and a number that changes when the same job is queued again. It is open until it is done (its row is
deleted) or has failed for good (its row stays for a while with the error, or until the job is queued again). The order is by
priority, then newest first.
"""

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from random import getrandbits
from time import time_ns

from app.domain.ids import JobId
from app.domain.record import Record
from app.store.db.codecs import pack_strings, storable
from app.store.db.database import Table
from app.store.db.times import optional_ms, to_ms

_PUT = """INSERT INTO jobs (kind, key, id, payload, priority, newest, run_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET id = excluded.id, payload = excluded.payload, priority = excluded.priority,
        newest = excluded.newest, run_at = excluded.run_at, attempts = 0, lease_until = 0, failed_at = NULL, error = ''
        WHERE failed_at IS NOT NULL"""


def job_id(row: sqlite3.Row) -> JobId:
    return name_job(row["id"], row["kind"], row["key"])


def name_job(number: int, kind: str, key: str) -> JobId:
    return JobId(f"{number}:{kind}:{key}")


def place_of(job: JobId) -> tuple[str, str, int]:
    """Kind, key and number of a job."""
    number, _, rest = job.partition(":")
    kind, _, key = rest.partition(":")
    return kind, key, int(number or 0)


def put_row(
    connection: sqlite3.Connection, kind: str, key: str, payload: str, newest: int, run_at: int = 0, priority: int = 0
) -> bool:
    """Queues a job. Returns False when one of this kind and key is open already. Times are Unix milliseconds."""
    return connection.execute(_PUT, (kind, key, _number(), payload, priority, newest, run_at)).rowcount == 1


def put_many(connection: sqlite3.Connection, kind: str, keyed: Sequence[tuple[str, int]]) -> None:
    """Queues jobs without payload. Each key comes with the Unix milliseconds that order it."""
    connection.executemany(_PUT, [(kind, key, _number(), "", 0, newest, 0) for key, newest in keyed])


def finish_row(connection: sqlite3.Connection, job: JobId) -> None:
    """Deletes a finished job. A job queued again under the same key stays."""
    connection.execute("DELETE FROM jobs WHERE kind = ? AND key = ? AND id = ?", place_of(job))


def cancel_row(connection: sqlite3.Connection, kind: str, key: str) -> bool:
    """Deletes an open job. Returns whether there was one."""
    sql = "DELETE FROM jobs WHERE kind = ? AND key = ? AND failed_at IS NULL"
    return connection.execute(sql, (kind, key)).rowcount == 1


def _number() -> int:
    """A new job number below 2**63: microseconds, so that later jobs have higher numbers, plus ten random bits."""
    return time_ns() // 1000 << 10 | getrandbits(10)


_CLAIM = """UPDATE jobs SET lease_until = :until, attempts = attempts + 1
    WHERE kind = :kind AND key IN (SELECT key FROM jobs WHERE kind = :kind
        AND failed_at IS NULL AND run_at <= :now AND lease_until <= :now
        ORDER BY priority DESC, newest DESC, id DESC LIMIT :limit)
    RETURNING id, kind, key, payload, priority, newest, attempts"""

_NEXT = """SELECT j.id, j.kind, j.key, j.payload, j.priority, j.newest, j.attempts + 1 AS attempts
    FROM json_each(?) k JOIN jobs j ON j.kind = k.value
    WHERE j.failed_at IS NULL AND j.run_at <= ? AND j.lease_until <= ?
    ORDER BY k.key, j.priority DESC, j.newest DESC, j.id DESC LIMIT ?"""

_OPEN = "SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ? AND failed_at IS NULL"
_AGAIN = "UPDATE jobs SET error = ?, run_at = ?, attempts = ?, lease_until = 0 WHERE kind = ? AND key = ? AND id = ?"
_RUN_NOW = "UPDATE jobs SET run_at = 0 WHERE kind = ? AND key >= ? AND key < ? AND failed_at IS NULL"
_FAIL = "UPDATE jobs SET error = ?, failed_at = ?, run_at = ?, lease_until = 0 WHERE kind = ? AND key = ? AND id = ?"

LAST_SIGN = "\U0010ffff"
"""The highest code point: the end of a range of keys with one prefix."""


class Job(Record):
    """A job to work on. `payload` is JSON text or empty; `attempts` includes this one."""

    id: JobId
    kind: str
    key: str
    payload: str
    attempts: int


class Jobs(Table):
    """The table `jobs`. Kinds: route, classify, agent_process, index, memory."""

    def put(
        self,
        kind: str,
        key: str,
        payload_json: str,
        run_at: datetime | None = None,
        priority: int = 0,
        newest: datetime | None = None,
        lasting: bool = True,
    ) -> bool:
        """Queues a job for `run_at` or now. Returns False when one of this kind and key is open already.

        `newest` orders jobs of one priority: the mail's date where there is one, otherwise the current time. `lasting` as in
        `Database.transaction`.
        """
        now = to_ms(self._clock())
        order = now if newest is None else to_ms(newest)
        with self._db.transaction(work_only=True, lasting=lasting) as connection:
            return put_row(connection, kind, key, storable(payload_json), order, optional_ms(run_at) or 0, priority)

    def claim(self, kind: str, lease_s: float) -> Job | None:
        """Leases the next due job for `lease_s` seconds; then another worker may claim it."""
        return next(iter(self.claim_many(kind, lease_s, 1)), None)

    def claim_many(self, kind: str, lease_s: float, limit: int) -> tuple[Job, ...]:
        """Leases up to `limit` due jobs."""
        now = self._clock()
        until = to_ms(now + timedelta(seconds=lease_s))
        with self._db.transaction(work_only=True) as connection:
            rows = connection.execute(_CLAIM, {"kind": kind, "now": to_ms(now), "until": until, "limit": limit}).fetchall()
        # RETURNING guarantees no order.
        rows.sort(key=lambda row: (row["priority"], row["newest"], row["id"]), reverse=True)
        return tuple(_job(row) for row in rows)

    def due(self, kinds: Sequence[str], limit: int, besides: Collection[JobId]) -> tuple[Job, ...]:
        """Reads the next due jobs except `besides`, those of the first kind first. Takes no lease: for kinds with a single worker
        that remembers its jobs.
        """
        now = to_ms(self._clock())
        found = [_job(row) for row in self._db.read(_NEXT, (pack_strings(kinds), now, now, limit + len(besides)))]
        return tuple([one for one in found if one.id not in besides][:limit])

    def next_due(self, kinds: Sequence[str], besides: Collection[JobId]) -> Job | None:
        """The first job of `due`."""
        return next(iter(self.due(kinds, 1, besides)), None)

    def open(self, job: JobId) -> bool:
        """Whether a job is still to be done."""
        return bool(self._db.read(_OPEN, place_of(job)))

    def run_now(self, kind: str, prefix: str) -> bool:
        """Makes open jobs whose keys start with `prefix` due at once. Returns whether there are any."""
        with self._db.transaction(work_only=True) as connection:
            return connection.execute(_RUN_NOW, (kind, prefix, prefix + LAST_SIGN)).rowcount > 0

    def again(self, job: Job, error: str, retry_at: datetime) -> None:
        """Stores the error and the attempt, and makes the job due again at `retry_at`."""
        self._db.write(_AGAIN, (storable(error), to_ms(retry_at), job.attempts, *place_of(job.id)), work_only=True)

    def done(self, *ids: JobId) -> None:
        with self._db.transaction(work_only=True) as connection:
            for one in ids:
                finish_row(connection, one)

    def fail(self, job: JobId, error: str, retry_at: datetime | None) -> None:
        """Stores the error. The job is due again at `retry_at`, or has failed for good when that is None."""
        failed = to_ms(self._clock()) if retry_at is None else None
        self._db.write(_FAIL, (storable(error), failed, optional_ms(retry_at) or 0, *place_of(job)), work_only=True)

    def release_leases(self) -> None:
        """Ends all leases. Call it at start, when no earlier worker is alive."""
        self._db.write("UPDATE jobs SET lease_until = 0 WHERE lease_until <> 0", work_only=True)

    def counts(self) -> dict[str, int]:
        rows = self._db.read("SELECT kind, count(*) FROM jobs WHERE failed_at IS NULL GROUP BY kind")
        return {row[0]: row[1] for row in rows}


def _job(row: sqlite3.Row) -> Job:
    return Job(job_id(row), row["kind"], row["key"], row["payload"], row["attempts"])
