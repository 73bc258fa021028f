"""The SQLite file: opened, migrated and written by exactly one process.

It has two connections with one lock each: a writer and a reader, so that a long query never delays a write.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Concatenate, NoReturn, ParamSpec, TypeVar

from app.domain.errors import ExpectedError, NotAllowed, StoreDamaged
from app.domain.language.search_text import index_text
from app.domain.ports.agents import Clock
from app.store.db.errors import VERSION, converted, raise_store_error
from app.store.db.migrate import MayContinue, always, check_file, create_private, current_version, migrate

BUSY_TIMEOUT_S = 5.0
CHECKPOINT_PAGES = 4000
"""Length of the write-ahead log (16 MB) at which SQLite moves it into the file."""

P = ParamSpec("P")
T = TypeVar("T")
SqlValue = str | int | float | bytes | None
Arguments = Sequence[SqlValue] | Mapping[str, SqlValue]
OnDamage = Callable[[StoreDamaged], None]


def ignore_error(_error: StoreDamaged) -> None:
    """Default damage callback that does nothing; the caller of the query still gets the error."""


class Database:
    """An open database. Thread-safe; close it once, last.

    `damaged` is called, in any thread, when a query finds damage. `mail_commits` counts the transactions that may have changed
    mail, contacts or accounts.
    """

    def __init__(
        self,
        path: Path,
        writer: sqlite3.Connection,
        reader: sqlite3.Connection,
        damaged: OnDamage = ignore_error,
        beside: bool = False,
    ) -> None:
        self.path, self._beside = path, beside
        self.mail_commits = 0
        self._lasting = True
        self._damaged, self._writer, self._reader = damaged, writer, reader
        self._write_lock = RLock()
        self._read_lock = RLock()

    @classmethod
    def open(cls, path: Path, damaged: OnDamage = ignore_error) -> "Database":
        """Opens or creates the database and migrates it to the current version.

        Raises `StoreTooNew` (the file stays untouched), `StoreDamaged`, `DiskFull` or `AlreadyRunning`.
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

    def mail_version(self) -> int:
        """A number that differs once mail has changed: what this process committed, or any commit when opened beside another."""
        if not self._beside:
            return self.mail_commits
        return int(self.read("PRAGMA data_version")[0][0])

    @classmethod
    def open_beside(cls, path: Path) -> "Database":
        """Opens the database read-only while another process writes it; a transaction fails.

        Raises `StoreTooNew`, `StoreDamaged`, and `NotAllowed` when there is no database or an older program wrote it.
        """
        with converted():
            found = current_version(path)
            if found != VERSION:
                problem = f"{path} was written by an older program." if found else f"There is no mailbox at {path}."
                raise NotAllowed(problem, "Start Replyroom in that folder first.")
            first = _connected(path, "ro")
            try:
                return cls(path, first, _connected(path, "ro"), beside=True)
            except BaseException:
                first.close()
                raise

    @contextmanager
    def transaction(self, *, work_only: bool = False, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """A write transaction; rolled back when the block raises or the disk is full.

        `work_only` promises that no account, contact or message changes, except the verdict on a message. Without `lasting` a
        power cut may undo the transaction until the next lasting one is committed; a crash of the program does not. Use it only
        for what the engine finds out again from earlier rows.
        """
        with self._write_lock, self.border():
            if self._writer.in_transaction:
                raise RuntimeError("A transaction is open in this thread: pass its connection on instead.")
            if lasting is not self._lasting:
                # As a script: the pragma takes effect when it is compiled, and a cached statement is compiled only once.
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

    def write(self, sql: str, args: Arguments = (), *, work_only: bool = False) -> None:
        """Runs one statement in a transaction of its own."""
        with self.transaction(work_only=work_only) as connection:
            connection.execute(sql, args)

    def read(self, sql: str, args: Arguments = ()) -> list[sqlite3.Row]:
        """The rows of one query over committed data."""
        with self._read_lock:
            try:
                rows: list[sqlite3.Row] = self._reader.execute(sql, args).fetchall()
            except sqlite3.Error as error:  # not `border`: a run reads a hundred times
                self._raise_converted(error)
            return rows

    def load(self, read: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **named: P.kwargs) -> T:
        """What a function reads over the read connection."""
        with self.reading() as connection:
            return read(connection, *args, **named)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The read connection, for code that combines several queries."""
        with self._read_lock, self.border():
            yield self._reader

    @contextmanager
    def border(self) -> Iterator[None]:
        """Wrap queries of any connection to this file: converts SQLite's errors and reports damage."""
        try:
            yield
        except sqlite3.Error as error:
            self._raise_converted(error)
        except StoreDamaged as error:
            self._damaged(error)
            raise

    def _raise_converted(self, error: sqlite3.Error) -> NoReturn:
        """Raises the converted error and reports damage."""
        try:
            raise_store_error(error)
        except StoreDamaged as damage:
            self._damaged(damage)
            raise

    def private_reader(self) -> sqlite3.Connection:
        """Opens another read-only connection for queries that may be interrupted. The caller closes it."""
        with converted():
            return _connected(self.path, "ro")

    def check(self, go_on: MayContinue = always) -> None:
        """Checks every page, which takes seconds on a large file but blocks nothing.

        Raises `StoreDamaged` with SQLite's first finding (also reported to `damaged`), and `NotAllowed` when stopped.
        """
        with self.border():
            check_file(self.path, go_on)

    def close(self) -> None:
        """Closes both connections; SQLite then moves the write-ahead log into the file."""
        with self._write_lock, self._read_lock:
            self._reader.close()
            self._writer.close()


def _roll_back(connection: sqlite3.Connection) -> None:
    """Rolls the open transaction back; a full disk may have done so already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def add_functions(connection: sqlite3.Connection) -> None:
    """Adds the SQL function that the full-text index's view calls."""
    connection.create_function("index_text", 1, index_text, deterministic=True)


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    """Opens a connection in autocommit mode with named columns; transactions start explicitly."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    connection.row_factory = sqlite3.Row
    add_functions(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cache_size = -16000")
    connection.execute("PRAGMA temp_store = MEMORY")
    if mode == "rwc":
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        # Consecutive pages of sync touch the same database pages, so a longer log writes them to the file only once.
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection


class Table:
    """Base class of the tables: a database, and the clock that stamps rows. Thread-safe."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock
