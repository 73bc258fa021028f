"""Repairs a damaged database: keeps the damaged file and restores the last good copy.

The copy is made safe to work with: new ids, and sends in it are looked for in Gmail. Every step may be interrupted and is
repeated at the next start, because the mark of `app.store.maintenance.backups` stays until the end.
"""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from app.domain.errors import StoreDamaged, StoreTooNew
from app.domain.mail.outbox import HoldReason
from app.domain.record import Record
from app.store.db.errors import converted
from app.store.db.migrate import bring_up, create_private, current_version, is_whole, settle_folder
from app.store.db.times import to_ms
from app.store.mail.mail_writing import check_indexes, rebuild_indexes
from app.store.maintenance.backups import good_copies, note_damaged, note_repaired, taken_at
from app.store.outbox import IS_OPEN

ID_STEP = 1_000_000
"""Distance to new ids: ids used since the copy was made must never be used for something else."""

_MAY_HAVE_LEFT = f"{IS_OPEN} AND kind NOT IN ('modify', 'create_label')"

_NOTE = """INSERT INTO outbox_steps (outbox_id, old, new, reason, at)
    SELECT id, state, 'uncertain', ?, ? FROM outbox WHERE MAY_HAVE_LEFT""".replace("MAY_HAVE_LEFT", _MAY_HAVE_LEFT)

# The draft is looked for by its marker: the one that the copy knows may be gone, edited or replaced.
_DOUBT = """UPDATE outbox SET state = 'uncertain', reason = ?, draft_id = '', draft_message = '', not_before = ?, retry_at = 0
    WHERE MAY_HAVE_LEFT""".replace("MAY_HAVE_LEFT", _MAY_HAVE_LEFT)

_ALL_COUNTED = """INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master
    WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)"""


def make_safe(connection: sqlite3.Connection, now: datetime, ids: int) -> int:
    """Makes a copy safe inside the caller's transaction: its content may be older than Gmail's.

    New ids start `ids` beyond the copy's. Mail that may have been sent becomes `uncertain`. Returns how many items that are.
    """
    reason = HoldReason.FROM_COPY.value
    connection.execute(_ALL_COUNTED)
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ?", (ids,))
    connection.execute(_NOTE, (reason, to_ms(now)))
    return connection.execute(_DOUBT, (reason, to_ms(now))).rowcount


TIMES_A_DAY = 5
"""More repairs in a day point to a failing disk, and every kept file would only fill it."""


class Recovery(Record):
    """The result of a repair.

    `kept` is the copy of the damaged file, None if only indexes were rebuilt. `copy` is the restored copy, None for an empty
    database; `taken_at` is its date. `doubted` counts sends to look for in Gmail.
    """

    kept: Path | None
    copy: Path | None = None
    taken_at: datetime | None = None
    doubted: int = 0


def recover(path: Path, now: datetime, companions: Sequence[Path] = ()) -> Recovery:
    """Repairs the database at `path`, which nobody may be writing.

    `companions` are files that are useless without the damaged database; they are renamed too. Raises `DiskFull` or `OSError`
    (the call may be repeated), and `StoreDamaged` after `TIMES_A_DAY` repairs in a day.
    """
    note_damaged(path)
    if is_whole(path) and _indexes_rebuilt(path):
        note_repaired(path)
        return Recovery(None)
    if len([one for one in kept_files(path) if f"{now:%Y-%m-%d}" in one.name]) >= TIMES_A_DAY:
        raise StoreDamaged(f"The mailbox file was damaged {TIMES_A_DAY} times today.", "Check the disk before you go on.")
    kept = _keep(path, now)
    part = path.with_name(f"{path.name}.restored")
    with converted():
        copy = _prepare(path, part)
        doubted = _make_safe(part, now, len(kept_files(path)))
    made_at = taken_at(copy) if copy is not None else None
    for companion in companions:
        ending = kept.name.removeprefix(path.name)
        for beside in ("", "-wal", "-shm"):
            source = companion.with_name(f"{companion.name}{beside}")
            if source.exists():
                source.replace(companion.with_name(f"{companion.name}{ending}{beside}"))
    for name in (f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    part.replace(path)
    settle_folder(path.parent)
    note_repaired(path)
    return Recovery(kept, copy, made_at, doubted)


def kept_files(path: Path) -> list[Path]:
    """The kept damaged files in order of their names, without their logs."""
    return sorted(one for one in path.parent.glob(f"{path.name}.damaged-*") if not one.name.endswith("-wal"))


def _keep(path: Path, now: datetime) -> Path:
    """Copies the damaged file and its log to a name with the date."""
    number = len(kept_files(path)) + 1
    kept = path.with_name(f"{path.name}.damaged-{now:%Y-%m-%d}-{number}")
    for source, target in ((path, kept), (path.with_name(f"{path.name}-wal"), kept.with_name(f"{kept.name}-wal"))):
        if source.exists():
            create_private(target)
            shutil.copyfile(source, target)
    return kept


def _prepare(path: Path, part: Path) -> Path | None:
    """Writes the newest good copy, or an empty database, to `part` and migrates it. Returns the copy used."""
    for copy in good_copies(path):
        try:
            current_version(copy)
        except StoreTooNew:
            continue
        create_private(part)
        shutil.copyfile(copy, part)
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            bring_up(connection)
        return copy
    part.unlink(missing_ok=True)
    create_private(part)
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        bring_up(connection)
    return None


def _make_safe(part: Path, now: datetime, restores: int) -> int:
    """Makes the copy safe. Returns how many sends are to be looked for."""
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        doubted = make_safe(connection, now, ID_STEP * restores)
        connection.execute("COMMIT")
    return doubted


def _indexes_rebuilt(path: Path) -> bool:
    """Rebuilds all indexes, since damage there loses no data. Returns whether that worked."""
    try:
        with converted(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("REINDEX")
            rebuild_indexes(connection)
            check_indexes(connection)
    except (StoreDamaged, sqlite3.Error):
        return False
    return True
