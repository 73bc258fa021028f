"""Marker files beside the database that survive the process: open, checked, damaged.

Only their presence and modification time matter.
"""

from datetime import datetime, timedelta
from pathlib import Path

from app.store.db.migrate import create_private, settle_folder

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
