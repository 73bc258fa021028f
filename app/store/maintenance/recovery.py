"""After damage: keep the damaged file, put the last good copy in its place, and make that copy safe to work with.

Every step may be cut short and is done again at the next start: until the end the mark of `app.store.maintenance.marks` stands.

Makes a copy of the database safe to work with, inside the caller's transaction: what it holds may be older than the world.
"""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.domain.errors import StoreDamaged, StoreTooNew
from app.domain.mail.outbox import HoldReason
from app.store.db.errors import converted
from app.store.db.integrity import is_whole
from app.store.db.migrate import bring_up, create_private, current_version, settle_folder
from app.store.db.times import to_ms
from app.store.mail.fulltext import check_indexes, rebuild_indexes
from app.store.maintenance.backups import good_copies, taken_at
from app.store.maintenance.marks import note_damaged, note_mended
from app.store.outbox.outbox_rows import IS_OPEN

ID_STEP = 1_000_000
"""How far ids jump: those given since the copy was made must never name something else."""

_MAY_HAVE_LEFT = f"{IS_OPEN} AND kind NOT IN ('modify', 'create_label')"

_NOTE = """INSERT INTO outbox_steps (outbox_id, old, new, reason, at)
    SELECT id, state, 'uncertain', ?, ? FROM outbox WHERE MAY_HAVE_LEFT""".replace("MAY_HAVE_LEFT", _MAY_HAVE_LEFT)

# Its draft is looked for by the marker: the one that the copy knows may be gone, edited or another.
_DOUBT = """UPDATE outbox SET state = 'uncertain', reason = ?, draft_id = '', draft_message = '', not_before = ?, retry_at = 0
    WHERE MAY_HAVE_LEFT""".replace("MAY_HAVE_LEFT", _MAY_HAVE_LEFT)

_ALL_COUNTED = """INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master
    WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)"""

_HIGHEST = """UPDATE highest_ids SET id = ? + max(id, coalesce((SELECT max(id) FROM reviews), 0)) WHERE name = 'reviews'"""


def make_safe(connection: sqlite3.Connection, now: datetime, ids: int) -> int:
    """New ids start so far beyond those that the copy gave; mail that may have left is to be looked for; how many."""
    reason = HoldReason.FROM_COPY.value
    connection.execute(_ALL_COUNTED)
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ?", (ids,))
    connection.execute(_HIGHEST, (ids,))
    connection.execute(_NOTE, (reason, to_ms(now)))
    return connection.execute(_DOUBT, (reason, to_ms(now))).rowcount


TIMES_A_DAY = 5
"""After that the disk is at fault: every copy would only fill it."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was done. `kept` is the damaged file's copy, None when only indexes had to be built anew; `copy` is what took its
    place, None for an empty database; `taken_at` is when that was made; `doubted` counts sends that wait for a look."""

    kept: Path | None
    copy: Path | None = None
    taken_at: datetime | None = None
    doubted: int = 0


def recover(path: Path, now: datetime, companions: Sequence[Path] = ()) -> Recovery:
    """Mend the database at `path`, which nobody writes. `companions` mean nothing without the damaged one and are
    put aside as well. Raises `DiskFull`, `OSError`; then it may be tried again; `StoreDamaged` when it happens all day."""
    note_damaged(path)
    if is_whole(path) and _indexes_rebuilt(path):
        note_mended(path)
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
        _put_aside(companion, kept.name.removeprefix(path.name))
    for name in (f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    part.replace(path)
    settle_folder(path.parent)
    note_mended(path)
    return Recovery(kept, copy, made_at, doubted)


def kept_files(path: Path) -> list[Path]:
    """Damaged files that were kept, oldest first, their logs apart."""
    return sorted(one for one in path.parent.glob(f"{path.name}.damaged-*") if not one.name.endswith("-wal"))


def _keep(path: Path, now: datetime) -> Path:
    """Copy the file and its log aside under a name with the date."""
    number = len(kept_files(path)) + 1
    kept = path.with_name(f"{path.name}.damaged-{now:%Y-%m-%d}-{number}")
    for source, target in ((path, kept), (path.with_name(f"{path.name}-wal"), kept.with_name(f"{kept.name}-wal"))):
        if source.exists():
            create_private(target)
            shutil.copyfile(source, target)
    return kept


def _put_aside(companion: Path, ending: str) -> None:
    """Rename a file and its log; the names match that of the damaged file."""
    for beside in ("", "-wal", "-shm"):
        source = companion.with_name(f"{companion.name}{beside}")
        if source.exists():
            source.replace(companion.with_name(f"{companion.name}{ending}{beside}"))


def _prepare(path: Path, part: Path) -> Path | None:
    """Put the newest good copy, or else an empty database, at `part`, at the current version; which copy it was."""
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
    """The copy is fit to be worked with; how many sends are to be looked for."""
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        doubted = make_safe(connection, now, ID_STEP * restores)
        connection.execute("COMMIT")
    return doubted


def _indexes_rebuilt(path: Path) -> bool:
    """Build every index anew, the full-text ones too: damage there loses nothing. Whether that worked."""
    try:
        with converted(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("REINDEX")
            rebuild_indexes(connection)
            check_indexes(connection)
    except (StoreDamaged, sqlite3.Error):
        return False
    return True
