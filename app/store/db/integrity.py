"""Checks a database file through a connection of its own, so that no other query waits."""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.domain.errors import StoreDamaged
from app.store.db.errors import converted
from app.store.db.migrate import MayContinue, always

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
