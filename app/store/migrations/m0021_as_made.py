"""Version 21: an outbox item knows its Gmail draft as it was made, and when it is tried again apart from when it is to leave.

A draft's message has another id after every edit, so an edit is seen whatever headers it kept ('' where that was not noted);
`theirs` are drafts that began as this item's and that somebody else has changed since, as a JSON list.
"""

import sqlite3

STATEMENTS = (
    "ALTER TABLE outbox ADD COLUMN draft_message TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE outbox ADD COLUMN theirs TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE outbox ADD COLUMN retry_at INTEGER NOT NULL DEFAULT 0",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the columns."""
    for statement in STATEMENTS:
        connection.execute(statement)
