"""The full-text indexes, of mail and of contacts: caches, built anew from their tables. Refuses to decide when."""

import sqlite3

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
