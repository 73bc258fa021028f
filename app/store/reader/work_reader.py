"""Read-only access to requests, daily statistics, preferences and the outbox for the window.

Long lists are read as ids first and as rows once they are visible. MIME bytes are never read.
"""

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.agents.memory import Namespace, Preference
from app.domain.agents.requests import RESTING, Request
from app.domain.agents.runs import DailyWork, middle
from app.domain.errors import NotFound
from app.domain.ids import OutboxId, RequestId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.outbox import OutboxItem, OutboxRow
from app.store.db.codecs import id_list
from app.store.db.times import from_ms, to_ms
from app.store.learning.preference_rows import load_preference_ids, load_preferences, load_some_preferences
from app.store.outbox.outbox import IS_OPEN, item_of
from app.store.reader.base_reader import DatabaseReader
from app.store.requests.artifacts import ArtifactFolder
from app.store.requests.requests import load_request_ids, load_requests

_SPENT = """SELECT count(*), coalesce(sum(prompt_tokens + completion_tokens), 0), coalesce(sum(cost_usd), 0.0)
    FROM llm_calls INDEXED BY llm_calls_at WHERE at BETWEEN ? AND ? AND run_id = ?"""
"""Model calls have no index by run; those of a request are between its creation and its last change."""
LATE_MS = 60_000
FOREVER_MS = 2**62


