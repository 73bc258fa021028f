"""Version 22: what the owner asks of the assistant, with the steps of its plan.

A request's `number` names the threads of mails that it proposes. A forgotten request stays until it is swept, so that it can be
recalled.
"""

import sqlite3

STATEMENTS = (
    """CREATE TABLE requests (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
        text TEXT NOT NULL,
        status TEXT NOT NULL,
        maker TEXT NOT NULL DEFAULT '',
        error TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        forgotten_at INTEGER)""",
    "CREATE INDEX requests_open ON requests (status) WHERE status IN ('planning', 'running', 'waiting')",
    """CREATE TABLE request_steps (
        request INTEGER NOT NULL REFERENCES requests ON DELETE CASCADE,
        place INTEGER NOT NULL,
        capability TEXT NOT NULL,
        instruction TEXT NOT NULL,
        status TEXT NOT NULL,
        contract TEXT NOT NULL DEFAULT '',
        answer TEXT NOT NULL DEFAULT '',
        sources TEXT NOT NULL DEFAULT '',
        documents TEXT NOT NULL DEFAULT '',
        review_id INTEGER NOT NULL DEFAULT 0,
        error TEXT NOT NULL DEFAULT '',
        attempt INTEGER NOT NULL DEFAULT 1,
        started_at INTEGER,
        ended_at INTEGER,
        PRIMARY KEY (request, place)) WITHOUT ROWID""",
    "CREATE INDEX request_steps_review ON request_steps (review_id) WHERE review_id <> 0",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the tables."""
    for statement in STATEMENTS:
        connection.execute(statement)
