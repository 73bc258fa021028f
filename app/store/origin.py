"""Is this the database that was last worked with here? A copy that was put in its place, or brought from another machine, holds
mail that may have been sent or taken back since: what waits in it is looked for first, and never leaves by itself.

A small file beside it tells the machine and how many steps the outbox took; a copy has fewer, or comes to another machine. One
with as many has missed nothing that left. Refuses to stand in the database, with which it would be copied.
"""

import logging
import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from app.config.settings_file import write_atomically
from app.domain.errors import ExpectedError
from app.store.database import Database
from app.store.safe_copy import ID_STEP, make_safe

log = logging.getLogger(__name__)

FROM_VERSION = 21
"""Programs of older databases left no file."""

_STEPS = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox_steps'), 0)"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the file says: the machine (`config.machine`), steps of the outbox so far, and how often a copy was met."""

    machine: str
    steps: int
    copies: int = 0


class Origin:
    """The file beside the database at `path`."""

    def __init__(self, path: Path, machine: str) -> None:
        self._file = path.with_name(f"{path.name}.origin")
        self._machine = machine
        self._seen = Seen("", 0)

    def settle(self, db: Database, now: datetime) -> int | None:
        """Meet the database that was opened: None where it is ours, else how many of its mails are to be looked for now. Raises
        the store's trouble."""
        before = self._read()
        steps = _steps(db)
        copied = before is None and db.found_version >= FROM_VERSION and steps > 0
        if before is not None:
            copied = steps < before.steps or self._machine not in ("", before.machine)
        self._seen = replace(before or Seen("", 0), machine=self._machine)
        if not copied:
            self.note(db)
            return None
        copies = self._seen.copies + 1
        with db.transaction() as connection:
            doubted = make_safe(connection, now, ID_STEP * copies)
        self._seen = replace(self._seen, copies=copies)
        self.note(db)
        return doubted

    def note(self, db: Database) -> None:
        """Write down how far it is, where that changed. What cannot be written now says less than there is, which is safe."""
        seen = replace(self._seen, steps=_steps(db))
        if seen == self._read():
            return
        try:
            write_atomically(self._file, msgspec.json.encode(seen).decode())
        except ExpectedError as error:
            log.error("the database's origin is not noted: %s", error.code)

    def _read(self) -> Seen | None:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=Seen)
        except (OSError, msgspec.MsgspecError):
            return None


def _steps(db: Database) -> int:
    with db.reading() as connection:
        row: sqlite3.Row = connection.execute(_STEPS).fetchone()
    return int(row[0])
