"""Daily copies of the database beside it. Each is checked before it replaces the older one; two are kept.

A copy uses its own connection and can be stopped. Also marker files beside the database that survive the process: open,
checked, damaged. Only their presence and modification time matter.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.store.db.errors import converted
from app.store.db.migrate import MayContinue, always, check_file, copy_database, create_private, is_whole, settle_folder

A_DAY = timedelta(days=1)


def begin(path: Path) -> bool:
    """Marks the database as open. Returns whether the process before did not end cleanly."""
    mark = _beside(path, "open")
    unclean = mark.exists()
    create_private(mark)
    return unclean


def end(path: Path) -> None:
    _beside(path, "open").unlink(missing_ok=True)


def check_due(path: Path, now: datetime) -> bool:
    """Whether the last successful check is a day old or missing."""
    return not fresh(_beside(path, "checked"), now)


def note_checked(path: Path) -> None:
    mark = _beside(path, "checked")
    create_private(mark)
    mark.touch()


def note_damaged(path: Path) -> None:
    """Records damage, so that the next start repairs the file first."""
    create_private(_beside(path, "broken"))
    settle_folder(path.parent)


def seen_damaged(path: Path) -> bool:
    """Whether damage is recorded and not repaired yet."""
    return _beside(path, "broken").exists()


def note_repaired(path: Path) -> None:
    """Records that the file is repaired."""
    _beside(path, "broken").unlink(missing_ok=True)


def fresh(path: Path, now: datetime) -> bool:
    """Whether a file was written within a day of `now`. A time in the future (clock set back) does not count."""
    try:
        written_s = path.stat().st_mtime
    except FileNotFoundError:
        return False
    return abs(now.timestamp() - written_s) < A_DAY.total_seconds()


def _beside(path: Path, what: str) -> Path:
    return path.with_name(f"{path.name}.{what}")


def newest_copy(path: Path) -> Path:
    """The path of the last daily copy."""
    return path.with_name(f"{path.name}.daily.bak")


def older_copy(path: Path) -> Path:
    """The path of the daily copy before the last."""
    return path.with_name(f"{path.name}.daily.older.bak")


def backup_due(path: Path, now: datetime) -> bool:
    """Whether the last daily copy is a day old or missing."""
    return not fresh(newest_copy(path), now)


def back_up(path: Path, go_on: MayContinue = always) -> Path:
    """Copies the database while it is in use, checks the copy and makes it the newest one. Returns its path.

    Raises `StoreDamaged` (older copies stay), `DiskFull`, and `NotAllowed` when stopped.
    """
    fresh_copy = path.with_name(f"{path.name}.daily.new")
    try:
        with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            # One read transaction for all steps: otherwise every write in between would restart the copy.
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
    """All copies, daily and from before migrations, newest first."""
    return sorted(path.parent.glob(f"{path.name}.*.bak"), key=lambda one: one.stat().st_mtime, reverse=True)


def good_copies(path: Path) -> Iterator[Path]:
    """The undamaged copies, newest first."""
    return (one for one in all_copies(path) if is_whole(one, still=True))


def taken_at(copy: Path) -> datetime:
    """When a copy was made, in UTC."""
    return datetime.fromtimestamp(copy.stat().st_mtime, UTC)
