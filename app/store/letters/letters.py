"""Letters (mail written by hand) with their files, from the first key to the outbox, and text templates."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from uuid import uuid4

from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import GmailId, LetterId, OutboxId
from app.domain.mail.letter import (
    MOST_FILE_BYTES,
    FileContent,
    Letter,
    LetterFile,
    LetterState,
    StoredLetter,
    Style,
    StyleKind,
    TextTemplate,
)
from app.domain.mail.outbox import UNDOABLE, OutboxState
from app.domain.record import Record, asdict
from app.store.db.codecs import id_list, pack_addresses, storable, unpack_addresses
from app.store.db.database import Table
from app.store.db.records import insert_row, record
from app.store.db.times import to_ms
from app.store.outbox import NewOutbox, insert_item, move_row

_FILES = """SELECT id, letter_id, name, mime_type, size, data IS NOT NULL AS here, inline FROM letter_files
    WHERE letter_id IN (SELECT value FROM json_each(?)) AND NOT taken_off ORDER BY id"""


def load_letters(connection: sqlite3.Connection, where: str, args: Sequence[object] = ()) -> tuple[StoredLetter, ...]:
    """Letters that match an SQL condition, last changed first. `where` must come from code."""
    sql = " ".join(("SELECT * FROM letters WHERE", where, "ORDER BY updated_at DESC, id"))
    rows = connection.execute(sql, tuple(args)).fetchall()
    files: dict[str, list[LetterFile]] = defaultdict(list)
    for row in connection.execute(_FILES, (id_list(row["id"] for row in rows),)):
        files[row["letter_id"]].append(record(LetterFile, row))
    return tuple(_stored(row, tuple(files[row["id"]])) for row in rows)


def load_letter(connection: sqlite3.Connection, letter_id: LetterId) -> StoredLetter | None:
    """One letter in any state, None when it is gone."""
    return next(iter(load_letters(connection, "id = ?", (letter_id,))), None)


def load_templates(connection: sqlite3.Connection) -> tuple[TextTemplate, ...]:
    """Templates that are not deleted, the most used first."""
    rows = connection.execute(
        "SELECT id, name, subject, body, uses FROM templates WHERE deleted_at IS NULL ORDER BY uses DESC, name, id"
    )
    return tuple(TextTemplate(*row) for row in rows)


def styles_to_json(styles: Sequence[Style]) -> str:
    return json.dumps([[one.start, one.end, one.kind, one.value] for one in styles], ensure_ascii=True, separators=(",", ":"))


def _stored(row: sqlite3.Row, files: tuple[LetterFile, ...]) -> StoredLetter:
    in_gmail = bool(row["draft_id"]) and row["synced"] == row["changes"]
    return record(StoredLetter, row, letter=letter_of(row), files=files, in_gmail=in_gmail)


def letter_of(row: sqlite3.Row) -> Letter:
    styles = tuple(Style(start, end, StyleKind(kind), value) for start, end, kind, value in json.loads(row["marks"]))
    return record(
        Letter,
        row,
        to=unpack_addresses(row["to_list"]),
        cc=unpack_addresses(row["cc_list"]),
        bcc=unpack_addresses(row["bcc_list"]),
        styles=styles,
        about=row["about_message"],
        remind_at_ms=row["remind_at"],
    )


_SAVE = """INSERT INTO letters (id, account_id, kind, sender, to_list, cc_list, bcc_list, subject, body, marks, about_message,
    quoted, signed, remind_at, revision, seen_tip, marker, created_at, updated_at)
    VALUES (:id, :account, :kind, :sender, :to, :cc, :bcc, :subject, :body, :marks, :about, :quoted, :signed, :remind_at,
        :revision, :tip, :marker, :now, :now)
    ON CONFLICT (id) DO UPDATE SET sender = excluded.sender, to_list = excluded.to_list, cc_list = excluded.cc_list,
        bcc_list = excluded.bcc_list, subject = excluded.subject, body = excluded.body, marks = excluded.marks,
        quoted = excluded.quoted, signed = excluded.signed, remind_at = excluded.remind_at, revision = excluded.revision,
        changes = changes + 1, updated_at = excluded.updated_at
    WHERE state = 'open' AND excluded.revision > revision"""
_COPY_FILES = """INSERT INTO letter_files (letter_id, name, mime_type, size, data, inline)
    SELECT ?, name, mime_type, size, data, inline FROM letter_files WHERE letter_id = ? AND NOT taken_off ORDER BY id"""

_ATTACHED = """SELECT 1 FROM letter_files WHERE letter_id = ? AND NOT taken_off AND name = ?
    AND (data = ? OR (source_gmail_id, source_part) = (?, ?) AND source_gmail_id <> '')"""


class NewFile(Record):
    """A file to attach. Without `data`, the source fields say where the bytes come from."""

    name: str
    mime_type: str
    size: int
    data: bytes | None
    source_gmail_id: str = ""
    source_part: str = ""
    inline: bool = False


class Letters(Table):
    """The table `letters` as the owner changes it."""

    def save(self, letter: Letter, revision: int, seen_tip: GmailId = GmailId("")) -> bool:
        """Stores a letter and returns whether it is new. Ignores an older revision and a letter that is not open.

        A new letter replaces those in `instead_of` in the same transaction. Raises `NotAllowed` while one of their files is not
        fetched.
        """
        with self._db.transaction() as connection:
            new = connection.execute("SELECT 1 FROM letters WHERE id = ?", (letter.id,)).fetchone() is None
            self._write(connection, letter, revision, seen_tip)
            for before in letter.instead_of if new else ():
                self._take_over(connection, before, letter.id)
            return new

    def get(self, letter_id: LetterId) -> StoredLetter:
        """Raises `NotFound`."""
        return self._db.load(_existing, letter_id)

    def known(self, letter_id: LetterId) -> bool:
        """Whether the letter exists in any state."""
        return bool(self._db.read("SELECT 1 FROM letters WHERE id = ?", (letter_id,)))

    def files(self, letter_id: LetterId) -> tuple[FileContent, ...]:
        """The letter's files with their bytes, in order; empty until they are fetched."""
        sql = """SELECT name, mime_type, ifnull(data, x'') AS data, inline FROM letter_files
            WHERE letter_id = ? AND NOT taken_off ORDER BY id"""
        return tuple(record(FileContent, row) for row in self._db.read(sql, (letter_id,)))

    def attach(self, letter_id: LetterId, files: tuple[NewFile, ...]) -> None:
        """Adds files. Skips a file with the same name and bytes, because a command may arrive twice.

        Raises `NotAllowed` when the files are too large together or the letter is not open, and `NotFound`.
        """
        with self._db.transaction() as connection:
            stored = _open(connection, letter_id)
            new = tuple(one for one in files if not _attached(connection, letter_id, one))
            if new:
                _fits(stored, sum(one.size for one in new))
                insert_files(connection, letter_id, new)
                self._touch(connection, letter_id)

    def remove_file(self, letter_id: LetterId, file_id: int) -> None:
        """Removes a file; its bytes stay until `close`. Does nothing if it is gone. Raises `NotAllowed` and `NotFound`."""
        with self._db.transaction() as connection:
            _open(connection, letter_id)
            connection.execute("UPDATE letter_files SET taken_off = 1 WHERE id = ? AND letter_id = ?", (file_id, letter_id))
            self._touch(connection, letter_id)

    def restore_file(self, letter_id: LetterId, file_id: int) -> None:
        """Restores a removed file. Raises `NotAllowed` when it no longer fits, and `NotFound`."""
        with self._db.transaction() as connection:
            stored = _open(connection, letter_id)
            sql = "SELECT size FROM letter_files WHERE id = ? AND letter_id = ?"
            row = connection.execute(sql, (file_id, letter_id)).fetchone()
            if row is None:
                raise NotFound(Cause.ATTACHMENT_GONE)
            if all(one.id != file_id for one in stored.files):
                _fits(stored, row[0])
                connection.execute("UPDATE letter_files SET taken_off = 0 WHERE id = ?", (file_id,))
                self._touch(connection, letter_id)

    def close(self, letter_id: LetterId) -> None:
        """Deletes removed files for good."""
        with self._db.transaction() as connection:
            _drop_taken_off(connection, letter_id)

    def leave(self, letter: Letter, revision: int, item: NewOutbox) -> OutboxId:
        """Stores the last revision and queues the mail in one transaction. A letter already queued returns its item.

        Raises `NotAllowed` when the letter was sent or discarded, and for an older `revision`: then the command came twice and
        its first effect was undone meanwhile.
        """
        with self._db.transaction() as connection:
            stored = _existing(connection, letter.id)
            if stored.state is LetterState.LEAVING:
                return stored.outbox_id
            if revision < stored.revision:
                raise NotAllowed(Cause.LETTER_CHANGED)
            self._write(connection, letter, revision + 1, GmailId(""))
            _open(connection, letter.id)
            outbox_id = insert_item(connection, item, self._clock())
            connection.execute("UPDATE letters SET state = 'leaving', outbox_id = ? WHERE id = ?", (outbox_id, letter.id))
            _drop_taken_off(connection, letter.id)
            return outbox_id

    def take_back(self, outbox_id: OutboxId, seen_tip: GmailId) -> LetterId | None:
        """Cancels the item and reopens its letter in one transaction. Returns None when no letter has this item.

        Raises `NotAllowed` when the item can no longer be cancelled.
        """
        with self._db.transaction() as connection:
            row = connection.execute(
                """SELECT l.id, o.state FROM letters l JOIN outbox o ON o.id = l.outbox_id
                    WHERE l.outbox_id = ? AND l.state = 'leaving'""",
                (outbox_id,),
            ).fetchone()
            if row is None:
                return None
            state = OutboxState(row[1])
            if state not in UNDOABLE:
                raise NotAllowed(Cause.TOO_LATE)
            move_row(connection, outbox_id, state, OutboxState.CANCELLED, "", self._clock())
            connection.execute("UPDATE letters SET outbox_id = 0, state = 'open', seen_tip = ? WHERE id = ?", (seen_tip, row[0]))
            self._touch(connection, LetterId(row[0]))
            return LetterId(row[0])

    def discard(self, letter_id: LetterId) -> None:
        """Discards a letter; it is kept for a while for undo. Raises `NotAllowed` and `NotFound`."""
        self._turn(letter_id, LetterState.OPEN, LetterState.DISCARDED)

    def restore(self, letter_id: LetterId) -> None:
        """Undoes a discard. Raises `NotAllowed` and `NotFound`."""
        self._turn(letter_id, LetterState.DISCARDED, LetterState.OPEN)

    def seen_tip(self, letter_id: LetterId) -> GmailId:
        """The newest message of the conversation when the letter was begun or reopened."""
        rows = self._db.read("SELECT seen_tip FROM letters WHERE id = ?", (letter_id,))
        return GmailId(rows[0][0] if rows else "")

    def _turn(self, letter_id: LetterId, old: LetterState, new: LetterState) -> None:
        with self._db.transaction() as connection:
            stored = _existing(connection, letter_id)
            if stored.state is new:
                return
            if stored.state is not old:
                raise NotAllowed(Cause.LETTER_STATE, stored.state)
            connection.execute("UPDATE letters SET state = ? WHERE id = ?", (new, letter_id))
            _drop_taken_off(connection, letter_id)
            self._touch(connection, letter_id)

    def _take_over(self, connection: sqlite3.Connection, before: LetterId, after: LetterId) -> None:
        """Moves the files of `before` to `after` and discards `before`. If `before` is leaving or sent, the files are copied."""
        stored = load_letter(connection, before)
        if stored is None:
            return
        missing = [file.name for file in stored.files if not file.here]
        if missing:
            raise NotAllowed(Cause.FILE_BEING_FETCHED, missing[0])
        if stored.state in (LetterState.LEAVING, LetterState.SENT):
            connection.execute(_COPY_FILES, (after, before))
            return
        connection.execute("UPDATE letter_files SET letter_id = ? WHERE letter_id = ?", (after, before))
        connection.execute("UPDATE letters SET state = 'discarded' WHERE id = ?", (before,))
        self._touch(connection, before)

    def _write(self, connection: sqlite3.Connection, letter: Letter, revision: int, seen_tip: GmailId) -> None:
        values = {
            "id": letter.id,
            "account": letter.account_id,
            "kind": letter.kind,
            "sender": letter.sender,
            "to": storable(pack_addresses(letter.to)),
            "cc": storable(pack_addresses(letter.cc)),
            "bcc": storable(pack_addresses(letter.bcc)),
            "subject": storable(letter.subject),
            "body": storable(letter.body),
            "marks": styles_to_json(letter.styles),
            "about": letter.about,
            "quoted": letter.quoted,
            "signed": letter.signed,
            "remind_at": letter.remind_at_ms,
            "revision": revision,
            "tip": seen_tip,
            "marker": f"<{uuid4()}@replyroom.invalid>",
            "now": to_ms(self._clock()),
        }
        connection.execute(_SAVE, values)

    def _touch(self, connection: sqlite3.Connection, letter_id: LetterId) -> None:
        connection.execute(
            "UPDATE letters SET changes = changes + 1, updated_at = ? WHERE id = ?", (to_ms(self._clock()), letter_id)
        )


