"""Small files beside the database that outlive a process: it is open, it was checked, it was seen damaged.

Their times and their presence are all they say.
"""

from datetime import datetime, timedelta
from pathlib import Path

from app.store.db.migrate import create_private, settle_folder

A_DAY = timedelta(days=1)


def begin(path: Path) -> bool:
    """Note that the database is in use; whether the one before us did not end in order."""
    mark = _beside(path, "open")
    unclean = mark.exists()
    create_private(mark)
    return unclean


def end(path: Path) -> None:
    """Note the end in order."""
    _beside(path, "open").unlink(missing_ok=True)


def check_due(path: Path, now: datetime) -> bool:
    """Whether the last good check is a day old or there was none."""
    return not fresh(_beside(path, "checked"), now)


def note_checked(path: Path) -> None:
    """Note a good check, now."""
    mark = _beside(path, "checked")
    create_private(mark)
    mark.touch()


def note_damaged(path: Path) -> None:
    """Note damage, so that the next opening looks and mends before anything else."""
    create_private(_beside(path, "broken"))
    settle_folder(path.parent)


def seen_damaged(path: Path) -> bool:
    """Whether damage was noted and is not mended yet."""
    return _beside(path, "broken").exists()


def note_mended(path: Path) -> None:
    """The file is good again."""
    _beside(path, "broken").unlink(missing_ok=True)


def fresh(path: Path, now: datetime) -> bool:
    """Whether a file was written within a day of `now`; a clock that was set back counts as old, not as fresh for ever."""
    try:
        written_s = path.stat().st_mtime
    except FileNotFoundError:
        return False
    return abs(now.timestamp() - written_s) < A_DAY.total_seconds()


def _beside(path: Path, what: str) -> Path:
    return path.with_name(f"{path.name}.{what}")
