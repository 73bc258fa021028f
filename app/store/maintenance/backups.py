"""Copies of the database beside it: one a day, checked before it takes the older one's place, two of them kept.

Made from a connection of its own, in steps that can be stopped.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from app.store.db.errors import converted
from app.store.db.integrity import check_file, is_whole
from app.store.db.migrate import GoOn, always, copy_database, settle_folder
from app.store.maintenance.marks import fresh


def newest_copy(path: Path) -> Path:
    """Where the last daily copy stands."""
    return path.with_name(f"{path.name}.daily.bak")


def older_copy(path: Path) -> Path:
    """Where the one before stands."""
    return path.with_name(f"{path.name}.daily.older.bak")


def backup_due(path: Path, now: datetime) -> bool:
    """Whether the last daily copy is a day old or there is none."""
    return not fresh(newest_copy(path), now)


def back_up(path: Path, go_on: GoOn = always) -> Path:
    """Copy the database while it is in use, check the copy, and let it take its place; where it stands.

    Raises `StoreDamaged` (the older copies stay), `DiskFull`, `NotAllowed` when stopped.
    """
    fresh_copy = path.with_name(f"{path.name}.daily.new")
    try:
        with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            # One read transaction for all steps: otherwise each write in between starts the copy over.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            copy_database(source, fresh_copy, go_on)
        check_file(fresh_copy, go_on, still=True)
        if newest_copy(path).exists():
            newest_copy(path).replace(older_copy(path))
        fresh_copy.replace(newest_copy(path))
        settle_folder(path.parent)
    finally:
        fresh_copy.unlink(missing_ok=True)
    return newest_copy(path)


def all_copies(path: Path) -> list[Path]:
    """Every copy, daily and from before a migration, newest first."""
    return sorted(path.parent.glob(f"{path.name}.*.bak"), key=lambda one: one.stat().st_mtime, reverse=True)


def good_copies(path: Path) -> Iterator[Path]:
    """Those of them that are whole, newest first."""
    return (one for one in all_copies(path) if is_whole(one, still=True))


def taken_at(copy: Path) -> datetime:
    """When a copy was made, UTC."""
    return datetime.fromtimestamp(copy.stat().st_mtime, UTC)