class SqliteAssistantReader(DatabaseReader):
    """Requests to the assistant."""

    def request_ids(self, limit: int = 500) -> tuple[RequestId, ...]:
        """Requests newest first, without deleted ones."""
        with self.reading() as connection:
            return () if connection is None else load_request_ids(connection, limit)

    def requests_of(self, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
        """Requests with their steps by id, without those that are gone."""
        with self.reading() as connection:
            return {} if connection is None else load_requests(connection, ids)

    def request(self, request_id: RequestId) -> Request | None:
        return self.requests_of((request_id,)).get(request_id)

    def spent_on(self, request: Request) -> tuple[int, int, float]:
        """The cost of a request's model calls so far: calls, tokens, US dollars."""
        last_ms = to_ms(request.updated_at) + LATE_MS if request.status in RESTING else FOREVER_MS
        with self.reading() as connection:
            if connection is None:
                return 0, 0, 0.0
            row = connection.execute(_SPENT, (to_ms(request.created_at), last_ms, request.run_id)).fetchone()
            return row[0], row[1], float(row[2])

    def document(self, handle: ArtifactHandle) -> Path | None:
        """A copy of an artifact that other programs may change; None when the artifact is gone.

        Raises `NotAllowed` when its content no longer matches its digest, and `DiskFull`.
        """
        with suppress(NotFound):
            return ArtifactFolder(DataFolder(self._path.parent).artifacts).copy_out(handle)
        return None


_MAILS = """SELECT date(r.created_at / 1000, 'unixepoch', 'localtime') AS day, coalesce(m.category, '') AS category,
        count(*) AS mails
    FROM runs r LEFT JOIN messages m ON m.id = r.message_id WHERE r.created_at >= :since GROUP BY day, 2 ORDER BY day, 2"""

_TIMES = """SELECT date(r.created_at / 1000, 'unixepoch', 'localtime') AS day, sum(s.latency_ms) AS time_ms
    FROM runs r CROSS JOIN run_steps s ON s.run_id = r.id
    WHERE r.created_at >= :since GROUP BY r.id HAVING time_ms > 0 ORDER BY time_ms"""

_DECISIONS = """SELECT date(d.decided_at / 1000, 'unixepoch', 'localtime') AS day,
        sum(d.action IN ('accept', 'save_draft')) AS kept, sum(d.action = 'edit') AS edited, sum(d.action = 'ignore') AS rejected
    FROM decisions d JOIN reviews v ON v.id = d.review_id
    WHERE d.decided_at >= :since AND d.undone_at IS NULL AND v.kind = 'reply' GROUP BY day"""

_CALLS = """SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, count(*) AS calls,
        sum(prompt_tokens + completion_tokens) AS tokens, sum(cost_usd) AS cost_usd
    FROM llm_calls WHERE at >= :since GROUP BY day"""


class SqliteDailyReader(DatabaseReader):
    """Implements `DailyReader`."""

    def days_of_work(self, since: datetime) -> tuple[DailyWork, ...]:
        """Days with work in the machine's time zone, oldest first; the first begins at `since`."""
        with self.reading() as connection:
            return () if connection is None else load_days(connection, to_ms(since))


def load_days(connection: sqlite3.Connection, since_ms: int) -> tuple[DailyWork, ...]:
    """The days with work from Unix milliseconds `since_ms` on."""
    asked = {"since": since_ms}
    mails: dict[str, list[tuple[str, int]]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    days: dict[str, DailyWork] = {}
    for row in connection.execute(_MAILS, asked):
        mails[row["day"]].append((row["category"], row["mails"]))
    for row in connection.execute(_TIMES, asked):
        times[row["day"]].append(row["time_ms"])
    for day, found in mails.items():
        days[day] = DailyWork(date.fromisoformat(day), tuple(found), middle(times[day]))
    for sql in (_DECISIONS, _CALLS):
        for row in connection.execute(sql, asked):
            values = dict(row)
            day = values.pop("day")
            days[day] = replace(days.get(day) or DailyWork(date.fromisoformat(day)), **values)
    return tuple(days[day] for day in sorted(days))


class SqliteMemoryReader(DatabaseReader):
    """Preferences."""

    def preferences(self) -> tuple[Preference, ...]:
        """Preferences in force, oldest first."""
        with self.reading() as connection:
            return () if connection is None else load_preferences(connection)

    def preference_ids(self, groups: Sequence[Namespace]) -> "array[int]":
        """Ids of preferences in force by group, in the order of `groups`, newest first in each."""
        with self.reading() as connection:
            return array("q") if connection is None else load_preference_ids(connection, groups)

    def preferences_of(self, ids: Sequence[int]) -> dict[int, Preference]:
        """Preferences by id, without those that are gone."""
        with self.reading() as connection:
            return {} if connection is None else load_some_preferences(connection, ids)


_OPEN = """SELECT * FROM outbox WHERE id IN (
        SELECT id FROM outbox INDEXED BY outbox_due WHERE IS_OPEN
        UNION ALL SELECT id FROM outbox INDEXED BY outbox_held WHERE state = 'held')
    ORDER BY id DESC""".replace("IS_OPEN", IS_OPEN)

_NEWEST = """WITH listed (id, closed) AS (
        SELECT id, 0 FROM outbox INDEXED BY outbox_due WHERE IS_OPEN
        UNION ALL SELECT id, 0 FROM outbox INDEXED BY outbox_held WHERE state = 'held'
        UNION ALL SELECT * FROM (SELECT id, 1 FROM outbox WHERE state IN ('sent', 'cancelled') ORDER BY id DESC LIMIT :limit))
    SELECT id FROM listed ORDER BY closed, id DESC LIMIT :limit""".replace("IS_OPEN", IS_OPEN)

_ROWS = """SELECT o.*, coalesce((SELECT max(d.decided_at) FROM decisions d
        WHERE d.review_id = o.review_id AND d.outbox_id = o.id),
        o.created_at) AS approved
    FROM json_each(?) l CROSS JOIN outbox o ON o.id = l.value"""
"""Finds an item's decision by its review; scanning all decisions takes seconds when there are many."""


class SqliteOutboxReader(DatabaseReader):
    """Outbox items."""

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        """Open items, then closed ones, each newest first."""
        with self.reading() as connection:
            return () if connection is None else load_outbox(connection, limit)

    def outbox_ids(self, limit: int = 500) -> tuple[OutboxId, ...]:
        """The ids of the items that `outbox` lists."""
        with self.reading() as connection:
            return () if connection is None else _listed(connection, limit)

    def outbox_of(self, ids: Sequence[int]) -> dict[int, OutboxRow]:
        """Items by id, without those that are gone."""
        with self.reading() as connection:
            return {} if connection is None else _rows(connection, ids)

    def open_items(self) -> tuple[OutboxItem, ...]:
        """Items that may still be sent, newest first, without MIME bytes."""
        with self.reading() as connection:
            return () if connection is None else tuple(item_of(row, b"") for row in connection.execute(_OPEN))


def load_outbox(connection: sqlite3.Connection, limit: int) -> tuple[OutboxRow, ...]:
    """Open items, then closed ones, each newest first."""
    ids = _listed(connection, limit)
    found = _rows(connection, ids)
    return tuple(found[key] for key in ids if key in found)


def _listed(connection: sqlite3.Connection, limit: int) -> tuple[OutboxId, ...]:
    return tuple(OutboxId(row[0]) for row in connection.execute(_NEWEST, {"limit": limit}))


def _rows(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, OutboxRow]:
    rows = connection.execute(_ROWS, (id_list(ids),))
    return {row["id"]: OutboxRow(item_of(row, b""), from_ms(row["approved"])) for row in rows}
