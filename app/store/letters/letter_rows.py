"""Reads rows of letters and templates, for the engine's tables and the window's reader."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from app.domain.ids import AccountId, LetterId, MessageId, OutboxId
from app.domain.mail.letter import (
    Letter,
    LetterFile,
    LetterKind,
    LetterState,
    RemoteDraftChange,
    StoredLetter,
    Style,
    StyleKind,
    TextTemplate,
)
from app.store.db.codecs import id_list, unpack_addresses
from app.store.db.times import from_ms

_FILES = """SELECT id, letter_id, name, mime_type, size, data IS NOT NULL AS here FROM letter_files
    WHERE letter_id IN (SELECT value FROM json_each(?)) AND NOT taken_off ORDER BY id"""


def load_letters(connection: sqlite3.Connection, where: str, args: Sequence[object] = ()) -> tuple[StoredLetter, ...]:
    """Letters that match an SQL condition, last changed first. `where` must come from code."""
    sql = " ".join(("SELECT * FROM letters WHERE", where, "ORDER BY updated_at DESC, id"))
    rows = connection.execute(sql, tuple(args)).fetchall()
    files: dict[str, list[LetterFile]] = defaultdict(list)
    for row in connection.execute(_FILES, (id_list(row["id"] for row in rows),)):
        files[row["letter_id"]].append(LetterFile(row["id"], row["name"], row["mime_type"], row["size"], bool(row["here"])))
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
    return StoredLetter(
        letter=letter_of(row),
        revision=row["revision"],
        state=LetterState(row["state"]),
        files=files,
        updated_at=from_ms(row["updated_at"]),
        in_gmail=bool(row["draft_id"]) and row["synced"] == row["changes"],
        elsewhere=RemoteDraftChange(row["elsewhere"]),
        outbox_id=OutboxId(row["outbox_id"]),
    )


def letter_of(row: sqlite3.Row) -> Letter:
    styles = tuple(Style(start, end, StyleKind(kind), value) for start, end, kind, value in json.loads(row["marks"]))
    return Letter(
        id=LetterId(row["id"]),
        account_id=AccountId(row["account_id"]),
        kind=LetterKind(row["kind"]),
        sender=row["sender"],
        to=unpack_addresses(row["to_list"]),
        cc=unpack_addresses(row["cc_list"]),
        bcc=unpack_addresses(row["bcc_list"]),
        subject=row["subject"],
        body=row["body"],
        styles=styles,
        about=MessageId(row["about_message"]),
        quoted=bool(row["quoted"]),
        signed=bool(row["signed"]),
        remind_at_ms=row["remind_at"],
    )
