"""Reads rows of the local copy as domain objects, for the engine's tables and the window's reader."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.domain.mail.message import GMAIL, Account, Address, Attachment, Label, Message, SendAs, ThreadRow
from app.store.db.codecs import id_list, unpack_addresses, unpack_pairs, unpack_strings, unpack_text
from app.store.db.records import record
from app.store.db.times import from_ms

ALL_MAIL = "*"
"""The pseudo label of threads with a message outside spam and trash."""

_PAST = """SELECT id FROM (SELECT id, date FROM messages WHERE account_id = :account AND date >= :since
    UNION ALL SELECT * FROM (SELECT id, date FROM messages WHERE account_id = :account AND date < :since
        ORDER BY date DESC, id DESC LIMIT :before))
    WHERE id NOT IN (SELECT message_id FROM message_labels WHERE label = 'DRAFT') ORDER BY date, id"""

_DRAFTED = """SELECT r.thread_id, p.complete FROM reviews r INDEXED BY reviews_thread
    JOIN review_revisions p ON p.review_id = r.id AND p.revision = r.revision
    WHERE r.thread_id IN (SELECT value FROM json_each(?)) AND r.status = 'pending' AND r.kind = 'reply'"""

_ROWS = """SELECT *, EXISTS (SELECT 1 FROM muted WHERE thread_id = threads.id) AS muted,
        EXISTS (SELECT 1 FROM letters l WHERE l.reminded = threads.id AND NOT EXISTS (SELECT 1 FROM messages m
            WHERE m.thread_id = threads.id AND (m.date > l.remind_at OR m.id IN (SELECT message_id FROM waiting_dismissed))))
        AS no_reply
    FROM threads WHERE id IN (SELECT value FROM json_each(?))"""


def load_message(connection: sqlite3.Connection, message_id: MessageId) -> Message | None:
    return next(
        iter(_loaded(connection, connection.execute("SELECT * FROM whole_messages WHERE id = ?", (message_id,)).fetchall())), None
    )


def load_by_gmail_id(connection: sqlite3.Connection, account_id: AccountId, gmail_id: GmailId) -> Message | None:
    found = connection.execute(
        "SELECT * FROM whole_messages WHERE account_id = ? AND gmail_id = ?", (account_id, gmail_id)
    ).fetchall()
    return next(iter(_loaded(connection, found)), None)


def load_messages(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[MessageId, Message]:
    """Messages with bodies by id, without those that are gone."""
    sql = "SELECT * FROM whole_messages WHERE id IN (SELECT value FROM json_each(?))"
    return {message.id: message for message in _loaded(connection, connection.execute(sql, (id_list(ids),)).fetchall())}


def load_past(
    connection: sqlite3.Connection, account_id: AccountId, days: int, before: int
) -> tuple[datetime, tuple[MessageId, ...]]:
    """An account's messages of the last `days` before its newest one and up to `before` older ones, without drafts.

    Returns the beginning of the period and the ids, oldest first.
    """
    newest = connection.execute("SELECT coalesce(max(date), 0) FROM messages WHERE account_id = ?", (account_id,)).fetchone()
    since_ms = max(0, newest[0] - days * 24 * 3600 * 1000)
    rows = connection.execute(_PAST, {"account": account_id, "since": since_ms, "before": before})
    return from_ms(since_ms), tuple(MessageId(row[0]) for row in rows)


def load_thread(connection: sqlite3.Connection, thread_id: ThreadId) -> tuple[Message, ...]:
    """The messages of a thread with bodies, oldest first."""
    rows = connection.execute("SELECT * FROM whole_messages WHERE thread_id = ? ORDER BY date, id", (thread_id,)).fetchall()
    return tuple(_loaded(connection, rows))


def load_accounts(connection: sqlite3.Connection, kind: str = GMAIL) -> tuple[Account, ...]:
    """The accounts of a kind in the order they were added."""
    return tuple(account_of(row) for row in connection.execute("SELECT * FROM accounts WHERE kind = ? ORDER BY id", (kind,)))


def load_labels(connection: sqlite3.Connection, account_id: AccountId) -> tuple[Label, ...]:
    """An account's labels sorted by name."""
    sql = "SELECT gmail_label_id, name, kind FROM labels WHERE account_id = ? ORDER BY name, gmail_label_id"
    return tuple(Label(*row) for row in connection.execute(sql, (account_id,)))


def load_thread_rows(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[ThreadId, ThreadRow]:
    """List rows by thread id, without those that are gone."""
    wanted = id_list(ids)
    labels: dict[int, list[str]] = defaultdict(list)
    sql = "SELECT thread_id, label FROM thread_labels WHERE thread_id IN (SELECT value FROM json_each(?)) AND label <> ?"
    for thread_id, label in connection.execute(sql, (wanted, ALL_MAIL)):
        labels[thread_id].append(label)
    drafted: dict[int, int] = dict(connection.execute(_DRAFTED, (wanted,)).fetchall())
    found = connection.execute(_ROWS, (wanted,))
    return {ThreadId(row["id"]): _thread_row(row, tuple(labels[row["id"]]), drafted.get(row["id"])) for row in found}


def account_of(row: sqlite3.Row) -> Account:
    identities = msgspec.json.decode(row["identities"], type=tuple[SendAs, ...])
    return record(Account, row, send_as=unpack_strings(row["send_as"]), identities=identities)


def _loaded(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> list[Message]:
    """Builds messages from joined rows; labels and attachments take one query each."""
    wanted = id_list(row["id"] for row in rows)
    labels: dict[int, set[str]] = defaultdict(set)
    sql = "SELECT message_id, label FROM message_labels WHERE message_id IN (SELECT value FROM json_each(?))"
    for message_id, label in connection.execute(sql, (wanted,)):
        labels[message_id].add(label)
    parts: dict[int, list[Attachment]] = defaultdict(list)
    sql = "SELECT * FROM attachments WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id"
    for row in connection.execute(sql, (wanted,)):
        parts[row["message_id"]].append(record(Attachment, row))
    return [_message(row, frozenset(labels[row["id"]]), tuple(parts[row["id"]])) for row in rows]


def _message(row: sqlite3.Row, labels: frozenset[str], attachments: tuple[Attachment, ...]) -> Message:
    return record(
        Message,
        row,
        sender=Address(row["sender_email"], row["sender_name"]),
        to=unpack_addresses(row["to_list"]),
        cc=unpack_addresses(row["cc_list"]),
        bcc=unpack_addresses(row["bcc_list"]),
        reply_to=unpack_addresses(row["reply_to_list"]),
        body_text=row["text"],
        body_html=unpack_text(row["html"]),
        references=unpack_strings(row["reference_ids"]),
        headers=unpack_pairs(row["headers"]),
        labels=labels,
        attachments=attachments,
    )


def _thread_row(row: sqlite3.Row, labels: tuple[str, ...], complete: int | None) -> ThreadRow:
    drafted, blanks = complete is not None, complete == 0
    return record(ThreadRow, row, date=from_ms(row["last_date"]), labels=labels, draft_ready=drafted, draft_blanks=blanks)
