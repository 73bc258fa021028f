"""Version 4: what is still to be fetched can be found by thread, since a whole thread is cheaper than its messages."""

import sqlite3

STATEMENTS = ("CREATE INDEX to_fetch_thread ON to_fetch (account_id, gmail_thread_id)",)


def apply(connection: sqlite3.Connection) -> None:
    """Make the index of version 4."""
    for statement in STATEMENTS:
        connection.execute(statement)
