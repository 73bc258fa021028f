"""Writes messages and their parts in sets, inside the caller's transaction.

Also queues jobs for mail that left spam or trash, and keeps uncleaned HTML until it is shown or cleaned ahead. The full-text
indexes of mail and contacts are caches that can be rebuilt from their tables. Messages are indexed many at a time, because
each write of an index is expensive; those with an id above the highest id in the index wait for it. The window reads nothing
here.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from app.domain.errors import DiskFull
from app.domain.ids import AccountId, GmailThreadId, MessageId, ThreadId
from app.domain.language.search_text import folded
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.domain.record import replace
from app.store.db.codecs import id_list, pack_addresses, pack_pairs, pack_sources, pack_strings, pack_text, storable, unpack_text
from app.store.db.database import Database, add_functions
from app.store.db.jobs import put_many
from app.store.db.times import to_ms

Numbered = tuple[MessageId, RemoteMessage]

_INSERT_MESSAGE = """INSERT INTO messages (id, account_id, thread_id, gmail_id, date, sender_email, sender_name, to_list,
    cc_list, bcc_list, reply_to_list, subject, snippet, rfc822_id, in_reply_to, reference_ids, size, has_attachment, outgoing,
    list_id, delivered_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_INSERT_ATTACHMENT = """INSERT INTO attachments (message_id, part_id, filename, mime_type, size, content_id, inline, folded_name)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""

_DELETE_PARTS = (
    "DELETE FROM html_sources WHERE message_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM bodies WHERE message_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM attachments WHERE message_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM message_labels WHERE message_id IN (SELECT value FROM json_each(?))",
)


def next_message_id(connection: sqlite3.Connection) -> MessageId:
    """One above the highest id ever used. Runs and reviews refer to message ids, so none is used twice."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").fetchone()
    return MessageId(1 if row is None else row[0] + 1)


def thread_ids_for(
    connection: sqlite3.Connection, account_id: AccountId, gmail_ids: Collection[GmailThreadId]
) -> dict[GmailThreadId, ThreadId]:
    """Thread ids by Gmail's ids; creates missing threads."""
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
    """Inserts new messages with bodies, labels and attachments. The full-text index is written separately."""
    connection.executemany(
        _INSERT_MESSAGE, [_message_row(account_id, threads[one.gmail_thread_id], number, one) for number, one in numbered]
    )
    _insert_parts(connection, numbered)


def replace_content(
    connection: sqlite3.Connection, account_id: AccountId, numbered: Sequence[Numbered], threads: dict[GmailThreadId, ThreadId]
) -> None:
    """Replaces the content of stored messages. Their ids and verdicts stay."""
    numbers = [number for number, _ in numbered]
    ids = id_list(numbers)
    indexed = take_out(connection, numbers)
    for statement in _DELETE_PARTS:
        connection.execute(statement, (ids,))
    rows = [_message_row(account_id, threads[one.gmail_thread_id], number, one) for number, one in numbered]
    connection.executemany(
        """UPDATE messages SET thread_id = ?2, date = ?4, sender_email = ?5, sender_name = ?6, to_list = ?7, cc_list = ?8,
            bcc_list = ?9, reply_to_list = ?10, subject = ?11, snippet = ?12, rfc822_id = ?13, in_reply_to = ?14,
            reference_ids = ?15, size = ?16, has_attachment = ?17, outgoing = ?18, list_id = ?19,
            delivered_to = ?20 WHERE id = ?1""",
        [(row[0], *row[2:]) for row in rows],
    )
    _insert_parts(connection, numbered)
    put_back(connection, indexed)


def delete_messages(connection: sqlite3.Connection, ids: Collection[MessageId]) -> None:
    """Deletes messages and their parts. The full-text index comes first, because it needs their text."""
    wanted = id_list(ids)
    take_out(connection, ids)
    connection.execute("DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))", (wanted,))


def change_labels(
    connection: sqlite3.Connection, add: Iterable[tuple[MessageId, str]], remove: Iterable[tuple[MessageId, str]]
) -> None:
    """Adds and removes labels of messages. Ignores labels already present or absent."""
    connection.executemany("INSERT OR IGNORE INTO message_labels (message_id, label) VALUES (?, ?)", list(add))
    connection.executemany("DELETE FROM message_labels WHERE message_id = ? AND label = ?", list(remove))


def _known_threads(connection: sqlite3.Connection, account_id: AccountId, wanted: str) -> dict[GmailThreadId, ThreadId]:
    sql = """SELECT gmail_thread_id, id FROM threads
        WHERE account_id = ? AND gmail_thread_id IN (SELECT value FROM json_each(?))"""
    return {GmailThreadId(gmail_id): ThreadId(number) for gmail_id, number in connection.execute(sql, (account_id, wanted))}


def _insert_parts(connection: sqlite3.Connection, numbered: Sequence[Numbered]) -> None:
    """Inserts bodies, HTML sources, labels and attachments of messages whose rows exist."""
    connection.executemany(
        "INSERT INTO bodies (message_id, text, html, headers, too_slow) VALUES (?, ?, ?, ?, ?)",
        [
            (number, storable(one.body_text), pack_text(one.body_html), pack_pairs(one.headers), one.too_slow)
            for number, one in numbered
        ],
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
            (
                number,
                part.part_id,
                storable(part.filename),
                part.mime_type,
                part.size,
                part.content_id,
                part.inline,
                folded(storable(part.filename)),
            )
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
        storable(one.header("List-Id").lower()),
        storable(" ".join(value for name, value in one.headers if name.lower() == "delivered-to").lower()),
    )


ROUTED_WITHIN = timedelta(days=14)
"""Older mail needs no answer from us when it leaves spam or trash."""

_HIDDEN = """SELECT DISTINCT message_id FROM message_labels
    WHERE message_id IN (SELECT value FROM json_each(?)) AND label IN ('SPAM', 'TRASH')"""

_RESCUED = """SELECT m.id, m.date FROM messages m WHERE m.id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('SPAM', 'TRASH', 'DRAFT'))"""

_TO_ROUTE = """SELECT m.id, m.date FROM messages m JOIN sync_state s ON s.account_id = m.account_id
    JOIN message_labels i ON i.message_id = m.id AND i.label = 'INBOX'
    WHERE m.id IN (SELECT value FROM json_each(?)) AND NOT m.outgoing AND m.decision = '' AND m.date >= max(s.triage_since, ?)"""


def hidden_among(connection: sqlite3.Connection, ids: Collection[MessageId]) -> frozenset[MessageId]:
    """The messages among `ids` that are in spam or trash."""
    if not ids:
        return frozenset()
    return frozenset(MessageId(row[0]) for row in connection.execute(_HIDDEN, (id_list(ids),)))


def queue_rescued(connection: sqlite3.Connection, hidden: Collection[MessageId], now: datetime) -> Sequence[MessageId]:
    """Queues `index` jobs for messages of `hidden` that have left spam and trash, and returns them.

    A message also gets a `route` job if it is in the inbox, not the owner's own, without a verdict, at most `ROUTED_WITHIN` old
    and newer than the owner's consent to triage.
    """
    if not hidden:
        return ()
    back = connection.execute(_RESCUED, (id_list(hidden),)).fetchall()
    put_many(connection, "index", [(str(number), date) for number, date in back])
    ids = [MessageId(number) for number, _ in back]
    news = connection.execute(_TO_ROUTE, (id_list(ids), to_ms(now - ROUTED_WITHIN))).fetchall()
    put_many(connection, "route", [(str(number), date) for number, date in news])
    return ids


Clean = Callable[[str], str | None]
"""Turns HTML as received into HTML that is safe to show; None if that takes too long."""

_WAITING = """SELECT m.id FROM messages m INDEXED BY messages_date WHERE m.date >= ?
    AND EXISTS (SELECT 1 FROM html_sources s WHERE s.message_id = m.id) ORDER BY m.date DESC LIMIT ?"""
_SOURCES = "SELECT message_id, source FROM html_sources WHERE message_id IN (SELECT value FROM json_each(?))"


class HtmlSources:
    """The table `html_sources`: HTML that is not cleaned yet."""

    def __init__(self, db: Database, clean: Clean) -> None:
        self._db, self._clean = db, clean

    def waiting(self, since_ms: int, limit: int) -> list[MessageId]:
        """Messages with uncleaned HTML, dated from Unix milliseconds `since_ms` on, newest first."""
        return [MessageId(row[0]) for row in self._db.read(_WAITING, (since_ms, limit))]

    def clean(self, ids: Iterable[MessageId]) -> None:
        """Cleans the waiting HTML of these messages and stores the result."""
        cleaned = self._cleaned(ids)
        if cleaned:
            self._keep(cleaned)

    def shown(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """The messages with clean HTML. Cleans what waits; on a full disk the result is not stored."""
        waiting = [one.id for one in messages if one.html_waits]
        if not waiting:
            return messages
        cleaned = self._cleaned(waiting)
        with suppress(DiskFull):  # the source stays, and the next reader cleans it again
            self._keep(cleaned)
        return tuple(
            replace(one, body_html=cleaned.get(one.id) or "", html_waits=False, too_slow=cleaned.get(one.id, "") is None)
            if one.html_waits
            else one
            for one in messages
        )

    def _cleaned(self, ids: Iterable[MessageId]) -> dict[MessageId, str | None]:
        rows = self._db.read(_SOURCES, (id_list(ids),))
        return {MessageId(number): self._clean(unpack_text(source)) for number, source in rows}

    def _keep(self, cleaned: Mapping[MessageId, str | None]) -> None:
        """Stores clean HTML and deletes its source, unless the message was replaced or deleted meanwhile."""
        with self._db.transaction() as connection:
            for number, html in cleaned.items():
                if connection.execute("DELETE FROM html_sources WHERE message_id = ?", (number,)).rowcount:
                    values = (pack_text(html or ""), html is None, number)
                    connection.execute("UPDATE bodies SET html = ?, too_slow = ? WHERE message_id = ?", values)


AT_ONCE = 1000
"""How many messages may wait for the index during a first sync: a tenth of a second of work, and about what FTS5 may hold in
memory before it writes (`hashsize`)."""

_UPTO = "SELECT coalesce(max(id), 0) FROM mail_fts_docsize"
_NOT_INDEXED = "SELECT count(*) FROM messages WHERE id > ?"
_INDEX_ABOVE = """INSERT INTO mail_fts (rowid, subject, sender, recipients, copies, blind_copies, body, files, file_text)
    SELECT id, subject, sender, recipients, copies, blind_copies, body, files, file_text FROM mail_text WHERE id > ?"""
_INDEX = """INSERT INTO mail_fts (rowid, subject, sender, recipients, copies, blind_copies, body, files, file_text)
    SELECT id, subject, sender, recipients, copies, blind_copies, body, files, file_text FROM mail_text
    WHERE id IN (SELECT value FROM json_each(?))"""
_UNINDEX = """INSERT INTO mail_fts (mail_fts, rowid, subject, sender, recipients, copies, blind_copies, body, files, file_text)
    SELECT 'delete', id, subject, sender, recipients, copies, blind_copies, body, files, file_text FROM mail_text
    WHERE id IN (SELECT value FROM json_each(?)) AND id <= ?"""


def indexed_upto(connection: sqlite3.Connection) -> int:
    """The highest message id in the index."""
    return int(connection.execute(_UPTO).fetchone()[0])


def waiting(connection: sqlite3.Connection) -> int:
    """How many messages are not indexed yet."""
    return int(connection.execute(_NOT_INDEXED, (indexed_upto(connection),)).fetchone()[0])


def index_waiting(connection: sqlite3.Connection) -> None:
    """Indexes all messages that are not indexed yet, inside the caller's transaction."""
    connection.execute(_INDEX_ABOVE, (indexed_upto(connection),))


def take_out(connection: sqlite3.Connection, ids: Collection[MessageId]) -> list[MessageId]:
    """Removes messages from the index while their text can still be read. Returns those that were indexed."""
    upto = indexed_upto(connection)
    connection.execute(_UNINDEX, (id_list(ids), upto))
    return [one for one in ids if one <= upto]


def put_back(connection: sqlite3.Connection, ids: Collection[MessageId]) -> None:
    """Indexes messages again with their current text."""
    connection.execute(_INDEX, (id_list(ids),))


REBUILD = ("INSERT INTO mail_fts (mail_fts) VALUES ('rebuild')", "INSERT INTO contact_fts (contact_fts) VALUES ('rebuild')")
CHECK = (
    "INSERT INTO mail_fts (mail_fts, rank) VALUES ('integrity-check', 1)",
    "INSERT INTO contact_fts (contact_fts, rank) VALUES ('integrity-check', 1)",
)


def rebuild_indexes(connection: sqlite3.Connection) -> None:
    """Rebuilds both indexes; no deleted text remains in them."""
    add_functions(connection)
    for statement in REBUILD:
        connection.execute(statement)


def check_indexes(connection: sqlite3.Connection) -> None:
    """Raises `sqlite3.DatabaseError` when an index and its table differ."""
    add_functions(connection)
    for statement in CHECK:
        connection.execute(statement)
