"""Version 17: a file that is taken off a letter stays beside it until the letter is closed, so that this can be undone."""

import sqlite3

STATEMENTS = ("ALTER TABLE letter_files ADD COLUMN taken_off INTEGER NOT NULL DEFAULT 0",)


def apply(connection: sqlite3.Connection) -> None:
    """Add the column."""
    for statement in STATEMENTS:
        connection.execute(statement)
