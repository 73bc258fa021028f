"""A read-only connection for the window. It opens once the file exists, and again when another file replaces it."""

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
    """For one thread at a time; only `interrupt` may be called from another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._opened_file: FileIdentity | None = None

    def interrupt(self) -> None:
        """Stops the running query, which then raises `NotAllowed`."""
        if self._connection is not None:
            self._connection.interrupt()

    def close(self) -> None:
        """Closes the connection; the next query opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, or None until there is a database of our version."""
        with converted():
            there = _identity(self._path)
            if there != self._opened_file:
                self.close()
            if self._connection is None:
                self._connection = _opened(self._path)
                self._opened_file = there
            yield self._connection


def _identity(path: Path) -> FileIdentity | None:
    """Identifies the file: after damage the engine replaces it, and an open connection would keep reading the old one."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def _opened(path: Path) -> sqlite3.Connection | None:
    """Opens a read-only connection. Returns None while the engine has not created or migrated the file."""
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
