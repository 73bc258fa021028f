"""Is this the database that was last worked with here? A copy that was put in its place, or brought from another machine, holds
mail that may have been sent or taken back since: what waits in it is looked for first, and never leaves by itself.

A small file beside it tells the machine and how many steps the outbox took; a copy has fewer, or comes to another machine. One
with as many has missed nothing that left. In the database it would be copied along. Where the system tells no number of the
machine, the steps also stand outside the data folder, which may be put back as a whole.
"""

import logging
import secrets
import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from app.config.settings_file import write_atomically
from app.domain.errors import ExpectedError
from app.store.db.database import Database
from app.store.maintenance.recovery import ID_STEP, make_safe

log = logging.getLogger(__name__)

NAME_BYTES = 16

_STEPS = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox_steps'), 0)"


@dataclass(frozen=True, slots=True)
class OriginRecord:
    """What the file says: the machine (`config.machine`), steps of the outbox so far, and the name of the note outside."""

    machine: str
    steps: int
    store: str = ""


class Origin:
    """Knows the database at `path` by the file beside it, and by a note in `outside` if that is given."""

    def __init__(self, path: Path, machine: str, outside: Path | None = None) -> None:
        self._file = path.with_name(f"{path.name}.origin")
        self._machine = machine
        self._outside = outside
        self._seen = OriginRecord("", 0)

    def settle(self, db: Database, now: datetime) -> int | None:
        """Meet the database that was opened: None where it is ours, else how many of its mails are to be looked for now. Raises
        the store's trouble."""
        before = self._read()
        steps = _steps(db)
        noted = max(before.steps, self._noted_outside(before.store)) if before is not None else 0
        copied = before is None and steps > 0
        if before is not None:
            copied = steps < noted or self._machine != before.machine or not self._machine
        self._seen = replace(before or OriginRecord("", 0), machine=self._machine)
        doubted = None
        if copied:
            with db.transaction() as connection:
                doubted = make_safe(connection, now, ID_STEP + max(noted - steps, 0))
        if self._outside is not None and (copied or not self._seen.store):
            self._seen = replace(self._seen, store=secrets.token_hex(NAME_BYTES))  # the other one may go on with the old name
        self.note(db)
        return doubted

    def note(self, db: Database) -> None:
        """Write down how far it is, where that changed. What cannot be written now says less than there is, which is safe."""
        seen = replace(self._seen, steps=_steps(db))
        if self._outside is not None and self._noted_outside(seen.store) != seen.steps:
            _write(self._outside / seen.store, str(seen.steps))
        if seen != self._read():
            _write(self._file, msgspec.json.encode(seen).decode())

    def _read(self) -> OriginRecord | None:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=OriginRecord)
        except (OSError, msgspec.MsgspecError):
            return None

    def _noted_outside(self, store: str) -> int:
        """Read the steps that were noted outside; -1 where nothing is.

        A lost note says nothing: with it the number of the machine is lost, which says enough.
        """
        if self._outside is None or not store:
            return -1
        try:
            return int((self._outside / Path(store).name).read_text("ascii"))
        except (OSError, ValueError):
            return -1


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text)
    except ExpectedError as error:
        log.error("the database's origin is not noted: %s", error.code)


def _steps(db: Database) -> int:
    with db.reading() as connection:
        row: sqlite3.Row = connection.execute(_STEPS).fetchone()
    return int(row[0])
