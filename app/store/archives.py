"""Mail archives as accounts: how far each was read, and the file position of each of its messages.

A page of messages, their positions and the progress are written together, so that an import can continue after any interruption.
A message's id comes from its content: a copy that is read again only adds its labels.
"""

import json
import sqlite3
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain, count
from pathlib import Path

from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId
from app.domain.mail.message import Label, RemoteMessage, SystemLabel
from app.domain.protocol.archive_commands import ArchivedMail, ImportProgress
from app.domain.record import Record, replace
from app.store.db.codecs import id_list, pack_strings, storable
from app.store.db.database import Database
from app.store.mail.sync_page import Applied, SyncPage, apply_page

COLOUR = "#6b7280"
_HIDDEN = frozenset({SystemLabel.TRASH.value, SystemLabel.SPAM.value})
_PUT = """INSERT OR REPLACE INTO archive_places (account_id, gmail_id, file, start, length, digest) VALUES (?, ?, ?, ?, ?, ?)"""
_LABELS = """SELECT m.gmail_id, (SELECT json_group_array(l.label) FROM message_labels l WHERE l.message_id = m.id)
    FROM messages m WHERE m.account_id = ? AND m.gmail_id IN (SELECT value FROM json_each(?))"""
_RESTART = """UPDATE archives SET seen = 0, added = 0, place = '', done_bytes = 0
    WHERE account_id = ? AND (state = 'done' OR total_bytes <> ? OR place = '')"""


class ArchiveState(StrEnum):
    """The state of an import. `STOPPED`: by the owner."""

    READING = "reading"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


class Archive(Record):
    """An archive. `place` is the reader's note of where to continue; sizes are in bytes.

    `seen` and `added` count mail of the last reading.
    """

    account_id: AccountId
    path: Path
    state: ArchiveState
    place: str
    done_bytes: int
    total_bytes: int
    mails: int
    seen: int
    added: int

    @property
    def progress(self) -> ImportProgress:
        """What the window is told of it."""
        sizes = (self.done_bytes, self.total_bytes, self.mails, self.seen, self.added)
        return ImportProgress(self.account_id, self.path.name, str(self.state), *sizes)


def archive_of(row: sqlite3.Row) -> Archive:
    """A row of the table `archives`."""
    counts = (row["done_bytes"], row["total_bytes"], row["mails"], row["seen"], row["added"])
    return Archive(AccountId(row["account_id"]), Path(row["path"]), ArchiveState(row["state"]), row["place"], *counts)


