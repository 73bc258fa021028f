"""The Gmail draft of each letter: which drafts are to be written, deleted or looked for."""

import sqlite3
from collections.abc import Collection
from datetime import datetime

from app.domain.ids import GmailDraftId, GmailId, LetterId
from app.domain.mail.letter import Letter, RemoteDraftChange, StoredLetter
from app.domain.mail.message import Message
from app.domain.record import Record
from app.store.db.codecs import id_list, pack_addresses, storable
from app.store.db.database import SqlValue, Table
from app.store.db.times import from_ms, to_ms
from app.store.letters.letters import NewFile, insert_files, load_letters, styles_to_json

_WRITE = """state = 'open' AND elsewhere = '' AND changes > synced
    AND (trim(body) <> '' OR draft_id <> '' OR doubt OR id IN (SELECT letter_id FROM letter_files WHERE NOT taken_off))"""
_DELETE = "state <> 'open' AND (draft_id <> '' OR doubt)"
_NEXT = " ".join(("SELECT min(updated_at) FROM letters WHERE", _WRITE))
_SELECT = "SELECT * FROM letters WHERE"
_REPLACE_WITH_GMAIL = """UPDATE letters SET elsewhere = '', sender = ?, to_list = ?, cc_list = ?, bcc_list = ?, subject = ?,
    body = ?, marks = ?, quoted = 0, signed = 0, revision = revision + 1, changes = changes + 1, synced = changes + 1,
    draft_id = ?, draft_gmail_id = ?, chosen_gmail_id = ? WHERE id = ?"""
_NOT_MIRRORED = """state = 'open' AND elsewhere = '' AND draft_id <> '' AND NOT EXISTS
    (SELECT 1 FROM messages m WHERE m.account_id = letters.account_id AND m.gmail_id = letters.draft_gmail_id)"""
_SETTLE = """UPDATE letters SET state = 'sent', updated_at = ? WHERE state = 'leaving'
    AND outbox_id IN (SELECT id FROM outbox WHERE state = 'sent') RETURNING id"""


class DraftWork(Record):
    """A letter and its Gmail draft.

    `changes` is the counter to store once the draft is written. `look_for` is the Message-ID of a draft that may exist although
    its id is unknown; empty if there is none. `chosen_gmail_id` is the message of somebody else's draft that the owner chose to
    continue or to overwrite.
    """

    stored: StoredLetter
    changes: int
    marker: str
    draft_id: GmailDraftId
    draft_gmail_id: GmailId
    look_for: str
    chosen_gmail_id: GmailId


class WantedFile(Record):
    """A file whose bytes have to be fetched from another message."""

    file_id: int
    gmail_id: GmailId
    part_id: str


class LetterDrafts(Table):
    """The draft columns of the table `letters`."""

    def to_write(self, idle_since: datetime) -> tuple[DraftWork, ...]:
        """Open letters with an outdated draft that have not changed since `idle_since`."""
        return self._works(f"{_WRITE} AND updated_at <= ?", to_ms(idle_since))

    def next_write(self) -> datetime | None:
        """The earliest last change of an open letter with an outdated draft."""
        value = self._db.read(_NEXT)[0][0]
        return None if value is None else from_ms(value)

    def to_delete(self) -> tuple[DraftWork, ...]:
        """Letters that are leaving, sent or discarded while their Gmail draft exists."""
        return self._works(_DELETE)

    def with_drafts(self, gmail_ids: Collection[GmailId]) -> tuple[DraftWork, ...]:
        """Open letters whose draft is one of these messages."""
        sql = "state = 'open' AND elsewhere = '' AND draft_gmail_id IN (SELECT value FROM json_each(?))"
        return self._works(sql, id_list(gmail_ids))

    def not_mirrored(self) -> tuple[DraftWork, ...]:
        """Open letters whose draft, as last written, is not in the local copy. The draft is new or was replaced before a sync."""
        return self._works(_NOT_MIRRORED)

    def work(self, letter_id: LetterId) -> DraftWork | None:
        """One letter with its draft, None when it is gone."""
        return next(iter(self._works("id = ?", letter_id)), None)

    def wanted_files(self, letter_id: LetterId) -> tuple[WantedFile, ...]:
        """Files of a letter whose bytes have to be fetched."""
        rows = self._db.read(
            "SELECT id, source_gmail_id, source_part FROM letter_files WHERE letter_id = ? AND data IS NULL AND NOT taken_off",
            (letter_id,),
        )
        return tuple(WantedFile(row[0], GmailId(row[1]), row[2]) for row in rows)

    def waiting_for_files(self) -> tuple[LetterId, ...]:
        """Open letters with files to fetch."""
        rows = self._db.read(
            """SELECT DISTINCT f.letter_id FROM letter_files f JOIN letters l ON l.id = f.letter_id
                WHERE f.data IS NULL AND NOT f.taken_off AND l.state = 'open'"""
        )
        return tuple(LetterId(row[0]) for row in rows)

    def _works(self, where: str, *args: object) -> tuple[DraftWork, ...]:
        with self._db.reading() as connection:
            rows = {row["id"]: row for row in connection.execute(" ".join((_SELECT, where)), args)}
            return tuple(_work(one, rows[one.letter.id]) for one in load_letters(connection, where, args))

    def doubtful(self, letter_id: LetterId) -> None:
        """Records that a draft is about to be created."""
        self._set(letter_id, "doubt = 1")

    def found(self, letter_id: LetterId, draft_id: GmailDraftId, gmail_id: GmailId) -> None:
        """Stores the ids of the draft; both are empty when there is none."""
        self._set(letter_id, "doubt = 0, adopted_id = '', draft_id = ?, draft_gmail_id = ?", draft_id, gmail_id)

    def written(self, letter_id: LetterId, changes: int, draft_id: GmailDraftId, gmail_id: GmailId) -> None:
        """Records that the Gmail draft has the letter's state at `changes`."""
        self._set(letter_id, "doubt = 0, synced = ?, draft_id = ?, draft_gmail_id = ?", changes, draft_id, gmail_id)

    def changed_elsewhere(self, letter_id: LetterId, what: RemoteDraftChange) -> None:
        """Stops writing the draft until the owner chooses a version."""
        self._set(letter_id, "elsewhere = ?", what)

    def keep_ours(self, letter_id: LetterId, draft_id: GmailDraftId, gmail_id: GmailId) -> None:
        """Keeps our text: it overwrites the given draft, or becomes a new one when both ids are empty."""
        what = "elsewhere = '', changes = changes + 1, draft_id = ?, draft_gmail_id = ?, chosen_gmail_id = ?"
        self._set(letter_id, what, draft_id, gmail_id, gmail_id)

    def replace_with_gmail(self, letter: Letter, files: tuple[NewFile, ...], draft_id: GmailDraftId, gmail_id: GmailId) -> None:
        """Takes sender, text and files of the Gmail draft. The letter's own files are removed from it."""
        values = (
            letter.sender,
            *(storable(pack_addresses(one)) for one in (letter.to, letter.cc, letter.bcc)),
            storable(letter.subject),
            storable(letter.body),
            styles_to_json(letter.styles),
            draft_id,
            gmail_id,
            gmail_id,
        )
        with self._db.transaction() as connection:
            connection.execute(_REPLACE_WITH_GMAIL, (*values, letter.id))
            connection.execute("UPDATE letter_files SET taken_off = 1 WHERE letter_id = ?", (letter.id,))
            insert_files(connection, letter.id, files)

    def adopt(self, letter_id: LetterId, message: Message) -> None:
        """Connects the letter to a draft of another program that has the same content."""
        self._set(
            letter_id,
            "doubt = 1, adopted_id = ?, draft_gmail_id = ?, chosen_gmail_id = ?, synced = changes",
            message.rfc822_id,
            message.gmail_id,
            message.gmail_id,
        )

    def fetched(self, file_id: int, data: bytes | None) -> None:
        """Stores a file's bytes. None means that they are gone for good, and deletes the file from the letter."""
        with self._db.transaction() as connection:
            if data is None:
                connection.execute("DELETE FROM letter_files WHERE id = ?", (file_id,))
            else:
                connection.execute("UPDATE letter_files SET data = ?, size = ? WHERE id = ?", (data, len(data), file_id))

    def settle(self) -> tuple[LetterId, ...]:
        """Closes letters whose outbox item was sent, and returns them."""
        with self._db.transaction() as connection:
            return tuple(LetterId(row[0]) for row in connection.execute(_SETTLE, (to_ms(self._clock()),)).fetchall())

    def _set(self, letter_id: LetterId, what: str, *values: SqlValue) -> None:
        """Sets columns of a letter. `what` must come from code."""
        self._db.write(" ".join(("UPDATE letters SET", what, "WHERE id = ?")), (*values, letter_id))


def _work(stored: StoredLetter, row: sqlite3.Row) -> DraftWork:
    look_for = (row["adopted_id"] or row["marker"]) if row["doubt"] else ""
    draft, gmail_id = GmailDraftId(row["draft_id"]), GmailId(row["draft_gmail_id"])
    chosen = GmailId(row["chosen_gmail_id"])
    return DraftWork(stored, row["changes"], row["marker"], draft, gmail_id, look_for, chosen)
