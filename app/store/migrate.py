"""Bring a database to the current version: refuse the future, copy before changing, one transaction a version.

Refuses to open anything by itself but the read-only look at the version.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.domain.errors import StoreTooNew
from app.store.migrations import m0001_mail, m0002_work, m0003_decisions, m0004_fetch_list
from app.store.schema_version import VERSION

STEPS = (m0001_mail.apply, m0002_work.apply, m0003_decisions.apply, m0004_fetch_list.apply)
"""The migration to version N stands at place N - 1."""


def current_version(path: Path) -> int:
    """The file's version, 0 if there is none yet. Raises `StoreTooNew` without writing a byte."""
    if not path.exists() or path.stat().st_size == 0:
        return 0
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return checked_version(connection)


def checked_version(connection: sqlite3.Connection) -> int:
    """`PRAGMA user_version`. Raises `StoreTooNew` when a newer program wrote it."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StoreTooNew(
            f"The mailbox file has version {version}; this program knows {VERSION}.", "Install the newer program again."
        )
    return version


def migrate(connection: sqlite3.Connection, path: Path, target: int = VERSION) -> None:
    """Apply what is missing up to `target`. An existing database is copied to `backup_path` first."""
    version = checked_version(connection)
    if 0 < version < target:
        copy_database(connection, backup_path(path, version))
    for number in range(version, target):
        _step(connection, number)


def backup_path(path: Path, version: int) -> Path:
    """Where the copy of a database of `version` stands."""
    return path.with_name(f"{path.name}.v{version}.bak")


def _step(connection: sqlite3.Connection, number: int) -> None:
    """One version in one transaction, so that a crash leaves the older version whole."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        STEPS[number](connection)
        connection.execute(f"PRAGMA user_version = {number + 1:d}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def copy_database(source: sqlite3.Connection, target: Path) -> None:
    """A private copy, page by page through SQLite, so that the log is part of it; an unfinished one is removed."""
    create_private(target)
    try:
        with closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error:
        target.unlink(missing_ok=True)
        raise


def create_private(path: Path) -> None:
    """An empty file only the user may read; SQLite gives its log and index files the same mode."""
    path.touch(mode=0o600, exist_ok=True)
    path.chmod(0o600)
