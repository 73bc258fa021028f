"""Version 8: the address books of accounts, contact by contact, and the user's own notes on a correspondent."""

import sqlite3

STATEMENTS = (
    # Where the next sync of an address book begins; an empty token reads it whole.
    """CREATE TABLE address_books (
        account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        sync_token TEXT NOT NULL,
        read_at INTEGER NOT NULL)""",
    # `resource` and `etag` are Google's; `emails` is a JSON list of lower-case addresses.
    """CREATE TABLE book_people (
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        resource TEXT NOT NULL,
        etag TEXT NOT NULL,
        emails TEXT NOT NULL,
        name TEXT NOT NULL,
        organization TEXT NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (account_id, resource)) WITHOUT ROWID""",
    """CREATE TABLE contact_notes (
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        email TEXT NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (account_id, email)) WITHOUT ROWID""",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables of version 8."""
    for statement in STATEMENTS:
        connection.execute(statement)
