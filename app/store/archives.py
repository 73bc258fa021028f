"""Mail archives as accounts of their own: how far each was read, and where each of its mails stands in its file.

A page of mails, their places and the progress are written so that reading goes on after any interruption. Refuses to forget the
place before the mails are there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.domain.archives import MailPlace
from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId
from app.domain.mail import Label
from app.store.applying import apply_page
from app.store.database import Database
from app.store.packing import id_list, pack_strings, storable
from app.store.pages import Applied, SyncPage

COLOUR = "#6b7280"
_OPEN = """UPDATE archives SET state = :reading, total_bytes = :total,
        place = iif(state = 'done' OR total_bytes <> :total, '', place),
        done_bytes = iif(state = 'done' OR total_bytes <> :total, 0, done_bytes)
    WHERE account_id = :account"""


class ArchiveState(StrEnum):
    """Where the reading of an archive is."""

    READING = "reading"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Archive:
    """`place` is the reader's own note of where it goes on; sizes in bytes."""

    account_id: AccountId
    path: Path
    state: ArchiveState
    place: str
    done_bytes: int
    total_bytes: int
    mails: int


class Archives:
    """The archives table."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def open(self, path: Path, total_bytes: int) -> Archive:
        """The archive of this path, made as an account where it is new. One that was read to its end, or has another size by
        now, is read from its beginning: what is here already stays as it is, and where each mail stands is noted anew."""
        with self._db.transaction() as connection:
            row = connection.execute("SELECT account_id FROM archives WHERE path = ?", (storable(str(path)),)).fetchone()
            if row is None:
                name = storable(path.name or str(path))
                taken = {one[0] for one in connection.execute("SELECT email FROM accounts")}
                email = next(one for one in _names(name) if one not in taken)
                sql = """INSERT INTO accounts (email, name, send_as, signature, colour, kind)
                    VALUES (?, ?, ?, '', ?, 'archive') RETURNING id"""
                row = connection.execute(sql, (email, name, pack_strings(()), COLOUR)).fetchall()[0]
                connection.execute("INSERT INTO sync_state (account_id) VALUES (?)", (row[0],))
                connection.execute(
                    """INSERT INTO archives (account_id, path, state, place, done_bytes, total_bytes, mails)
                        VALUES (?, ?, ?, '', 0, 0, 0)""",
                    (row[0], storable(str(path)), ArchiveState.READING),
                )
            connection.execute(_OPEN, {"reading": ArchiveState.READING, "total": total_bytes, "account": row[0]})
        return self.get(AccountId(row[0]))

    def follow(self, path: Path, total_bytes: int, first: Callable[[], Sequence[GmailId]]) -> None:
        """An archive of this size that begins with the same mails is the same one in another place: it stands at `path` from now
        on and is read anew, so that its files are found there. `first` reads the ids of the first mails, where it matters."""
        here = storable(str(path))
        if self._db.read("SELECT 1 FROM archives WHERE path = ?", (here,)):
            return
        found = self._db.read(
            "SELECT account_id FROM archives WHERE total_bytes = ? AND state <> ?", (total_bytes, ArchiveState.READING)
        )
        ids = first() if found else ()
        for row in found if ids else ():
            sql = "SELECT count(*) FROM archive_places WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
            if self._db.read(sql, (row[0], id_list(ids)))[0][0] == len(set(ids)):
                with self._db.transaction() as connection:
                    sql = "UPDATE archives SET path = ?, place = '', done_bytes = 0 WHERE account_id = ?"
                    connection.execute(sql, (here, row[0]))
                return

    def get(self, account_id: AccountId) -> Archive:
        """One archive. Raises `NotFound`."""
        rows = self._db.read("SELECT * FROM archives WHERE account_id = ?", (account_id,))
        if not rows:
            raise NotFound(f"Account {account_id} is no archive.")
        row = rows[0]
        return Archive(
            account_id,
            Path(row["path"]),
            ArchiveState(row["state"]),
            row["place"],
            row["done_bytes"],
            row["total_bytes"],
            row["mails"],
        )

    def unfinished(self) -> list[Archive]:
        """Archives whose reading a restart cut short."""
        rows = self._db.read("SELECT account_id FROM archives WHERE state = ? ORDER BY account_id", (ArchiveState.READING,))
        return [self.get(AccountId(row[0])) for row in rows]

    def write(self, account_id: AccountId, page: SyncPage, places: Sequence[MailPlace], place: str, done_bytes: int) -> Applied:
        """A page of mails with their places, and how far reading came: all of it or nothing."""
        with self._db.transaction() as connection:
            applied = apply_page(connection, account_id, page)
            connection.executemany(
                "INSERT OR REPLACE INTO archive_places (account_id, gmail_id, file, start, length) VALUES (?, ?, ?, ?, ?)",
                [(account_id, one.gmail_id, storable(one.file), one.start, one.length) for one in places],
            )
            connection.execute(
                """UPDATE archives SET place = :place, done_bytes = :done,
                    mails = (SELECT count(*) FROM messages WHERE account_id = :account) WHERE account_id = :account""",
                {"place": place, "done": done_bytes, "account": account_id},
            )
            return applied

    def add_labels(self, account_id: AccountId, labels: Sequence[Label]) -> None:
        """Names for the archive's own labels."""
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, ?)",
                [(account_id, one.gmail_label_id, storable(one.name), one.kind) for one in labels],
            )

    def stop(self, account_id: AccountId) -> Archive:
        """The user stopped reading; one that has ended by itself meanwhile stays as it ended."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE archives SET state = ? WHERE account_id = ? AND state = ?",
                (ArchiveState.STOPPED, account_id, ArchiveState.READING),
            )
        return self.get(account_id)

    def settle(self, account_id: AccountId, state: ArchiveState) -> Archive:
        """Reading ended."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE archives SET state = ? WHERE account_id = ?", (state, account_id))
        return self.get(account_id)


def _names(name: str) -> list[str]:
    return [name, *(f"{name} ({number})" for number in range(2, 1000))]
