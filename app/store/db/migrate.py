"""Bring a database to the current version: copy it first, then one transaction a version.

To change the schema, append a step to `STEPS`, raise `VERSION` in `app.store.db.errors`, and leave released steps alone.
"""

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from app.domain.errors import NotAllowed, StoreTooNew
from app.store.db import schema

STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (schema.create,)
"""The step to version N stands at place N - 1; the first one makes everything."""

COPY_PAGES = 1024
"""Pages copied between two looks at whether to go on: 4 MB, some milliseconds."""

GoOn = Callable[[], bool]


def always() -> bool:
    """Nobody stops it."""
    return True


def current_version(path: Path) -> int:
    """The file's version, 0 if there is none yet. Raises `StoreTooNew` without writing a byte."""
    if not path.exists() or path.stat().st_size == 0:
        return 0
    # Without a log nothing needs to be made beside the file to read it.
    how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as connection:
        return checked_version(connection)


def checked_version(connection: sqlite3.Connection) -> int:
    """`PRAGMA user_version`. Raises `StoreTooNew` when a newer program wrote it."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(STEPS):
        problem = f"The mailbox file has version {version}; this program knows {len(STEPS)}."
        raise StoreTooNew(problem, "Install the newer program again.")
    return version


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Run the steps that are missing. An existing database is copied to `backup_path` first."""
    version = checked_version(connection)
    if 0 < version < len(STEPS):
        copy_database(connection, backup_path(path, version))
    bring_up(connection)


def bring_up(connection: sqlite3.Connection) -> None:
    """Run the steps that are missing without a copy, for a file that is one. Foreign keys are off meanwhile: a table that is
    made anew must not take with it what names its rows."""
    enforced = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for number in range(checked_version(connection), len(STEPS)):
            _step(connection, number)
    finally:
        connection.execute(f"PRAGMA foreign_keys = {enforced:d}")


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


def copy_database(source: sqlite3.Connection, target: Path, go_on: GoOn = always) -> None:
    """A private copy, page by page through SQLite, so that the log is part of it. The target is replaced whole or not at all:
    a crash, a full disk or a `go_on` that says no leaves what stood there. Raises `NotAllowed` when stopped."""

    def step(_status: int, _left: int, _total: int) -> None:
        if not go_on():
            raise NotAllowed("The copy was stopped.")

    part = target.with_name(f"{target.name}.part")
    try:
        create_private(part)
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy, pages=COPY_PAGES, progress=step)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    settle_folder(target.parent)


def create_private(path: Path) -> None:
    """An empty file only the user may read; SQLite gives its log and index files the same mode."""
    path.touch(mode=0o600, exist_ok=True)
    path.chmod(0o600)


def settle_folder(folder: Path) -> None:
    """Make a renaming in `folder` outlast a power cut, where folders can be synchronised."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
