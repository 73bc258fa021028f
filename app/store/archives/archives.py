"""Mail archives as accounts: how far each was read, and the file position of each of its messages.

A page of messages, their positions and the progress are written together, so that an import can continue after any interruption.
A message from an earlier copy of the archive is recognised by its digest, or by Message-ID, date and text when only its labels
changed. The last import can be undone in pieces; an interrupted undo can be run again.
"""

import json
import sqlite3
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId
from app.domain.mail.message import Label, Message, RemoteMessage, SystemLabel
from app.domain.protocol.archive_commands import ArchivedMail, MailPlace
from app.store.accounts.wiping import erase_rows
from app.store.archives.archive_rows import Archive, ArchiveState, archive_of
from app.store.db.codecs import id_list, pack_strings, storable
from app.store.db.database import Database
from app.store.db.times import to_ms
from app.store.mail.mail_rows import load_messages
from app.store.mail.sync_page import Applied, SyncPage, apply_page

_HIDDEN = frozenset({SystemLabel.TRASH.value, SystemLabel.SPAM.value})
_PUT = """INSERT INTO archive_places (account_id, gmail_id, file, start, length, digest, reading, added)
    VALUES (:account, :id, :file, :start, :length, :digest, :reading, :reading)
    ON CONFLICT (account_id, gmail_id) DO UPDATE SET former = :former, file = excluded.file, start = excluded.start,
        length = excluded.length, digest = excluded.digest, reading = excluded.reading"""
_STORED = """SELECT p.gmail_id, p.file, p.start, p.length, p.digest, p.reading,
        (SELECT json_group_array(l.label) FROM message_labels l WHERE l.message_id = m.id)
    FROM archive_places p JOIN messages m ON m.account_id = p.account_id AND m.gmail_id = p.gmail_id
    WHERE p.account_id = ? AND p.gmail_id IN (SELECT value FROM json_each(?))"""


class PageCounts(NamedTuple):
    """Counts of messages in a page."""

    seen: int
    added: int
    relabelled: int


@dataclass(slots=True)
class _Stored:
    """A stored message: its position, the last import that saw it, its labels."""

    place: MailPlace
    reading: int
    labels: frozenset[str]


@dataclass(slots=True)
class _Page:
    """What a page changes, by the message's id in the store."""

    reading: int
    stored: dict[GmailId, _Stored]
    wanted: dict[GmailId, frozenset[str]] = field(default_factory=dict)
    places: dict[GmailId, MailPlace] = field(default_factory=dict)
    messages: dict[GmailId, RemoteMessage] = field(default_factory=dict)

    def take(self, gmail_id: GmailId, one: ArchivedMail, message: RemoteMessage) -> None:
        """Adds a message, which may be another copy of an earlier one."""
        stored, digest = self.stored.get(gmail_id), one.place.gmail_id
        if gmail_id in self.wanted:
            self.wanted[gmail_id] = _merged_labels(self.wanted[gmail_id], message.labels)
        elif stored is not None and stored.reading == self.reading:
            self.wanted[gmail_id] = _merged_labels(stored.labels, message.labels)
        else:
            self.wanted[gmail_id] = message.labels
            self.places[gmail_id] = replace(one.place, digest="" if digest == gmail_id else digest)
        if digest == gmail_id:
            self.messages[gmail_id] = message

    def known(self) -> set[GmailId]:
        """Messages of earlier imports that this page is the first to see again."""
        return {gid for gid in self.places if gid in self.stored}


def write_page(connection: sqlite3.Connection, account_id: AccountId, page: Sequence[ArchivedMail]) -> tuple[Applied, PageCounts]:
    """Writes messages and their positions inside the caller's transaction. The caller stores the progress."""
    _name_labels(connection, account_id, [label for one in page for label in one.labels])
    reading = int(connection.execute("SELECT reading FROM archives WHERE account_id = ?", (account_id,)).fetchone()[0])
    found = _examined(connection, account_id, page, reading)
    off = {gid: one.labels - found.wanted[gid] for gid, one in found.stored.items() if gid in found.wanted}
    on = {gid: found.wanted[gid] - one.labels for gid, one in found.stored.items() if gid in found.wanted}
    messages = [replace(one, gmail_id=gid, labels=found.wanted[gid]) for gid, one in found.messages.items()]
    changes = SyncPage(
        messages=tuple(messages),
        add_labels=tuple((gid, labels) for gid, labels in on.items() if labels and gid not in found.messages),
        remove_labels=tuple((gid, labels) for gid, labels in off.items() if labels and gid not in found.messages),
        index=False,
    )
    applied = apply_page(connection, account_id, changes)
    connection.executemany(_PUT, [_row(account_id, gid, place, found) for gid, place in found.places.items()])
    relabelled = sum(1 for gid in found.known() if on[gid] or off[gid])
    seen = sum(1 for one in page if one.message is not None)
    return applied, PageCounts(seen, len(applied.new_ids), relabelled)


def _examined(connection: sqlite3.Connection, account_id: AccountId, page: Sequence[ArchivedMail], reading: int) -> _Page:
    mails = [(one, one.message) for one in page if one.message is not None]
    found = _Page(reading, _stored(connection, account_id, [one.place.gmail_id for one, _ in mails]))
    unknown = [message for one, message in mails if one.place.gmail_id not in found.stored]
    like = _with_same_heads(connection, account_id, unknown)
    found.stored |= _stored(connection, account_id, [one.gmail_id for some in like.values() for one in some])
    fresh: dict[Hashable, GmailId] = {}
    for one, message in mails:
        digest = one.place.gmail_id
        gmail_id = digest if digest in found.stored else _stored_copy(one, message, like.get(_head(message), []), found)
        words = (_head(message), storable(message.body_text))
        found.take(gmail_id or fresh.setdefault(words, digest), one, message)
    return found


def _stored_copy(one: ArchivedMail, message: RemoteMessage, candidates: list[Message], found: _Page) -> GmailId | None:
    """The stored message that this is a copy of."""
    words = storable(message.body_text)
    for each in candidates:
        earlier = found.stored[each.gmail_id].reading < found.reading if each.gmail_id in found.stored else False
        if each.gmail_id in found.stored and (each.body_text == words or (one.from_gmail and earlier)):
            return each.gmail_id
    return None


def _with_same_heads(
    connection: sqlite3.Connection, account_id: AccountId, unknown: Sequence[RemoteMessage]
) -> dict[Hashable, list[Message]]:
    """Stored messages with the same heads as these."""
    if not unknown:
        return {}
    sql = """SELECT id, date, rfc822_id FROM messages INDEXED BY messages_date
        WHERE date IN (SELECT value FROM json_each(?)) AND account_id = ?"""
    rows = connection.execute(sql, (id_list({to_ms(one.date) for one in unknown}), account_id)).fetchall()
    wanted = {(to_ms(one.date), storable(one.rfc822_id)) for one in unknown}
    numbers = [row[0] for row in rows if (row[1], row[2]) in wanted]
    like: dict[Hashable, list[Message]] = {}
    for message in load_messages(connection, numbers).values() if numbers else ():
        like.setdefault(_head(message), []).append(message)
    return like


def _head(mail: Message | RemoteMessage) -> Hashable:
    """What two copies of a message share, apart from labels."""
    files = tuple((storable(one.filename), one.size) for one in mail.attachments)
    return (to_ms(mail.date), storable(mail.rfc822_id), storable(mail.subject), mail.sender.email, mail.to, files)


def _stored(connection: sqlite3.Connection, account_id: AccountId, ids: Sequence[GmailId]) -> dict[GmailId, _Stored]:
    if not ids:
        return {}
    rows = connection.execute(_STORED, (account_id, id_list(ids)))
    return {
        GmailId(row[0]): _Stored(MailPlace(GmailId(row[0]), *row[1:5]), row[5], frozenset(json.loads(row[6]))) for row in rows
    }


def _merged_labels(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """The labels of two copies in different folders. Trash and spam count only if both copies are there."""
    both = mine | theirs
    return both if mine & _HIDDEN and theirs & _HIDDEN else both - _HIDDEN


def _row(account_id: AccountId, gmail_id: GmailId, place: MailPlace, found: _Page) -> dict[str, object]:
    was = found.stored.get(gmail_id)
    former = ""
    if was is not None:
        former = json.dumps(
            [was.place.file, was.place.start, was.place.length, was.place.digest, was.reading, sorted(was.labels)]
        )
    return {
        "account": account_id,
        "id": gmail_id,
        "file": storable(place.file),
        "start": place.start,
        "length": place.length,
        "digest": place.digest,
        "reading": found.reading,
        "former": former,
    }


def _name_labels(connection: sqlite3.Connection, account_id: AccountId, labels: Sequence[Label]) -> None:
    """Stores the names of the archive's own labels."""
    connection.executemany(
        "INSERT OR IGNORE INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, ?)",
        [(account_id, one.gmail_label_id, storable(one.name), one.kind) for one in dict.fromkeys(labels)],
    )


AT_ONCE = 300
_RESTORE_PLACE = """UPDATE archive_places SET file = ?, start = ?, length = ?, digest = ?, reading = ?, former = ''
    WHERE account_id = ? AND gmail_id = ?"""
_LABELS = """SELECT m.gmail_id, l.label FROM messages m JOIN message_labels l ON l.message_id = m.id
    WHERE m.account_id = ? AND m.gmail_id IN (SELECT value FROM json_each(?))"""
_RESTORE_ARCHIVE = """UPDATE archives SET state = 'done', place = '', done_bytes = 0, total_bytes = 0, seen = 0, added = 0,
        relabelled = 0, path = iif(former_path = '', path, former_path), former_path = '',
        mails = (SELECT count(*) FROM messages m WHERE m.account_id = archives.account_id)
    WHERE account_id = ?"""


def undo_some(connection: sqlite3.Connection, account_id: AccountId) -> Applied | None:
    """Undoes part of the last import: its messages first, then labels and positions, last the archive's row.

    Returns None when everything is undone.
    """
    sql = """SELECT p.gmail_id FROM archive_places p JOIN archives a ON a.account_id = p.account_id AND p.added = a.reading
        WHERE p.account_id = ? LIMIT ?"""
    brought = [GmailId(row[0]) for row in connection.execute(sql, (account_id, AT_ONCE))]
    if brought:
        return _delete_added(connection, account_id, brought)
    sql = "SELECT gmail_id, former FROM archive_places WHERE account_id = ? AND former <> '' LIMIT ?"
    changed = {GmailId(row[0]): json.loads(row[1]) for row in connection.execute(sql, (account_id, AT_ONCE))}
    if changed:
        return _restore_changed(connection, account_id, changed)
    if connection.execute("SELECT 1 FROM archive_places WHERE account_id = ? LIMIT 1", (account_id,)).fetchone() is None:
        erase_rows(connection, account_id)
    else:
        connection.execute(_RESTORE_ARCHIVE, (account_id,))
    return None


def _delete_added(connection: sqlite3.Connection, account_id: AccountId, brought: list[GmailId]) -> Applied:
    applied = apply_page(connection, account_id, SyncPage(delete=tuple(brought), index=False))
    sql = "DELETE FROM archive_places WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
    connection.execute(sql, (account_id, id_list(brought)))
    sql = "UPDATE archives SET mails = mails - ?, added = max(0, added - ?) WHERE account_id = ?"
    connection.execute(sql, (len(brought), len(brought), account_id))
    return applied


def _restore_changed(connection: sqlite3.Connection, account_id: AccountId, changed: dict[GmailId, list[object]]) -> Applied:
    now: dict[GmailId, set[str]] = {gid: set() for gid in changed}
    for gid, name in connection.execute(_LABELS, (account_id, id_list(changed))):
        now[gid].add(name)
    before = {gid: _label_names(former[5]) for gid, former in changed.items()}
    page = SyncPage(
        add_labels=tuple((gid, before[gid] - now[gid]) for gid in changed if before[gid] - now[gid]),
        remove_labels=tuple((gid, frozenset(now[gid] - before[gid])) for gid in changed if now[gid] - before[gid]),
        index=False,
    )
    connection.executemany(_RESTORE_PLACE, [(*former[:5], account_id, gid) for gid, former in changed.items()])
    return apply_page(connection, account_id, page)


def _label_names(labels: object) -> frozenset[str]:
    return frozenset(map(str, labels)) if isinstance(labels, list) else frozenset()


COLOUR = "#6b7280"
_RESET = """UPDATE archives SET reading = reading + (mails > 0), seen = 0, added = 0, relabelled = 0, place = '', done_bytes = 0,
        former_path = iif(path <> :path, path, '')
    WHERE account_id = :account AND (state = 'done' OR total_bytes <> :total OR path <> :path OR place = '')"""
_FORGET_FORMER = "UPDATE archive_places SET former = '' WHERE account_id = ? AND former <> ''"
_OPEN = "UPDATE archives SET state = 'reading', total_bytes = :total, path = :path WHERE account_id = :account"
_SHARED = """SELECT m.account_id, count(DISTINCT m.rfc822_id) AS shared FROM messages m
    WHERE m.date IN (SELECT value FROM json_each(?)) AND m.rfc822_id IN (SELECT value FROM json_each(?))
        AND m.account_id IN (SELECT account_id FROM archives WHERE state <> 'leaving')
    GROUP BY m.account_id ORDER BY shared DESC, m.account_id LIMIT 1"""


class Archives:
    """The tables `archives` and `archive_places`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def open(self, path: Path, total_bytes: int, into: AccountId | None = None) -> Archive:
        """Opens the archive at this path, or updates `into` from there. Creates an account for a new archive.

        An archive that was read to its end, or has another size or path now, is read from its beginning: its messages stay and
        their positions are stored anew. Raises `NotFound`.
        """
        with self._db.transaction() as connection:
            found = into if into is not None else _at(connection, path)
            account_id = found if found is not None else _make(connection, path)
            values = {"total": total_bytes, "account": account_id, "path": storable(str(path))}
            if connection.execute(_RESET, values).rowcount:  # earlier imports can no longer be undone
                connection.execute(_FORGET_FORMER, (account_id,))
            connection.execute(_OPEN, values)
        return self.get(account_id)

    def at(self, path: Path) -> Archive | None:
        """The archive at this path, None if there is none."""
        with self._db.reading() as connection:
            found = _at(connection, path)
        return None if found is None else self.get(found)

    def follow(self, path: Path, total_bytes: int, first: Callable[[], Sequence[GmailId]]) -> bool:
        """Recognises a moved archive: one of this size that begins with the same messages.

        Stores its new path and has it read anew for the file positions. `first` reads the ids of the first messages and is called
        only when the size matches. Returns whether an archive was found.
        """
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
        """How many archives there are."""
        return int(self._db.read("SELECT count(*) FROM archives")[0][0])

    def sharing(self, mails: Sequence[RemoteMessage]) -> tuple[Archive, int] | None:
        """The archive with most of these messages, by Message-ID and date, and how many it has."""
        ids = {storable(one.rfc822_id) for one in mails} - {""}
        rows = self._db.read(_SHARED, (id_list({to_ms(one.date) for one in mails}), id_list(ids)))
        return (self.get(AccountId(rows[0][0])), int(rows[0][1])) if rows else None

    def get(self, account_id: AccountId) -> Archive:
        """Raises `NotFound`."""
        rows = self._db.read("SELECT * FROM archives WHERE account_id = ?", (account_id,))
        if not rows:
            raise NotFound(f"Account {account_id} is no archive.")
        return archive_of(rows[0])

    def unfinished(self) -> list[Archive]:
        """Archives whose import or undo was interrupted by a restart."""
        rows = self._db.read("SELECT * FROM archives WHERE state IN ('reading', 'leaving') ORDER BY account_id")
        return [archive_of(row) for row in rows]

    def write(self, account_id: AccountId, page: Sequence[ArchivedMail], place: str) -> Applied:
        """Writes a page of messages with their positions and the progress, in one transaction."""
        with self._db.transaction() as connection:
            applied, counts = write_page(connection, account_id, page)
            connection.execute(
                """UPDATE archives SET place = ?, done_bytes = ?, mails = mails + ?, seen = seen + ?, added = added + ?,
                    relabelled = relabelled + ? WHERE account_id = ?""",
                (place, page[-1].done_bytes, counts.added, counts.seen, counts.added, counts.relabelled, account_id),
            )
            return applied

    def stop(self, account_id: AccountId, state: ArchiveState = ArchiveState.STOPPED) -> Archive:
        """Stops an import for the owner, unless it is done or being removed. Raises `NotFound`."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE archives SET state = ? WHERE account_id = ? AND state NOT IN ('done', 'leaving')", (state, account_id)
            )
        return self.get(account_id)

    def settle(self, account_id: AccountId, state: ArchiveState) -> Archive:
        """Stores the final state of an import. Raises `NotFound`."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE archives SET state = ? WHERE account_id = ?", (state, account_id))
            if state is ArchiveState.DONE:
                connection.execute(_FORGET_FORMER, (account_id,))
        return self.get(account_id)

    def undo(self, account_id: AccountId) -> Applied | None:
        """Undoes part of the last import; None when all of it is undone. A new archive's account is deleted at the end."""
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
