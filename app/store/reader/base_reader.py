"""A read-only connection for the window. It opens once the file exists, and again when another file replaces it."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from app.domain.errors import StoreTooNew
from app.store.db.errors import VERSION, converted

BUSY_TIMEOUT_S = 1.0

FileIdentity = tuple[int, int]
"""Device and inode."""
P = ParamSpec("P")
T = TypeVar("T")


class DatabaseReader:
    """For one thread at a time.

    Until there is a database of our version, it reads an empty one in memory.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._empty: sqlite3.Connection | None = None
        self._opened_file: FileIdentity | None = None

    def close(self) -> None:
        """Closes the connections; the next query opens them again."""
        for connection in filter(None, (self._connection, self._empty)):
            connection.close()
        self._connection = self._empty = None

    def apart(self) -> Self:
        """A reader of the same file for another thread."""
        return type(self)(self._path)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection to the file, or to an empty database."""
        with converted():
            there = _identity(self._path)
            if there != self._opened_file:
                self.close()
            if self._connection is None:
                self._connection = _opened(self._path)
                self._opened_file = there
            if self._connection is None:
                self._empty = self._empty or _empty_database()
                yield self._empty
            else:
                yield self._connection

    def load(self, read: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **named: P.kwargs) -> T:
        """What a function reads over the connection."""
        with self.reading() as connection:
            return read(connection, *args, **named)

    def rows(self, sql: str, args: Sequence[object] | Mapping[str, object] = ()) -> list[sqlite3.Row]:
        with self.reading() as connection:
            return connection.execute(sql, args).fetchall()


def reads(read: Callable[Concatenate[sqlite3.Connection, P], T]) -> Callable[Concatenate[DatabaseReader, P], T]:
    """A method that calls a function with the connection; the function's docstring tells what it returns."""

    @wraps(read)
    def method(reader: DatabaseReader, /, *args: P.args, **named: P.kwargs) -> T:
        return reader.load(read, *args, **named)

    return method


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


def _empty_database() -> sqlite3.Connection:
    from app.store.db.schema import create  # needed before the first account alone

    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.row_factory = sqlite3.Row
    create(connection)
    return connection
