"""Converts SQLite's errors to the errors of `app.domain.errors`, for the engine and for the window's reader.

`VERSION` is here and not in `migrate`, so that the window need not import the migrations.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from app.domain.errors import AlreadyRunning, DiskFull, NotAllowed, StoreDamaged

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_WRITE_FAILED = frozenset({sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE})
_UNREADABLE = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_READ})


@contextmanager
def converted() -> Iterator[None]:
    """Raises `DiskFull`, `StoreDamaged`, `AlreadyRunning` or `NotAllowed` for the matching `sqlite3.Error`."""
    try:
        yield
    except sqlite3.Error as error:
        raise_store_error(error)


def raise_store_error(error: sqlite3.Error) -> NoReturn:
    """Raises the domain error for a SQLite error, or the error itself when none matches.

    Extended codes carry the primary code in their low byte.
    """
    code = getattr(error, "sqlite_errorcode", None) or 0
    if code & 0xFF == sqlite3.SQLITE_FULL or code in _WRITE_FAILED:
        raise DiskFull("The database could not grow.", "Free some disk space; nothing was half written.") from error
    if code & 0xFF in _DAMAGED or code in _UNREADABLE:
        raise StoreDamaged(
            f"SQLite reports {error.sqlite_errorname}.", "Restore the newest backup beside the database."
        ) from error
    if code & 0xFF in _BUSY:
        raise AlreadyRunning("Another program holds the database.", "Close the other instance and try again.") from error
    if code & 0xFF == sqlite3.SQLITE_INTERRUPT:
        raise NotAllowed("The query was stopped.") from error
    raise error


VERSION = 1
"""`PRAGMA user_version` of a current database: the number of steps in `app.store.db.migrate`."""