class Archives:
    """The tables `archives` and `archive_places`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def open(self, path: Path, total_bytes: int) -> Archive:
        """Opens the archive at this path. Creates an account for a new one.

        An archive that was read to its end, or has another size now, is read from its beginning: its messages stay.
        """
        with self._db.transaction() as connection:
            found = _at(connection, path)
            account_id = found if found is not None else _make(connection, path)
            connection.execute(_RESTART, (account_id, total_bytes))
            sql = "UPDATE archives SET state = 'reading', total_bytes = ? WHERE account_id = ?"
            connection.execute(sql, (total_bytes, account_id))
        return self.get(account_id)

    def account_at(self, path: Path) -> AccountId | None:
        return self._db.load(_at, path)

    def get(self, account_id: AccountId) -> Archive:
        """Raises `NotFound`."""
        rows = self._db.read("SELECT * FROM archives WHERE account_id = ?", (account_id,))
        if not rows:
            raise NotFound(f"Account {account_id} is no archive.")
        return archive_of(rows[0])

    def sizes(self) -> dict[AccountId, int]:
        """The number of mails of each archive."""
        return {AccountId(row[0]): row[1] for row in self._db.read("SELECT account_id, mails FROM archives ORDER BY account_id")}

    def unfinished(self) -> list[Archive]:
        """Archives whose import was interrupted by a restart."""
        rows = self._db.read("SELECT * FROM archives WHERE state = 'reading' ORDER BY account_id")
        return [archive_of(row) for row in rows]

    def write(self, account_id: AccountId, page: Sequence[ArchivedMail], place: str) -> Applied:
        """Writes a page of messages with their positions and the progress, in one transaction."""
        with self._db.transaction() as connection:
            applied = _write_page(connection, account_id, page)
            added, seen = len(applied.new_ids), sum(1 for one in page if one.message is not None)
            connection.execute(
                """UPDATE archives SET place = ?, done_bytes = ?, mails = mails + ?, seen = seen + ?, added = added + ?
                    WHERE account_id = ?""",
                (place, page[-1].done_bytes, added, seen, added, account_id),
            )
            return applied

    def settle(self, account_id: AccountId, state: ArchiveState) -> Archive:
        """Stores how an import ended; one that is done stays done. Raises `NotFound`."""
        with self._db.transaction() as connection:
            sql = "UPDATE archives SET state = ? WHERE account_id = ? AND state <> 'done'"
            connection.execute(sql, (state, account_id))
        return self.get(account_id)


def _write_page(connection: sqlite3.Connection, account_id: AccountId, page: Sequence[ArchivedMail]) -> Applied:
    """Writes messages and their positions inside the caller's transaction."""
    _name_labels(connection, account_id, [label for one in page for label in one.labels])
    mails = {one.place.gmail_id: one for one in reversed(page) if one.message is not None}
    rows = connection.execute(_LABELS, (account_id, id_list(mails)))
    stored = {GmailId(row[0]): frozenset(json.loads(row[1])) for row in rows}
    wanted: dict[GmailId, frozenset[str]] = dict(stored)
    new: dict[GmailId, RemoteMessage] = {}
    for one in page:
        if one.message is not None:
            gmail_id = one.place.gmail_id
            before = wanted.get(gmail_id)
            wanted[gmail_id] = one.message.labels if before is None else _merged_labels(before, one.message.labels)
            if gmail_id not in stored:
                new.setdefault(gmail_id, one.message)
    changes = SyncPage(
        messages=tuple(replace(message, labels=wanted[gmail_id]) for gmail_id, message in new.items()),
        add_labels=tuple((gmail_id, more) for gmail_id, labels in stored.items() if (more := wanted[gmail_id] - labels)),
        remove_labels=tuple((gmail_id, less) for gmail_id, labels in stored.items() if (less := labels - wanted[gmail_id])),
        index=False,
    )
    applied = apply_page(connection, account_id, changes)
    places = [one.place for one in mails.values()]
    values = [(account_id, one.gmail_id, storable(one.file), one.start, one.length, one.digest) for one in places]
    connection.executemany(_PUT, values)
    return applied


def _merged_labels(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """The labels of two copies in different folders. Trash and spam count only if both copies are there."""
    both = mine | theirs
    return both if mine & _HIDDEN and theirs & _HIDDEN else both - _HIDDEN


def _name_labels(connection: sqlite3.Connection, account_id: AccountId, labels: Sequence[Label]) -> None:
    """Stores the names of the archive's own labels."""
    connection.executemany(
        "INSERT OR IGNORE INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, ?)",
        [(account_id, one.gmail_label_id, storable(one.name), one.kind) for one in dict.fromkeys(labels)],
    )


def _at(connection: sqlite3.Connection, path: Path) -> AccountId | None:
    row = connection.execute("SELECT account_id FROM archives WHERE path = ?", (storable(str(path)),)).fetchone()
    return None if row is None else AccountId(row[0])


def _make(connection: sqlite3.Connection, path: Path) -> AccountId:
    name = storable(path.name or str(path))
    taken = {one[0] for one in connection.execute("SELECT email FROM accounts")}
    email = next(one for one in chain([name], (f"{name} ({number})" for number in count(2))) if one not in taken)
    sql = """INSERT INTO accounts (email, name, send_as, signature, colour, kind)
        VALUES (?, ?, ?, '', ?, 'archive') RETURNING id"""
    account = connection.execute(sql, (email, name, pack_strings(()), COLOUR)).fetchall()[0][0]
    connection.execute("INSERT INTO sync_state (account_id) VALUES (?)", (account,))
    sql = """INSERT INTO archives (account_id, path, state, place, done_bytes, total_bytes, mails)
        VALUES (?, ?, 'reading', '', 0, 0, 0)"""
    connection.execute(sql, (account, storable(str(path))))
    return AccountId(account)
