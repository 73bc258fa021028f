"""A read-only connection to the database file, for the window's process: opened when the file is there, and again when another
file takes its place.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.domain.errors import StoreTooNew
from app.store.db.errors import VERSION, converted

BUSY_TIMEOUT_S = 1.0

FileIdentity = tuple[int, int]
"""Device and inode."""


class DatabaseReader:
    """One thread at a time; `interrupt` may come from another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._opened_file: FileIdentity | None = None

    def interrupt(self) -> None:
        """Stop the query that is running; it raises `sqlite3.OperationalError` where it was called."""
        if self._connection is not None:
            self._connection.interrupt()

    def close(self) -> None:
        """Release the file; the next call would open it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, None until there is a database of our version."""
        with converted():
            there = _identity(self._path)
            if there != self._opened_file:
                self.close()
            if self._connection is None:
                self._connection = _opened(self._path)
                self._opened_file = there
            yield self._connection


def _identity(path: Path) -> FileIdentity | None:
    """Which file stands there: after damage the engine puts a copy in its place, and an old handle would go on reading the old
    one."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def _opened(path: Path) -> sqlite3.Connection | None:
    """A read-only connection, None while the engine has not made or migrated the file yet."""
    if not path.exists():
        return None
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=64,
    )
    try:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        connection.close()
        raise
    if version == VERSION:
        connection.row_factory = sqlite3.Row
        return connection
    connection.close()
    if version > VERSION:
        raise StoreTooNew(f"The mailbox file has version {version}; this program knows {VERSION}.")
    return None
