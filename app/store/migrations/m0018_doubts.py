"""Version 18: a label change on its way remembers the messages that somebody else changed meanwhile; no crash forgets them.

And wishes to mark mail read are found by their calls, not by going through all unread mail.
"""

import sqlite3

STATEMENTS = (
    "ALTER TABLE outbox ADD COLUMN doubted TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX run_steps_read_marks ON run_steps (step_name) WHERE step_name = 'mark_as_read'",
)


def apply(connection: sqlite3.Connection) -> None:
    """Add the column and the index."""
    for statement in STATEMENTS:
        connection.execute(statement)
