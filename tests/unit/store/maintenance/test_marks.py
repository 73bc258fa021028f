"""Marks beside the database: unclean ends, checks once a day, damage noted until it is mended."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.store.maintenance import marks


def test_an_end_in_order_leaves_no_mark(tmp_path: Path) -> None:
    """Only an end without `end` makes the next beginning an unclean one."""
    path = tmp_path / "mail.db"
    assert not marks.begin(path)
    assert marks.begin(path)
    marks.end(path)
    assert not marks.begin(path)


def test_a_check_is_due_once_a_day(tmp_path: Path) -> None:
    """Before the first, after a day, and when the clock was set back."""
    path, now = tmp_path / "mail.db", datetime.now(UTC)
    assert marks.check_due(path, now)
    marks.note_checked(path)
    assert not marks.check_due(path, now)
    assert marks.check_due(path, now + timedelta(days=2))
    assert marks.check_due(path, now - timedelta(days=2))
    os.utime(tmp_path / "mail.db.checked", (0, 0))
    marks.note_checked(path)
    assert not marks.check_due(path, now)


def test_damage_stays_noted_until_mended(tmp_path: Path) -> None:
    """Noting twice is once."""
    path = tmp_path / "mail.db"
    assert not marks.seen_damaged(path)
    marks.note_damaged(path)
    marks.note_damaged(path)
    assert marks.seen_damaged(path)
    marks.note_mended(path)
    marks.note_mended(path)
    assert not marks.seen_damaged(path)