def insert_files(connection: sqlite3.Connection, letter_id: LetterId, files: tuple[NewFile, ...]) -> None:
    """Adds files inside the caller's transaction, without a size check."""
    for one in files:
        insert_row(connection, "letter_files", {"letter_id": letter_id, **asdict(one)})


def _attached(connection: sqlite3.Connection, letter_id: LetterId, file: NewFile) -> bool:
    """Whether the letter has this file, with the same bytes or from the same message."""
    values = (letter_id, storable(file.name), file.data, file.source_gmail_id, file.source_part)
    return connection.execute(_ATTACHED, values).fetchone() is not None


def _existing(connection: sqlite3.Connection, letter_id: LetterId) -> StoredLetter:
    stored = load_letter(connection, letter_id)
    if stored is None:
        raise NotFound(Cause.LETTER_GONE)
    return stored


def _open(connection: sqlite3.Connection, letter_id: LetterId) -> StoredLetter:
    stored = _existing(connection, letter_id)
    if stored.state is not LetterState.OPEN:
        raise NotAllowed(Cause.LETTER_STATE, stored.state)
    return stored


def _fits(stored: StoredLetter, size: int) -> None:
    """Raises `NotAllowed` when the files would be too large with `size` more bytes."""
    if sum(one.size for one in stored.files) + size > MOST_FILE_BYTES:
        raise NotAllowed(Cause.FILES_TOO_LARGE)


