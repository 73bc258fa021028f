"""Version 10: HTML as it came, until somebody wants to see it; accounts that rest, and how long their sign-in lives.

A row of `html_sources` is HTML of a stranger: the engine cleans it into `bodies.html` and takes the row away. The window's reader
never reads that table; `html_waits` tells it that there is something to ask the engine for.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE html_sources (
        message_id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
        source BLOB NOT NULL)""",
    "DROP VIEW whole_messages",
    """CREATE VIEW whole_messages AS
        SELECT m.*, t.gmail_thread_id, b.text, b.html, b.headers,
            EXISTS (SELECT 1 FROM html_sources s WHERE s.message_id = m.id) AS html_waits
        FROM messages m JOIN threads t ON t.id = m.thread_id JOIN bodies b ON b.message_id = m.id""",
    "ALTER TABLE accounts ADD COLUMN paused INTEGER NOT NULL DEFAULT 0",
    # When the owner signed in last (Unix milliseconds), and whether Google ended a sign-in after a week, as it does in Testing.
    "ALTER TABLE accounts ADD COLUMN signed_in_at INTEGER",
    "ALTER TABLE accounts ADD COLUMN short_lived INTEGER NOT NULL DEFAULT 0",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the table and columns of version 10."""
    for statement in STATEMENTS:
        connection.execute(statement)
