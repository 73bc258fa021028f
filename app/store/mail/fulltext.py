"""The full-text index of mail, kept beside the messages: written for many messages at once, since each write of it is dear.

What is not indexed yet are the messages above the highest number in the index; nothing else is noted, so nothing can differ.

The full-text indexes, of mail and of contacts: caches, built anew from their tables.
"""

import sqlite3
from collections.abc import Collection

from app.domain.ids import MessageId
from app.store.db.codecs import id_list

AT_ONCE = 1000
"""So many messages may wait while a mailbox is fetched; a tenth of a second's work, and about what FTS5 is let to hold in memory
before it writes (`hashsize`)."""

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
    """The highest message that is in the index."""
    return int(connection.execute(_UPTO).fetchone()[0])


def waiting(connection: sqlite3.Connection) -> int:
    """How many messages are not in the index yet."""
    return int(connection.execute(_WAITING, (indexed_upto(connection),)).fetchone()[0])


def index_waiting(connection: sqlite3.Connection) -> None:
    """Put in what is not in yet, inside the caller's transaction."""
    connection.execute(_INDEX_ABOVE, (indexed_upto(connection),))


def take_out(connection: sqlite3.Connection, ids: Collection[MessageId]) -> list[MessageId]:
    """Take these messages out while their text can still be read; those that were in."""
    upto = indexed_upto(connection)
    connection.execute(_UNINDEX, (id_list(ids), upto))
    return [one for one in ids if one <= upto]


def put_back(connection: sqlite3.Connection, ids: Collection[MessageId]) -> None:
    """Put in again what was taken out, with its text of now."""
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
    """Build them anew; nothing of what was deleted is in them afterwards."""
    for statement in REBUILD:
        connection.execute(statement)


def check_indexes(connection: sqlite3.Connection) -> None:
    """Raises `sqlite3.DatabaseError` where an index and its table differ."""
    for statement in CHECK:
        connection.execute(statement)
