"""Thread rows as lists show them, updated in the transaction that changes the messages."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from app.domain.errors import NotFound
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import Triage
from app.store.db.codecs import id_list, storable, unpack_addresses
from app.store.mail.mail_rows import ALL_MAIL

SENDERS_SHOWN = 3

_MESSAGES = """SELECT thread_id, id, date, sender_email, sender_name, to_list, subject, snippet, has_attachment, outgoing,
        decision, category, confidence
    FROM messages WHERE thread_id IN (SELECT value FROM json_each(?)) ORDER BY thread_id, date, id"""

_LABELS = """SELECT message_id, label FROM message_labels
    WHERE message_id IN (SELECT id FROM messages WHERE thread_id IN (SELECT value FROM json_each(?)))"""

_UPDATE = """UPDATE threads SET sender = ?, subject = ?, snippet = ?, last_date = ?, message_count = ?, unread = ?,
    starred = ?, has_attachment = ?, decision = ?, category = ?, confidence = ? WHERE id = ?"""

_PUT_LABEL = """INSERT INTO thread_labels (thread_id, label, last_date, unread) VALUES (?, ?, ?, ?)
    ON CONFLICT (thread_id, label) DO UPDATE SET last_date = excluded.last_date, unread = excluded.unread"""

_HIDING = (SystemLabel.TRASH, SystemLabel.SPAM)


class _Message(NamedTuple):
    """A row of `_MESSAGES`."""

    thread_id: int
    id: int
    date: int
    sender_email: str
    sender_name: str
    to_list: str
    subject: str
    snippet: str
    has_attachment: int
    outgoing: int
    decision: str
    category: str
    confidence: float


LabelRow = tuple[int, str, int, bool]


def refresh(connection: sqlite3.Connection, thread_ids: Collection[ThreadId]) -> None:
    """Updates the summaries of these threads; deletes threads without messages."""
    if not thread_ids:
        return
    wanted = id_list(thread_ids)
    labels: dict[int, set[str]] = defaultdict(set)
    for message_id, label in connection.execute(_LABELS, (wanted,)):
        labels[message_id].add(label)
    summaries = []
    label_rows: set[LabelRow] = set()
    alive: set[int] = set()
    for thread_id, rows in groupby(map(_Message._make, connection.execute(_MESSAGES, (wanted,))), key=itemgetter(0)):
        messages = list(rows)
        shown = _thread_labels(messages, labels)
        written = [row for row in messages if SystemLabel.DRAFT not in labels[row.id]] or messages
        alive.add(thread_id)
        summaries.append((*_summary(written, shown), thread_id))
        label_rows.update((thread_id, label, written[-1].date, unread) for label, unread in shown.items())
    connection.executemany(_UPDATE, summaries)
    _write_labels(connection, wanted, label_rows)
    connection.executemany("DELETE FROM threads WHERE id = ?", [(one,) for one in thread_ids if one not in alive])


def _thread_labels(messages: list[_Message], labels: dict[int, set[str]]) -> dict[str, bool]:
    """Each label of the thread and whether it has an unread message. Mail in trash or spam counts only there."""
    shown: dict[str, bool] = {}
    for row in messages:
        own = labels[row.id]
        unread = SystemLabel.UNREAD in own
        hidden = own.intersection(_HIDING)
        for label in hidden or (*own, ALL_MAIL):
            shown[label] = shown.get(label, False) or unread
    return shown


def _summary(messages: list[_Message], shown: dict[str, bool]) -> tuple[str | int | float, ...]:
    """The columns of `_UPDATE` before the id, of the messages that are no drafts. The verdict is that of the newest message that
    has one.
    """
    newest = messages[-1]
    judged = next((row for row in reversed(messages) if row.decision), newest)
    return (
        _senders(messages),
        messages[0].subject,
        newest.snippet,
        newest.date,
        len(messages),
        any(shown.values()),
        SystemLabel.STARRED in shown,
        any(row.has_attachment for row in messages),
        judged.decision,
        judged.category,
        judged.confidence,
    )


def _senders(messages: list[_Message]) -> str:
    """Who wrote to the owner, in order of appearance. In a thread with only the owner's mail, the recipients."""
    names: dict[str, None] = {row.sender_name or row.sender_email: None for row in messages if not row.outgoing}
    if not names:
        names = {one.name or one.email: None for one in unpack_addresses(messages[-1].to_list)}
    listed = list(names)
    return ", ".join(listed if len(listed) <= SENDERS_SHOWN else [listed[0], "…", *listed[2 - SENDERS_SHOWN :]])


def _write_labels(connection: sqlite3.Connection, wanted: str, rows: set[LabelRow]) -> None:
    """Writes only the label rows that differ."""
    sql = "SELECT thread_id, label, last_date, unread FROM thread_labels WHERE thread_id IN (SELECT value FROM json_each(?))"
    old = {(row[0], row[1], row[2], bool(row[3])) for row in connection.execute(sql, (wanted,))}
    kept = {(thread_id, label) for thread_id, label, _, _ in rows}
    gone = [(thread_id, label) for thread_id, label, _, _ in old if (thread_id, label) not in kept]
    connection.executemany("DELETE FROM thread_labels WHERE thread_id = ? AND label = ?", gone)
    connection.executemany(_PUT_LABEL, sorted(rows - old))


def write_verdict(connection: sqlite3.Connection, message_id: MessageId, triage: Triage) -> ThreadId:
    """Stores a verdict and returns the message's thread. Raises `NotFound`."""
    changed = connection.execute(
        """UPDATE messages SET decision = ?, category = ?, confidence = ?, reason = ?, maker = ? WHERE id = ?
            RETURNING thread_id""",
        (triage.decision, triage.category, triage.confidence, storable(triage.reason), triage.maker, message_id),
    ).fetchall()
    if not changed:
        raise NotFound(f"There is no message {message_id}.")
    thread_id = ThreadId(changed[0][0])
    refresh(connection, (thread_id,))
    return thread_id