def _drop_taken_off(connection: sqlite3.Connection, letter_id: LetterId) -> None:
    connection.execute("DELETE FROM letter_files WHERE letter_id = ? AND taken_off", (letter_id,))


class Templates(Table):
    def all(self) -> tuple[TextTemplate, ...]:
        """Templates that are not deleted, the most used first."""
        return self._db.load(load_templates)

    def save(self, template_id: int, name: str, subject: str, body: str) -> int:
        """Stores a template and returns its id. Id 0 inserts one, or finds one with the same text, since commands may arrive
        twice.

        Raises `NotAllowed` and `NotFound`.
        """
        if not name.strip() or not body.strip():
            raise NotAllowed(Cause.TEMPLATE_EMPTY)
        values = (storable(name.strip()), storable(subject.strip()), storable(body), to_ms(self._clock()))
        with self._db.transaction() as connection:
            if not template_id:
                sql = "SELECT id FROM templates WHERE name = ? AND subject = ? AND body = ? AND deleted_at IS NULL"
                known = connection.execute(sql, values[:3]).fetchone()
                if known is not None:
                    return int(known[0])
                sql = "INSERT INTO templates (name, subject, body, updated_at) VALUES (?, ?, ?, ?) RETURNING id"
                return int(connection.execute(sql, values).fetchall()[0][0])
            sql = "UPDATE templates SET name = ?, subject = ?, body = ?, updated_at = ? WHERE id = ? AND deleted_at IS NULL"
            if not connection.execute(sql, (*values, template_id)).rowcount:
                raise NotFound(Cause.TEMPLATE_GONE)
            return template_id

    def delete(self, template_id: int) -> None:
        """Marks a template as deleted. Raises `NotFound`."""
        self._set(template_id, "deleted_at = ?", to_ms(self._clock()))

    def restore(self, template_id: int) -> None:
        """Undoes a deletion. Raises `NotFound`."""
        self._set(template_id, "deleted_at = ?", None)

    def count_use(self, template_id: int) -> None:
        """Counts a use in a letter. Raises `NotFound`."""
        self._set(template_id, "uses = uses + ?", 1)

    def _set(self, template_id: int, what: str, value: object) -> None:
        """Sets a column. `what` must come from code. Raises `NotFound`."""
        with self._db.transaction() as connection:
            sql = " ".join(("UPDATE templates SET", what, "WHERE id = ?"))
            if not connection.execute(sql, (value, template_id)).rowcount:
                raise NotFound(Cause.TEMPLATE_GONE)
