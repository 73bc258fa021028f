"""Version 7: the owner's own changes with the way back, snoozed threads, downloaded files, and mail archives."""

import sqlite3

STATEMENTS = (
    # 'gmail' or 'archive': an archive is a file of old mail, read once and never written to.
    "ALTER TABLE accounts ADD COLUMN kind TEXT NOT NULL DEFAULT 'gmail'",
    # One change the owner asked for; its outbox items say exactly which messages it touched, and so how to undo it.
    """CREATE TABLE actions (
        key TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        undone_at INTEGER) WITHOUT ROWID""",
    """CREATE TABLE action_items (
        key TEXT NOT NULL REFERENCES actions ON DELETE CASCADE,
        outbox_id INTEGER NOT NULL REFERENCES outbox ON DELETE CASCADE,
        PRIMARY KEY (key, outbox_id)) WITHOUT ROWID""",
    "CREATE INDEX action_items_outbox ON action_items (outbox_id)",
    """CREATE INDEX outbox_changes ON outbox (account_id, id)
        WHERE state = 'queued' AND kind IN ('modify', 'create_label')""",
    # `message_ids` are those that lay in the inbox and come back to it.
    """CREATE TABLE snoozes (
        thread_id INTEGER PRIMARY KEY REFERENCES threads ON DELETE CASCADE,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        until INTEGER NOT NULL,
        message_ids TEXT NOT NULL,
        action TEXT NOT NULL)""",
    "CREATE INDEX snoozes_until ON snoozes (until)",
    "CREATE INDEX snoozes_account ON snoozes (account_id)",
    # A part of a message on disk, or on its way there; part id '*' is the whole source.
    """CREATE TABLE downloads (
        message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
        part_id TEXT NOT NULL,
        state TEXT NOT NULL,
        path TEXT NOT NULL,
        size INTEGER NOT NULL,
        error TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (message_id, part_id)) WITHOUT ROWID""",
    "CREATE INDEX downloads_at ON downloads (at)",
    """CREATE TABLE archives (
        account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        path TEXT NOT NULL,
        state TEXT NOT NULL,
        place TEXT NOT NULL,
        done_bytes INTEGER NOT NULL,
        total_bytes INTEGER NOT NULL,
        mails INTEGER NOT NULL)""",
    # Where in its file an archived message stands: its attachments are read from there.
    """CREATE TABLE archive_places (
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        gmail_id TEXT NOT NULL,
        file TEXT NOT NULL,
        start INTEGER NOT NULL,
        length INTEGER NOT NULL,
        PRIMARY KEY (account_id, gmail_id)) WITHOUT ROWID""",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables, the column and the indexes of version 7."""
    for statement in STATEMENTS:
        connection.execute(statement)
