"""Write messages and their parts inside a transaction that the caller owns; sets, not single rows.

Refuses to keep thread summaries: `app.store.thread_summary` does, once per transaction.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from app.domain.ids import AccountId, GmailThreadId, MessageId, ThreadId
from app.domain.mail import RemoteMessage, SystemLabel
from app.store.indexing import put_back, take_out
from app.store.instants import to_ms
from app.store.packing import id_list, pack_addresses, pack_pairs, pack_sources, pack_strings, pack_text, storable

Numbered = tuple[MessageId, RemoteMessage]

_INSERT_MESSAGE = """INSERT INTO messages (id, account_id, thread_id, gmail_id, date, sender_email, sender_name, to_list,
    cc_list, bcc_list, reply_to_list, subject, snippet, rfc822_id, in_reply_to, reference_ids, size, has_attachment, outgoing)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_INSERT_ATTACHMENT = """INSERT INTO attachments (message_id, part_id, filename, mime_type, size, content_id, inline)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""

_DELETE_PARTS = (
    "DELETE FROM html_sources WHERE message_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM bodies WHERE message_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM attachments WHERE message_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM message_labels WHERE message_id IN (SELECT value FROM json_each(?))",
)


def next_message_id(connection: sqlite3.Connection) -> MessageId:
    """The id after the highest ever given: ids are never used twice, since runs and reviews remember them."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").fetchone()
    return MessageId(1 if row is None else row[0] + 1)


def thread_ids_for(
    connection: sqlite3.Connection, account_id: AccountId, gmail_ids: Collection[GmailThreadId]
) -> dict[GmailThreadId, ThreadId]:
    """Local threads for Google's ids, made where missing."""
    wanted = id_list(gmail_ids)
    found = _known_threads(connection, account_id, wanted)
    missing = [(account_id, gmail_id) for gmail_id in gmail_ids if gmail_id not in found]
    if not missing:
        return found
    connection.executemany("INSERT INTO threads (account_id, gmail_thread_id) VALUES (?, ?)", missing)
    return _known_threads(connection, account_id, wanted)


def insert_messages(
    connection: sqlite3.Connection, account_id: AccountId, numbered: Sequence[Numbered], threads: dict[GmailThreadId, ThreadId]
) -> None:
    """Insert new messages with bodies, labels and attachments; the full-text index gets them when the page says so."""
    connection.executemany(
        _INSERT_MESSAGE, [_message_row(account_id, threads[one.gmail_thread_id], number, one) for number, one in numbered]
    )
    _insert_parts(connection, numbered)


def replace_content(
    connection: sqlite3.Connection, account_id: AccountId, numbered: Sequence[Numbered], threads: dict[GmailThreadId, ThreadId]
) -> None:
    """Write a message again whose content was decoded anew; its id and its triage stay."""
    numbers = [number for number, _ in numbered]
    ids = id_list(numbers)
    indexed = take_out(connection, numbers)
    for statement in _DELETE_PARTS:
        connection.execute(statement, (ids,))
    rows = [_message_row(account_id, threads[one.gmail_thread_id], number, one) for number, one in numbered]
    connection.executemany(
        """UPDATE messages SET thread_id = ?2, date = ?4, sender_email = ?5, sender_name = ?6, to_list = ?7, cc_list = ?8,
            bcc_list = ?9, reply_to_list = ?10, subject = ?11, snippet = ?12, rfc822_id = ?13, in_reply_to = ?14,
            reference_ids = ?15, size = ?16, has_attachment = ?17, outgoing = ?18 WHERE id = ?1""",
        [(row[0], *row[2:]) for row in rows],
    )
    _insert_parts(connection, numbered)
    put_back(connection, indexed)


def delete_messages(connection: sqlite3.Connection, ids: Collection[MessageId]) -> None:
    """Delete messages and all that hangs on them; the index forgets them first, while their text can still be read."""
    wanted = id_list(ids)
    take_out(connection, ids)
    connection.execute("DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))", (wanted,))


def change_labels(
    connection: sqlite3.Connection, add: Iterable[tuple[MessageId, str]], remove: Iterable[tuple[MessageId, str]]
) -> None:
    """Add and remove labels of messages; what is so already stays so."""
    connection.executemany("INSERT OR IGNORE INTO message_labels (message_id, label) VALUES (?, ?)", list(add))
    connection.executemany("DELETE FROM message_labels WHERE message_id = ? AND label = ?", list(remove))


def _known_threads(connection: sqlite3.Connection, account_id: AccountId, wanted: str) -> dict[GmailThreadId, ThreadId]:
    sql = """SELECT gmail_thread_id, id FROM threads
        WHERE account_id = ? AND gmail_thread_id IN (SELECT value FROM json_each(?))"""
    return {GmailThreadId(gmail_id): ThreadId(number) for gmail_id, number in connection.execute(sql, (account_id, wanted))}


def _insert_parts(connection: sqlite3.Connection, numbered: Sequence[Numbered]) -> None:
    """Bodies, labels and attachments of messages whose own rows stand."""
    connection.executemany(
        "INSERT INTO bodies (message_id, text, html, headers) VALUES (?, ?, ?, ?)",
        [(number, storable(one.body_text), pack_text(one.body_html), pack_pairs(one.headers)) for number, one in numbered],
    )
    waiting = [(number, one.html_source) for number, one in numbered if one.html_source]
    sources = pack_sources(source for _, source in waiting)
    connection.executemany(
        "INSERT INTO html_sources (message_id, source) VALUES (?, ?)",
        [(number, source) for (number, _), source in zip(waiting, sources, strict=True)],
    )
    connection.executemany(
        "INSERT INTO message_labels (message_id, label) VALUES (?, ?)",
        [(number, label) for number, one in numbered for label in one.labels],
    )
    connection.executemany(
        _INSERT_ATTACHMENT,
        [
            (number, part.part_id, storable(part.filename), part.mime_type, part.size, part.content_id, part.inline)
            for number, one in numbered
            for part in one.attachments
        ],
    )


def _message_row(
    account_id: AccountId, thread_id: ThreadId, number: MessageId, one: RemoteMessage
) -> tuple[int | str | bool, ...]:
    """The columns of `_INSERT_MESSAGE`."""
    return (
        number,
        account_id,
        thread_id,
        one.gmail_id,
        to_ms(one.date),
        storable(one.sender.email),
        storable(one.sender.name),
        storable(pack_addresses(one.to)),
        storable(pack_addresses(one.cc)),
        storable(pack_addresses(one.bcc)),
        storable(pack_addresses(one.reply_to)),
        storable(one.subject),
        storable(one.snippet),
        storable(one.rfc822_id),
        storable(one.in_reply_to),
        storable(pack_strings(one.references)),
        one.size,
        any(not part.inline for part in one.attachments),
        SystemLabel.SENT in one.labels,
    )
