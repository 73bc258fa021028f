"""Read-only access to reviews, outbox, runs, preferences, requests and daily statistics for the window.

Long lists are read as ids first and as rows once they are visible. MIME bytes are read for the one mail on screen only.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.agents.requests import RESTING, Request
from app.domain.agents.runs import DailyWork, middle
from app.domain.errors import NotFound
from app.domain.ids import AccountId, OutboxId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.outbox import OutboxItem, OutboxRow
from app.domain.ports.window import ArchiveLesson, MailboxCounts
from app.domain.record import replace
from app.store.db.codecs import id_list
from app.store.db.times import from_ms, to_ms
from app.store.learning.preferences import load_preference_ids, load_preferences, load_some_preferences
from app.store.outbox import IS_OPEN, item_of
from app.store.reader.base_reader import DatabaseReader, reads
from app.store.requests.artifacts import ArtifactFolder
from app.store.requests.requests import load_request, load_request_ids, load_requests
from app.store.reviews.review_rows import load_drafted_reply, load_review, load_review_ids, load_review_rows, load_section_sizes
from app.store.runs.audit import load_trace
from app.store.runs.model_calls import load_sent_by_day, load_sent_calls
from app.store.runs.runs import load_run, load_runs

_COUNTS = """SELECT
    (SELECT count(*) FROM reviews WHERE status = 'pending'),
    (SELECT count(*) FROM thread_labels WHERE label = 'INBOX' AND unread),
    (SELECT count(*) FROM outbox INDEXED BY outbox_due
        WHERE IS_OPEN AND state <> 'uncertain'),
    (SELECT count(*) FROM outbox INDEXED BY outbox_due
        WHERE IS_OPEN AND state = 'uncertain')
        + (SELECT count(*) FROM outbox INDEXED BY outbox_held WHERE state = 'held'),
    (SELECT count(*) FROM messages)""".replace("IS_OPEN", IS_OPEN)
"""Open items are counted through their indexes, because sent items are very many."""

_SPENT = """SELECT count(*), coalesce(sum(prompt_tokens + completion_tokens), 0), coalesce(sum(cost_usd), 0.0)
    FROM llm_calls INDEXED BY llm_calls_at WHERE at BETWEEN ? AND ? AND run_id = ?"""
"""Model calls have no index by run; those of a request are between its creation and its last change."""
_LETTERS = ("send", "gmail_draft")
LATE_MS = 60_000
FOREVER_MS = 2**62

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

_OPEN = """SELECT * FROM outbox WHERE id IN (
        SELECT id FROM outbox INDEXED BY outbox_due WHERE IS_OPEN
        UNION ALL SELECT id FROM outbox INDEXED BY outbox_held WHERE state = 'held')
    ORDER BY id DESC""".replace("IS_OPEN", IS_OPEN)

_NEWEST = """WITH listed (id, closed) AS (
        SELECT id, 0 FROM outbox INDEXED BY outbox_due WHERE IS_OPEN AND WANTED
        UNION ALL SELECT id, 0 FROM outbox INDEXED BY outbox_held WHERE state = 'held' AND WANTED
        UNION ALL SELECT * FROM (
            SELECT id, 1 FROM outbox WHERE state IN ('sent', 'cancelled') AND WANTED ORDER BY id DESC LIMIT ?))
    SELECT id FROM listed ORDER BY closed, id DESC LIMIT ?""".replace("IS_OPEN", IS_OPEN)

_CHANGES = "kind IN ('modify', 'create_label')"
_OUTGOING = f"(NOT {_CHANGES} OR state IN ('held', 'uncertain'))"
_TEXT = "SELECT o.kind, substr(m.mime, 1, 262144) FROM outbox o JOIN outbox_mime m ON m.outbox_id = o.id WHERE o.id = ?"
"""The text comes before the files."""

_CHANGE_KEY = """SELECT a.key FROM action_items i JOIN actions a ON a.key = i.key
    WHERE i.outbox_id = ? AND a.undone_at IS NULL"""
_ROWS = """SELECT o.*, coalesce((SELECT max(d.decided_at) FROM decisions d
        WHERE d.review_id = o.review_id AND d.outbox_id = o.id),
        o.created_at) AS approved
    FROM json_each(?) l CROSS JOIN outbox o ON o.id = l.value"""
"""Finds an item's decision by its review; scanning all decisions takes seconds when there are many."""


class SqliteWorkReader(DatabaseReader):
    """The part of `MailboxReader` about the work of agents and the assistant."""

    def counts(self) -> MailboxCounts:
        return MailboxCounts(*self.rows(_COUNTS)[0])

    review_ids = reads(load_review_ids)
    section_sizes = reads(load_section_sizes)
    review_rows = reads(load_review_rows)
    review = reads(load_review)
    drafted_reply = reads(load_drafted_reply)

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        ids = self.outbox_ids(limit)
        found = self.outbox_of(ids)
        return tuple(found[key] for key in ids if key in found)

    def outbox_ids(self, limit: int = 500, changes: bool = False) -> tuple[OutboxId, ...]:
        sql = _NEWEST.replace("WANTED", _CHANGES if changes else _OUTGOING)
        return tuple(OutboxId(row[0]) for row in self.rows(sql, (limit, limit)))

    def change_key(self, outbox_id: OutboxId) -> str:
        return next((str(row[0]) for row in self.rows(_CHANGE_KEY, (outbox_id,))), "")

    def outbox_text(self, outbox_id: OutboxId) -> str:
        return next((mail_text(mime) for kind, mime in self.rows(_TEXT, (outbox_id,)) if kind in _LETTERS), "")

    def outbox_of(self, ids: Sequence[int]) -> dict[int, OutboxRow]:
        rows = self.rows(_ROWS, (id_list(ids),))
        return {row["id"]: OutboxRow(item_of(row, b""), from_ms(row["approved"])) for row in rows}

    def open_items(self) -> tuple[OutboxItem, ...]:
        return tuple(item_of(row, b"") for row in self.rows(_OPEN))

    runs = reads(load_runs)
    run = reads(load_run)
    trace = reads(load_trace)
    sent_by_day = reads(load_sent_by_day)
    sent_calls = reads(load_sent_calls)
    preferences = reads(load_preferences)

    def archive_lessons(self) -> tuple[ArchiveLesson, ...]:
        rows = self.rows("SELECT account_id, examples, answered, at FROM owner_models ORDER BY account_id")
        return tuple(ArchiveLesson(AccountId(row[0]), row[1], row[2], from_ms(row[3])) for row in rows)

    preference_ids = reads(load_preference_ids)
    preferences_of = reads(load_some_preferences)
    request_ids = reads(load_request_ids)
    requests_of = reads(load_requests)
    request = reads(load_request)

    def spent_on(self, request: Request) -> tuple[int, int, float]:
        last_ms = to_ms(request.updated_at) + LATE_MS if request.status in RESTING else FOREVER_MS
        (row,) = self.rows(_SPENT, (to_ms(request.created_at), last_ms, request.run_id))
        return row[0], row[1], float(row[2])

    def document(self, handle: ArtifactHandle) -> Path | None:
        with suppress(NotFound):
            return ArtifactFolder(DataFolder(self._path.parent).artifacts).copy_out(handle)
        return None

    def days_of_work(self, since: datetime) -> tuple[DailyWork, ...]:
        return self.load(load_days, to_ms(since))


def mail_text(mime: bytes) -> str:
    """The plain text of a composed mail, whose files may be cut off."""
    from email import message_from_bytes, policy  # loads 20 modules

    body = message_from_bytes(mime, policy=policy.default).get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


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
