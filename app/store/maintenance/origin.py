"""Detects a database that is not the one last used here: an older copy, or a file from another machine.

Mail waiting in such a copy may have been sent or cancelled since, so it is looked for in Gmail first and never sent by itself. A
small file beside the database holds the machine's id and the number of outbox steps. A copy has fewer steps or another machine.
Inside the database the file would be copied with it. Where the system has no machine id, the steps are also stored outside the
data folder, because the whole folder may be restored.
"""

import logging
import secrets
import sqlite3
from datetime import datetime
from pathlib import Path

import msgspec

from app.config.settings_file import write_atomically
from app.domain.errors import ExpectedError
from app.domain.record import Record, replace
from app.store.db.database import Database
from app.store.maintenance.recovery import ID_STEP, make_safe

log = logging.getLogger(__name__)

NAME_BYTES = 16

_STEPS = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox_steps'), 0)"


class OriginRecord(Record):
    """The file's content: machine id (`config.machine`), outbox steps so far, name of the note outside the folder."""

    machine: str
    steps: int
    store: str = ""


class Origin:
    """Recognises the database at `path` by the file beside it and, if given, by a note in the folder `outside`."""

    def __init__(self, path: Path, machine: str, outside: Path | None = None) -> None:
        self._file = path.with_name(f"{path.name}.origin")
        self._machine, self._outside = machine, outside
        self._record = OriginRecord("", 0)

    def settle(self, db: Database, now: datetime) -> int | None:
        """Checks the opened database. Returns None when it is ours, else how many sends are to be looked for in Gmail.

        Makes a copy safe first. Raises the errors of `Database.transaction`.
        """
        before = self._read()
        steps = _steps(db)
        noted = max(before.steps, self._steps_outside(before.store)) if before is not None else 0
        copied = before is None and steps > 0
        if before is not None:
            copied = steps < noted or self._machine != before.machine or not self._machine
        self._record = replace(before or OriginRecord("", 0), machine=self._machine)
        doubted = None
        if copied:
            with db.transaction() as connection:
                doubted = make_safe(connection, now, ID_STEP + max(noted - steps, 0))
        if self._outside is not None and (copied or not self._record.store):
            # The original database may continue under the old name.
            self._record = replace(self._record, store=secrets.token_hex(NAME_BYTES))
        self.note(db)
        return doubted

    def note(self, db: Database) -> None:
        """Stores the current number of steps if it changed. A failed write leaves a smaller number, which is safe."""
        seen = replace(self._record, steps=_steps(db))
        if self._outside is not None and self._steps_outside(seen.store) != seen.steps:
            _write(self._outside / seen.store, str(seen.steps))
        if seen != self._read():
            _write(self._file, msgspec.json.encode(seen).decode())

    def _read(self) -> OriginRecord | None:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=OriginRecord)
        except (OSError, msgspec.MsgspecError):
            return None

    def _steps_outside(self, store: str) -> int:
        """The steps stored outside the data folder; -1 without a readable note."""
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
