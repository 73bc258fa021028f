"""Version 6: mail written by hand with its files, text templates, and sent mail whose answer is no longer waited for.

A letter's `changes` counts every change of text or files; the copy in Gmail is up to date when `synced` says the same.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE letters (
        id TEXT PRIMARY KEY,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind TEXT NOT NULL,
        sender TEXT NOT NULL,
        to_list TEXT NOT NULL,
        cc_list TEXT NOT NULL,
        bcc_list TEXT NOT NULL,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        marks TEXT NOT NULL,
        about_message INTEGER NOT NULL,
        quoted INTEGER NOT NULL,
        signed INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        changes INTEGER NOT NULL DEFAULT 1,
        state TEXT NOT NULL DEFAULT 'open',
        outbox_id INTEGER NOT NULL DEFAULT 0,
        seen_tip TEXT NOT NULL DEFAULT '',
        marker TEXT NOT NULL UNIQUE,
        draft_id TEXT NOT NULL DEFAULT '',
        draft_gmail_id TEXT NOT NULL DEFAULT '',
        synced INTEGER NOT NULL DEFAULT 0,
        doubt INTEGER NOT NULL DEFAULT 0,
        adopted_id TEXT NOT NULL DEFAULT '',
        elsewhere TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX letters_state ON letters (state, updated_at)",
    "CREATE INDEX letters_outbox ON letters (outbox_id) WHERE outbox_id <> 0",
    # `data` is NULL until a file of another mail was fetched from `source_gmail_id`, `source_part`.
    """CREATE TABLE letter_files (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        letter_id TEXT NOT NULL REFERENCES letters ON DELETE CASCADE,
        name TEXT NOT NULL,
        mime_type TEXT NOT NULL,
        size INTEGER NOT NULL,
        source_gmail_id TEXT NOT NULL DEFAULT '',
        source_part TEXT NOT NULL DEFAULT '',
        data BLOB)""",
    "CREATE INDEX letter_files_letter ON letter_files (letter_id)",
    """CREATE TABLE templates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        uses INTEGER NOT NULL DEFAULT 0,
        updated_at INTEGER NOT NULL,
        deleted_at INTEGER)""",
    """CREATE TABLE waiting_dismissed (
        message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
        at INTEGER NOT NULL)""",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables of version 6."""
    for statement in STATEMENTS:
        connection.execute(statement)
