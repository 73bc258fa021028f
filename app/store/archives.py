"""Mail archives as accounts of their own: how far each was read, and where each of its mails stands in its file.

A page of mails, their places and the progress are written so that reading goes on after any interruption. Refuses to forget the
place before the mails are there.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from app.domain.archives import ArchivedMail
from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId
from app.domain.mail import RemoteMessage
from app.store.archive_pages import write_page
from app.store.archive_rows import Archive, ArchiveState, archive_of
from app.store.archive_undo import undo_some
from app.store.database import Database
from app.store.instants import to_ms
from app.store.packing import id_list, pack_strings, storable
from app.store.pages import Applied

COLOUR = "#6b7280"
_ANEW = """UPDATE archives SET reading = reading + (mails > 0), seen = 0, added = 0, relabelled = 0, place = '', done_bytes = 0,
        former_path = iif(path <> :path, path, '')
    WHERE account_id = :account AND (state = 'done' OR total_bytes <> :total OR path <> :path OR place = '')"""
_FORGET_FORMER = "UPDATE archive_places SET former = '' WHERE account_id = ? AND former <> ''"
_OPEN = "UPDATE archives SET state = 'reading', total_bytes = :total, path = :path WHERE account_id = :account"
_SHARED = """SELECT m.account_id, count(DISTINCT m.rfc822_id) AS shared FROM messages m
    WHERE m.date IN (SELECT value FROM json_each(?)) AND m.rfc822_id IN (SELECT value FROM json_each(?))
        AND m.account_id IN (SELECT account_id FROM archives WHERE state <> 'leaving')
    GROUP BY m.account_id ORDER BY shared DESC, m.account_id LIMIT 1"""


class Archives:
    """The archives table."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def open(self, path: Path, total_bytes: int, into: AccountId | None = None) -> Archive:
        """The archive of this path, or `into`, which is brought up to date from there; made as an account where it is new.

        One that was read to its end, has another size by now or another place, is read from its beginning: what is here already
        stays, and where each mail stands is noted anew. Raises `NotFound`."""
        with self._db.transaction() as connection:
            found = into if into is not None else _at(connection, path)
            account_id = found if found is not None else _make(connection, path)
            values = {"total": total_bytes, "account": account_id, "path": storable(str(path))}
            if connection.execute(_ANEW, values).rowcount:  # what readings before this one replaced stays replaced
                connection.execute(_FORGET_FORMER, (account_id,))
            connection.execute(_OPEN, values)
        return self.get(account_id)

    def at(self, path: Path) -> Archive | None:
        """The archive that stands there."""
        with self._db.reading() as connection:
            found = _at(connection, path)
        return None if found is None else self.get(found)

    def follow(self, path: Path, total_bytes: int, first: Callable[[], Sequence[GmailId]]) -> bool:
        """An archive of this size that begins with the same mails is the same one in another place: it stands at `path` from now
        on and is read anew, so that its files are found there. `first` reads the ids of the first mails, where it matters."""
        found = self._db.read(
            "SELECT account_id FROM archives WHERE total_bytes = ? AND state NOT IN ('reading', 'leaving')", (total_bytes,)
        )
        ids = first() if found else ()
        for row in found if ids else ():
            sql = "SELECT count(*) FROM archive_places WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
            if self._db.read(sql, (row[0], id_list(ids)))[0][0] == len(set(ids)):
                with self._db.transaction() as connection:
                    sql = "UPDATE archives SET path = ?, place = '', done_bytes = 0 WHERE account_id = ?"
                    connection.execute(sql, (storable(str(path)), row[0]))
                return True
        return False

    def count(self) -> int:
        """How many there are."""
        return int(self._db.read("SELECT count(*) FROM archives")[0][0])

    def sharing(self, mails: Sequence[RemoteMessage]) -> tuple[Archive, int] | None:
        """The archive that has most of these mails, known by Message-ID and date, and how many."""
        ids = {storable(one.rfc822_id) for one in mails} - {""}
        rows = self._db.read(_SHARED, (id_list({to_ms(one.date) for one in mails}), id_list(ids)))
        return (self.get(AccountId(rows[0][0])), int(rows[0][1])) if rows else None

    def get(self, account_id: AccountId) -> Archive:
        """One archive. Raises `NotFound`."""
        rows = self._db.read("SELECT * FROM archives WHERE account_id = ?", (account_id,))
        if not rows:
            raise NotFound(f"Account {account_id} is no archive.")
        return archive_of(rows[0])

    def unfinished(self) -> list[Archive]:
        """Archives that a restart cut short, while they were read or taken away."""
        rows = self._db.read("SELECT * FROM archives WHERE state IN ('reading', 'leaving') ORDER BY account_id")
        return [archive_of(row) for row in rows]

    def write(self, account_id: AccountId, page: Sequence[ArchivedMail], place: str) -> Applied:
        """A page of mails with their places, and how far reading came: all of it or nothing."""
        with self._db.transaction() as connection:
            applied, counts = write_page(connection, account_id, page)
            connection.execute(
                """UPDATE archives SET place = ?, done_bytes = ?, mails = mails + ?, seen = seen + ?, added = added + ?,
                    relabelled = relabelled + ? WHERE account_id = ?""",
                (place, page[-1].done_bytes, counts.added, counts.seen, counts.added, counts.relabelled, account_id),
            )
            return applied

    def stop(self, account_id: AccountId, state: ArchiveState = ArchiveState.STOPPED) -> Archive:
        """The user stopped reading; one that has ended by itself meanwhile stays as it ended. Raises `NotFound`."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE archives SET state = ? WHERE account_id = ? AND state NOT IN ('done', 'leaving')", (state, account_id)
            )
        return self.get(account_id)

    def settle(self, account_id: AccountId, state: ArchiveState) -> Archive:
        """Reading ended. Raises `NotFound`."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE archives SET state = ? WHERE account_id = ?", (state, account_id))
            if state is ArchiveState.DONE:
                connection.execute(_FORGET_FORMER, (account_id,))
        return self.get(account_id)

    def undo(self, account_id: AccountId) -> Applied | None:
        """Take some of what the last reading did away; None once all is. A new archive is no account any more then."""
        with self._db.transaction() as connection:
            return undo_some(connection, account_id)


def _at(connection: sqlite3.Connection, path: Path) -> AccountId | None:
    row = connection.execute("SELECT account_id FROM archives WHERE path = ?", (storable(str(path)),)).fetchone()
    return None if row is None else AccountId(row[0])


def _make(connection: sqlite3.Connection, path: Path) -> AccountId:
    name = storable(path.name or str(path))
    taken = {one[0] for one in connection.execute("SELECT email FROM accounts")}
    email = next(one for one in _names(name) if one not in taken)
    sql = """INSERT INTO accounts (email, name, send_as, signature, colour, kind)
        VALUES (?, ?, ?, '', ?, 'archive') RETURNING id"""
    account = connection.execute(sql, (email, name, pack_strings(()), COLOUR)).fetchall()[0][0]
    connection.execute("INSERT INTO sync_state (account_id) VALUES (?)", (account,))
    sql = """INSERT INTO archives (account_id, path, state, place, done_bytes, total_bytes, mails)
        VALUES (?, ?, 'reading', '', 0, 0, 0)"""
    connection.execute(sql, (account, storable(str(path))))
    return AccountId(account)


def _names(name: str) -> list[str]:
    return [name, *(f"{name} ({number})" for number in range(2, 1000))]
