"""Version 12: unread threads are counted from the index alone.

SQLite asks for a partial index's own condition again at each row; where the column does not stand in the index, that is a
look-up a thread, and the window counts several times a second while mail comes in.
"""

import sqlite3

STATEMENTS = (
    "DROP INDEX thread_labels_unread",
    "CREATE INDEX thread_labels_unread ON thread_labels (label, unread) WHERE unread",
)


def apply(connection: sqlite3.Connection) -> None:
    """Put the column into the index."""
    for statement in STATEMENTS:
        connection.execute(statement)
