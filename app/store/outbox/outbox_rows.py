"""Reads and inserts rows of the outbox, for engine and window.

Also keeps the messages whose labels somebody else changed while a label change of ours was being sent. Which change came last is
unknown, so they are fetched again after ours has left; before that it would show nothing.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.outbox import RESTING, OutboxItem, OutboxKind, OutboxState
from app.store.db.codecs import pack_strings, storable, unpack_strings
from app.store.db.times import from_ms, to_ms

_INSERT = """INSERT INTO outbox (account_id, review_id, kind, state, thread_id, gmail_thread_id, recipients, subject, sha256,
    marker, expected_tip, created_at, not_before, add_labels, remove_labels, message_gmail_ids)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"""

IS_OPEN = "state IN ({})".format(", ".join(f"'{one}'" for one in OutboxState if one not in RESTING))
"""SQL condition for open items. It must match the condition of the index `outbox_due`, or SQLite does not use that index."""


@dataclass(frozen=True, slots=True)
class NewOutbox:
    """An outbox item before it has an id; fields as in `OutboxItem`. `review_id` is 0 without a review."""

    account_id: AccountId
    review_id: ReviewId
    kind: OutboxKind
    thread_id: ThreadId
    gmail_thread_id: GmailThreadId
    to: str
    subject: str
    mime: bytes
    sha256: str
    marker: str
    expected_tip: GmailId
    not_before: datetime
    add_labels: tuple[str, ...] = ()
    remove_labels: tuple[str, ...] = ()
    message_gmail_ids: tuple[GmailId, ...] = ()


def insert_item(connection: sqlite3.Connection, new: NewOutbox, now: datetime) -> OutboxId:
    """Queues an item inside the caller's transaction.

    Raises `NotAllowed` when its marker is taken or its review has an item that may have been sent.
    """
    whose = (new.account_id, new.review_id, new.kind, OutboxState.QUEUED, new.thread_id, new.gmail_thread_id)
    what = (storable(new.to), storable(new.subject), new.sha256, new.marker, new.expected_tip, to_ms(now), to_ms(new.not_before))
    labels = (pack_strings(new.add_labels), pack_strings(new.remove_labels), pack_strings(new.message_gmail_ids))
    try:
        row = connection.execute(_INSERT, (*whose, *what, *labels)).fetchall()[0]
    except sqlite3.IntegrityError as error:
        raise NotAllowed(f"Review {new.review_id} has an outbox item already, or the marker is taken.") from error
    outbox_id = OutboxId(row[0])
    connection.execute("INSERT INTO outbox_mime (outbox_id, mime) VALUES (?, ?)", (outbox_id, new.mime))
    note_step(connection, outbox_id, "", OutboxState.QUEUED, "", now)
    return outbox_id


def note_step(connection: sqlite3.Connection, outbox_id: OutboxId, old: str, new: str, reason: str, now: datetime) -> None:
    """Appends to the item's history."""
    connection.execute(
        "INSERT INTO outbox_steps (outbox_id, old, new, reason, at) VALUES (?, ?, ?, ?, ?)",
        (outbox_id, old, new, reason, to_ms(now)),
    )


def load_item(connection: sqlite3.Connection, outbox_id: OutboxId) -> OutboxItem | None:
    """One item with its MIME bytes, None when it is gone."""
    sql = "SELECT o.*, m.mime FROM outbox o JOIN outbox_mime m ON m.outbox_id = o.id WHERE o.id = ?"
    row = connection.execute(sql, (outbox_id,)).fetchone()
    return None if row is None else item_of(row, row["mime"])


def item_of(row: sqlite3.Row, mime: bytes) -> OutboxItem:
    return OutboxItem(
        id=OutboxId(row["id"]),
        account_id=AccountId(row["account_id"]),
        review_id=ReviewId(row["review_id"]),
        kind=OutboxKind(row["kind"]),
        state=OutboxState(row["state"]),
        thread_id=ThreadId(row["thread_id"]),
        gmail_thread_id=GmailThreadId(row["gmail_thread_id"]),
        to=row["recipients"],
        subject=row["subject"],
        mime=mime,
        sha256=row["sha256"],
        marker=row["marker"],
        expected_tip=GmailId(row["expected_tip"]),
        created_at=from_ms(row["created_at"]),
        not_before=from_ms(row["not_before"]),
        attempts=row["attempts"],
        reason=row["reason"],
        draft_id=GmailDraftId(row["draft_id"]),
        draft_message=GmailId(row["draft_message"]),
        theirs=tuple(GmailDraftId(one) for one in unpack_strings(row["theirs"])),
        sent_gmail_id=GmailId(row["sent_gmail_id"]),
        add_labels=unpack_strings(row["add_labels"]),
        remove_labels=unpack_strings(row["remove_labels"]),
        message_gmail_ids=tuple(GmailId(one) for one in unpack_strings(row["message_gmail_ids"])),
    )


REREAD = "refused"
"""To-fetch reason of a stored message that is fetched again: the server rejected a change of it, another client may have changed
it last, or a label's list was too short to tell."""
REREAD_PRIORITY = 90

_LIST = """INSERT INTO to_fetch (account_id, gmail_id, gmail_thread_id, reason, priority)
    SELECT o.account_id, d.value, o.gmail_thread_id, ?, ? FROM outbox o, json_each(o.doubted) d WHERE o.id = ?
    ON CONFLICT (account_id, gmail_id) DO UPDATE SET reason = excluded.reason, priority = max(priority, excluded.priority)"""


def note_doubts(connection: sqlite3.Connection, outbox_id: OutboxId, ids: Iterable[GmailId]) -> None:
    """Stores messages in doubt with the outbox item."""
    known = connection.execute("SELECT doubted FROM outbox WHERE id = ?", (outbox_id,)).fetchone()[0]
    packed = pack_strings(dict.fromkeys([*(unpack_strings(known) if known else ()), *ids]))
    connection.execute("UPDATE outbox SET doubted = ? WHERE id = ?", (packed, outbox_id))


def settle_doubts(connection: sqlite3.Connection, outbox_id: OutboxId) -> None:
    """Puts the messages in doubt on the to-fetch list, once the change has left."""
    if connection.execute("SELECT 1 FROM outbox WHERE id = ? AND doubted <> ''", (outbox_id,)).fetchone():
        connection.execute(_LIST, (REREAD, REREAD_PRIORITY, outbox_id))
        connection.execute("UPDATE outbox SET doubted = '' WHERE id = ?", (outbox_id,))
