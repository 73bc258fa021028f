"""The one SQLite file: opened, migrated, and written by exactly one process.

Two connections under one lock each: the writer's transactions, and a reader, so that a long query never holds up a write.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import NoReturn

from app.domain.errors import ExpectedError, NotAllowed, StoreDamaged
from app.store.db.errors import VERSION, converted, raise_ours
from app.store.db.integrity import check_file
from app.store.db.migrate import GoOn, always, copy_database, create_private, current_version, migrate

BUSY_TIMEOUT_S = 5.0
CHECKPOINT_PAGES = 4000
"""The write-ahead log's length, 16 MB, at which it is folded into the file."""

SqlValue = str | int | float | bytes | None
Arguments = Sequence[SqlValue] | Mapping[str, SqlValue]
OnDamage = Callable[[StoreDamaged], None]


def unheard(_error: StoreDamaged) -> None:
    """Nobody asked to be told; whoever ran the query gets the error."""


class Database:
    (
        """An open store. Thread-safe; close it once, last. `damaged` is called, in whatever thread, when a query meets damage.
    `mail_commits` counts the transactions that may have changed mail, contacts or accounts."""
        ""
    )

    def __init__(
        self,
        path: Path,
        writer: sqlite3.Connection,
        reader: sqlite3.Connection,
        damaged: OnDamage = unheard,
    ) -> None:
        self.path = path
        self.mail_commits = 0
        self._lasting = True
        self._damaged = damaged
        self._writer = writer
        self._reader = reader
        self._write_lock = RLock()
        self._read_lock = RLock()

    @classmethod
    def open(cls, path: Path, damaged: OnDamage = unheard) -> "Database":
        """Open or create the store and bring it to the current version.

        Raises `StoreTooNew` (the file stays untouched), `StoreDamaged`, `DiskFull`, `AlreadyRunning`.
        """
        with converted():
            current_version(path)
            create_private(path)
            writer = _connected(path, "rwc")
            try:
                migrate(writer, path)
                reader = _connected(path, "ro")
            except (sqlite3.Error, OSError, ExpectedError):
                writer.close()
                raise
        return cls(path, writer, reader, damaged)

    @classmethod
    def open_beside(cls, path: Path) -> "Database":
        """The store as another process writes it, to be read alone: a transaction fails. Raises `StoreTooNew`, `StoreDamaged`,
        and `NotAllowed` where there is none, or one of an older program."""
        with converted():
            found = current_version(path)
            if found != VERSION:
                problem = f"{path} was written by an older program." if found else f"There is no mailbox at {path}."
                raise NotAllowed(problem, "Start Replyroom in that folder first.")
            first = _connected(path, "ro")
            try:
                return cls(path, first, _connected(path, "ro"))
            except BaseException:
                first.close()
                raise

    @contextmanager
    def transaction(self, *, work_only: bool = False, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """One write transaction: all of it, or nothing when the block raises or the disk is full. `work_only`: it changes no
        account, no contact and nothing of a mail but the verdict on it. Not `lasting`: a power cut may take it back (no crash of
        the program does) until a later one lasts; for what is found out again from what came before it."""
        with self._write_lock, self.border():
            if self._writer.in_transaction:
                raise RuntimeError("A transaction is open in this thread: pass its connection on instead.")
            if lasting is not self._lasting:
                # As a script: the pragma works when it is compiled, and a cached statement is compiled once.
                self._writer.executescript(f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}")
                self._lasting = lasting
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
                self.mail_commits += not work_only
            except BaseException:
                _roll_back(self._writer)
                raise

    def read(self, sql: str, args: Arguments = ()) -> list[sqlite3.Row]:
        """The rows of one query over what is committed."""
        with self._read_lock:
            try:
                rows: list[sqlite3.Row] = self._reader.execute(sql, args).fetchall()
            except sqlite3.Error as error:  # here and not by `border`: a run reads a hundred times
                self._tell(error)
            return rows

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The reading connection, for code that puts several queries together."""
        with self._read_lock, self.border():
            yield self._reader

    @contextmanager
    def border(self) -> Iterator[None]:
        """Around queries of any connection to this file: errors become ours, and damage is told."""
        try:
            yield
        except sqlite3.Error as error:
            self._tell(error)
        except StoreDamaged as error:
            self._damaged(error)
            raise

    def _tell(self, error: sqlite3.Error) -> NoReturn:
        """Raise what it means; damage is told."""
        try:
            raise_ours(error)
        except StoreDamaged as damage:
            self._damaged(damage)
            raise

    def private_reader(self) -> sqlite3.Connection:
        """Another read-only connection, for queries that may be interrupted; the caller closes it."""
        with converted():
            return _connected(self.path, "ro")

    def check(self, go_on: GoOn = always) -> None:
        """Look at every page (seconds on a large file; nobody waits). Raises `StoreDamaged` with SQLite's first finding,
        which is told as well, and `NotAllowed` when stopped."""
        with self.border():
            check_file(self.path, go_on)

    def backup(self, target: Path) -> None:
        """A consistent copy while the store is in use; the copy is private to the user."""
        with self._read_lock, converted():
            copy_database(self._reader, target)

    def close(self) -> None:
        """Close both connections; SQLite folds the write-ahead log into the file."""
        with self._write_lock, self._read_lock:
            self._reader.close()
            self._writer.close()


def _roll_back(connection: sqlite3.Connection) -> None:
    """Undo the open transaction; a full disk may have done so already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    """A connection in autocommit mode with named columns; transactions are begun by hand."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cache_size = -16000")
    connection.execute("PRAGMA temp_store = MEMORY")
    if mode == "rwc":
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        # Many of the pages that one page of sync touches, the next touches again: they are folded into the file once for several.
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection
