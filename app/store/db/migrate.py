"""Migrates a database to the current version: copies it first, then runs one transaction a version.

To change the schema, append a step to `STEPS` and raise `VERSION` in `app.store.db.errors`. Never change released steps.
"""

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from app.domain.errors import NotAllowed, StoreDamaged, StoreTooNew
from app.store.db import schema
from app.store.db.errors import converted

STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (schema.create,)
"""The step to version N is at index N - 1; the first one creates the whole schema."""

COPY_PAGES = 1024
"""Pages copied between two calls of `go_on`: 4 MB, some milliseconds."""

MayContinue = Callable[[], bool]


def always() -> bool:
    """Default `MayContinue` callback: never stops."""
    return True


def current_version(path: Path) -> int:
    """The file's version, 0 if there is none yet. Raises `StoreTooNew` without writing anything."""
    if not path.exists() or path.stat().st_size == 0:
        return 0
    # Without a log, `immutable` keeps SQLite from creating files beside the database.
    how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as connection:
        return checked_version(connection)


def checked_version(connection: sqlite3.Connection) -> int:
    """Reads `PRAGMA user_version`. Raises `StoreTooNew` when a newer program wrote the file."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(STEPS):
        problem = f"The mailbox file has version {version}; this program knows {len(STEPS)}."
        raise StoreTooNew(problem, "Install the newer program again.")
    return version


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Runs the missing steps. Copies an existing database to `backup_path` first."""
    version = checked_version(connection)
    if 0 < version < len(STEPS):
        copy_database(connection, backup_path(path, version))
    bring_up(connection)


def bring_up(connection: sqlite3.Connection) -> None:
    """Runs the missing steps without a copy, for a file that is itself a copy.

    Foreign keys are off meanwhile, so that a step may recreate a table without deleting the rows that refer to it.
    """
    enforced = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for number in range(checked_version(connection), len(STEPS)):
            _step(connection, number)
    finally:
        connection.execute(f"PRAGMA foreign_keys = {enforced:d}")


def backup_path(path: Path, version: int) -> Path:
    """The path of the copy made before migrating from `version`."""
    return path.with_name(f"{path.name}.v{version}.bak")


def _step(connection: sqlite3.Connection, number: int) -> None:
    """Runs one step in one transaction, so that a crash leaves the older version intact."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        STEPS[number](connection)
        connection.execute(f"PRAGMA user_version = {number + 1:d}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def copy_database(source: sqlite3.Connection, target: Path, go_on: MayContinue = always) -> None:
    """Copies a database page by page through SQLite, including its log, to a file that only the user can read.

    The target is replaced as a whole or not at all, also after a crash, on a full disk or when stopped. Raises `NotAllowed` when
    `go_on` returns False.
    """

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
    """Creates an empty file that only the user can read. SQLite gives its log and index files the same mode."""
    path.touch(mode=0o600, exist_ok=True)
    path.chmod(0o600)


def settle_folder(folder: Path) -> None:
    """Makes a rename in `folder` survive a power cut. Does nothing on Windows."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


LOOK_EVERY = 1_000
"""Virtual machine steps between two calls of `go_on`."""

REMEDY = "Restore the newest backup beside the database."


def check_file(path: Path, go_on: MayContinue = always, still: bool = False) -> None:
    """Checks every page (seconds on a large file). `still`: nobody writes the file and it has no log, so SQLite creates no files.

    Raises `StoreDamaged` with SQLite's first finding, and `NotAllowed` when stopped.
    """
    how = "mode=ro&immutable=1" if still else "mode=ro"
    with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as connection:
        connection.set_progress_handler(lambda: not go_on(), LOOK_EVERY)
        finding = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    if finding != "ok":
        raise StoreDamaged(finding, REMEDY)


def is_whole(path: Path, still: bool = False) -> bool:
    """Whether the file passes `check_file`."""
    try:
        check_file(path, still=still)
    except StoreDamaged:
        return False
    return True
