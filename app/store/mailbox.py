"""The window's read-only handle on the store: rows straight from the file, beside the engine that writes it.

Implements `MailboxReader` with sqlite3 and the domain alone. Answers empty until the file exists; refuses to write,
to migrate, and to read a file of another version than it knows.
"""

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from app.domain.errors import StoreTooNew
from app.domain.ids import AccountId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail import Account, Label, Message, SystemLabel, ThreadRow
from app.domain.ports.window import Counts, MailView, OutboxRow
from app.domain.review import Review, ReviewRow
from app.domain.runs import Run, StepLog
from app.store.instants import from_ms
from app.store.mail_rows import ALL_MAIL, load_accounts, load_labels, load_message, load_thread, load_thread_rows
from app.store.outbox_rows import ATTENTION, WAITING, item_of
from app.store.packing import pack_strings
from app.store.review_rows import load_review, load_review_ids, load_review_rows
from app.store.run_rows import load_runs, load_steps
from app.store.schema_version import VERSION
from app.store.trouble import converted

BUSY_TIMEOUT_S = 1.0

_VIEW_LABELS = {
    MailView.INBOX: SystemLabel.INBOX,
    MailView.SENT: SystemLabel.SENT,
    MailView.DRAFTS: SystemLabel.DRAFT,
    MailView.STARRED: SystemLabel.STARRED,
    MailView.SPAM: SystemLabel.SPAM,
    MailView.TRASH: SystemLabel.TRASH,
}

_THREAD_IDS = """SELECT thread_id FROM thread_labels INDEXED BY thread_labels_newest WHERE label = ?
    ORDER BY last_date DESC, thread_id DESC LIMIT ? OFFSET ?"""

_COUNTS = """SELECT
    (SELECT count(*) FROM reviews WHERE status = 'pending'),
    (SELECT count(*) FROM thread_labels WHERE label = 'INBOX' AND unread),
    (SELECT count(*) FROM outbox WHERE state IN (SELECT value FROM json_each(:waiting))),
    (SELECT count(*) FROM outbox WHERE state IN (SELECT value FROM json_each(:attention))),
    (SELECT count(*) FROM messages)"""

_OUTBOX = """SELECT o.*, coalesce((SELECT max(d.decided_at) FROM decisions d WHERE d.outbox_id = o.id), o.created_at) AS approved
    FROM outbox o ORDER BY o.state IN ('sent', 'cancelled'), o.id DESC LIMIT ?"""


FileIdentity = tuple[int, int]
"""Device and inode."""


class SqliteMailbox:
    """The reader. One thread at a time; `interrupt` may come from another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._opened_file: FileIdentity | None = None

    def accounts(self) -> tuple[Account, ...]:
        """All connected accounts."""
        with self._reading() as connection:
            return () if connection is None else load_accounts(connection)

    def counts(self) -> Counts:
        """Numbers for the navigation."""
        with self._reading() as connection:
            if connection is None:
                return Counts(0, 0, 0, 0, 0)
            values = {"waiting": pack_strings(WAITING), "attention": pack_strings(ATTENTION)}
            return Counts(*connection.execute(_COUNTS, values).fetchone())

    def thread_ids(self, view: MailView, label: str = "", limit: int = 2000, skip: int = 0) -> "array[int]":
        """Thread ids of a view, newest first; `label` (a Gmail label id) narrows `ALL`."""
        wanted = label or ALL_MAIL if view is MailView.ALL else _VIEW_LABELS[view]
        with self._reading() as connection:
            rows = () if connection is None else connection.execute(_THREAD_IDS, (wanted, limit, skip))
            return array("q", (row[0] for row in rows))

    def thread_rows(self, ids: Sequence[ThreadId]) -> dict[ThreadId, ThreadRow]:
        """List rows by id; ids that are gone are missing."""
        with self._reading() as connection:
            return {} if connection is None else load_thread_rows(connection, ids)

    def messages(self, thread_id: ThreadId) -> tuple[Message, ...]:
        """A thread's messages with bodies, oldest first."""
        with self._reading() as connection:
            return () if connection is None else load_thread(connection, thread_id)

    def message(self, message_id: MessageId) -> Message | None:
        """One message with its body."""
        with self._reading() as connection:
            return None if connection is None else load_message(connection, message_id)

    def review_ids(self, pending: bool = True) -> "array[int]":
        """Reviews in queue order; with `pending=False` the decided ones, newest first."""
        with self._reading() as connection:
            return array("q") if connection is None else load_review_ids(connection, pending)

    def review_rows(self, ids: Sequence[ReviewId]) -> dict[ReviewId, ReviewRow]:
        """List rows of reviews by id."""
        with self._reading() as connection:
            return {} if connection is None else load_review_rows(connection, ids)

    def review(self, review_id: ReviewId) -> Review | None:
        """A whole review with its newest revision."""
        with self._reading() as connection:
            return None if connection is None else load_review(connection, review_id)

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        """Outbox items without their MIME bytes, open ones first, then newest."""
        with self._reading() as connection:
            rows = () if connection is None else connection.execute(_OUTBOX, (limit,))
            return tuple(OutboxRow(item_of(row, b""), from_ms(row["approved"])) for row in rows)

    def runs(self, limit: int = 500) -> tuple[Run, ...]:
        """Runs, newest first."""
        with self._reading() as connection:
            return () if connection is None else load_runs(connection, limit)

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        """A run's node log in order."""
        with self._reading() as connection:
            return () if connection is None else load_steps(connection, run_id)

    def labels(self, account_id: AccountId) -> tuple[Label, ...]:
        """The account's labels by name."""
        with self._reading() as connection:
            return () if connection is None else load_labels(connection, account_id)

    def interrupt(self) -> None:
        """Stop the query that is running; it raises `sqlite3.OperationalError` where it was called."""
        if self._connection is not None:
            self._connection.interrupt()

    def close(self) -> None:
        """Release the file; the next call would open it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, None until there is a database of our version."""
        with converted():
            there = _identity(self._path)
            if there != self._opened_file:
                self.close()
            if self._connection is None:
                self._connection = _opened(self._path)
                self._opened_file = there
            yield self._connection


def _identity(path: Path) -> FileIdentity | None:
    """Which file stands there: after damage the engine puts a copy in its place, and an old handle would go on reading the old
    one."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def _opened(path: Path) -> sqlite3.Connection | None:
    """A read-only connection, None while the engine has not made or migrated the file yet."""
    if not path.exists():
        return None
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=64,
    )
    try:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        connection.close()
        raise
    if version == VERSION:
        connection.row_factory = sqlite3.Row
        return connection
    connection.close()
    if version > VERSION:
        raise StoreTooNew(f"The mailbox file has version {version}; this program knows {VERSION}.")
    return None
