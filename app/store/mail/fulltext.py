"""The full-text indexes of mail and contacts. They are caches that can be rebuilt from their tables.

Mail is indexed many messages at a time, because each write of the index is expensive. Messages with an id above the highest id in
the index are not indexed yet; nothing else records this, so nothing can disagree with it.
"""

import sqlite3
from collections.abc import Collection

from app.domain.ids import MessageId
from app.store.db.codecs import id_list

AT_ONCE = 1000
"""How many messages may wait for the index during a first sync: a tenth of a second of work, and about what FTS5 may hold in
memory before it writes (`hashsize`)."""

_UPTO = "SELECT coalesce(max(id), 0) FROM mail_fts_docsize"
_WAITING = "SELECT count(*) FROM messages WHERE id > ?"
_INDEX_ABOVE = """INSERT INTO mail_fts (rowid, subject, sender, recipients, copies, blind_copies, body)
    SELECT id, subject, sender, recipients, copies, blind_copies, body FROM mail_text WHERE id > ?"""
_INDEX = """INSERT INTO mail_fts (rowid, subject, sender, recipients, copies, blind_copies, body)
    SELECT id, subject, sender, recipients, copies, blind_copies, body FROM mail_text
    WHERE id IN (SELECT value FROM json_each(?))"""
_UNINDEX = """INSERT INTO mail_fts (mail_fts, rowid, subject, sender, recipients, copies, blind_copies, body)
    SELECT 'delete', id, subject, sender, recipients, copies, blind_copies, body FROM mail_text
    WHERE id IN (SELECT value FROM json_each(?)) AND id <= ?"""


def indexed_upto(connection: sqlite3.Connection) -> int:
    """The highest message id in the index."""
    return int(connection.execute(_UPTO).fetchone()[0])


def waiting(connection: sqlite3.Connection) -> int:
    """How many messages are not indexed yet."""
    return int(connection.execute(_WAITING, (indexed_upto(connection),)).fetchone()[0])


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


REBUILD = (
    "INSERT INTO mail_fts (mail_fts) VALUES ('rebuild')",
    "INSERT INTO contact_fts (contact_fts) VALUES ('rebuild')",
)
CHECK = (
    "INSERT INTO mail_fts (mail_fts, rank) VALUES ('integrity-check', 1)",
    "INSERT INTO contact_fts (contact_fts, rank) VALUES ('integrity-check', 1)",
)


def rebuild_indexes(connection: sqlite3.Connection) -> None:
    """Rebuilds both indexes; no deleted text remains in them."""
    for statement in REBUILD:
        connection.execute(statement)


def check_indexes(connection: sqlite3.Connection) -> None:
    """Raises `sqlite3.DatabaseError` when an index and its table differ."""
    for statement in CHECK:
        connection.execute(statement)
