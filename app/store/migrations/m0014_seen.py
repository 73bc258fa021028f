"""Version 14: a review knows the highest message that was mirrored when it was put up, so that no clock decides what was seen.

0 of a review from before; then the dates have the word, as they had.
"""

import sqlite3

STATEMENTS = ("ALTER TABLE reviews ADD COLUMN seen_upto INTEGER NOT NULL DEFAULT 0",)


def apply(connection: sqlite3.Connection) -> None:
    """Add the column."""
    for statement in STATEMENTS:
        connection.execute(statement)
