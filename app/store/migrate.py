"""Bring a database to the current version: refuse the future, copy before changing, one transaction a version.

Refuses to open anything by itself but the read-only look at the version.
"""

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from app.domain.errors import Refused, StoreTooNew
from app.store.migrations import (
    m0001_mail,
    m0002_work,
    m0003_decisions,
    m0004_fetch_list,
    m0005_memory,
    m0006_letters,
    m0007_actions,
    m0008_contacts,
    m0009_agents,
    m0010_sources,
    m0011_fewer_pages,
    m0012_unread_alone,
    m0013_leaning_steps,
    m0014_seen,
    m0015_one_place,
    m0016_fewer_merges,
    m0017_taken_off,
    m0018_doubts,
    m0019_readings,
    m0020_people_found,
    m0021_as_made,
    m0022_requests,
)
from app.store.schema_version import VERSION

STEPS = (
    m0001_mail.apply,
    m0002_work.apply,
    m0003_decisions.apply,
    m0004_fetch_list.apply,
    m0005_memory.apply,
    m0006_letters.apply,
    m0007_actions.apply,
    m0008_contacts.apply,
    m0009_agents.apply,
    m0010_sources.apply,
    m0011_fewer_pages.apply,
    m0012_unread_alone.apply,
    m0013_leaning_steps.apply,
    m0014_seen.apply,
    m0015_one_place.apply,
    m0016_fewer_merges.apply,
    m0017_taken_off.apply,
    m0018_doubts.apply,
    m0019_readings.apply,
    m0020_people_found.apply,
    m0021_as_made.apply,
    m0022_requests.apply,
)
"""The migration to version N stands at place N - 1."""

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
    bring_up(connection, target)


def bring_up(connection: sqlite3.Connection, target: int = VERSION) -> None:
    """Apply what is missing up to `target` without a copy, for a file that is one. Meanwhile nothing hangs on anything: a table
    that is made anew must not take with it what names its rows."""
    hanging = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for number in range(checked_version(connection), target):
            _step(connection, number)
    finally:
        connection.execute(f"PRAGMA foreign_keys = {hanging:d}")


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
    a crash, a full disk or a `go_on` that says no leaves what stood there. Raises `Refused` when stopped."""

    def step(_status: int, _left: int, _total: int) -> None:
        if not go_on():
            raise Refused("The copy was stopped.")

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
