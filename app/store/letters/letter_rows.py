"""Reads rows of letters, templates and waiting mail, for the engine's tables and the window's reader.

Sent mail is waiting when it is the newest mail of its conversation, went to somebody else and was not dismissed.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import AccountId, LetterId, MessageId, OutboxId, ThreadId
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
from app.domain.ports.agents import Clock
from app.domain.ports.window import WaitingRow
from app.store.db.codecs import id_list, unpack_addresses, unpack_strings
from app.store.db.database import Database
from app.store.db.times import from_ms, to_ms

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
    )


_WAITING = """SELECT m.id, m.thread_id, m.account_id, m.to_list, m.subject, m.snippet, m.date, a.email, a.send_as
    FROM messages m JOIN accounts a ON a.id = m.account_id
    WHERE m.outgoing AND m.date BETWEEN :since AND :before
        AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('DRAFT', 'TRASH', 'SPAM'))
        AND NOT EXISTS (SELECT 1 FROM messages n WHERE n.thread_id = m.thread_id
            AND (n.date > m.date OR (n.date = m.date AND n.id > m.id))
            AND NOT EXISTS (SELECT 1 FROM message_labels d WHERE d.message_id = n.id AND d.label IN ('DRAFT', 'TRASH', 'SPAM')))
        AND NOT EXISTS (SELECT 1 FROM waiting_dismissed w WHERE w.message_id = m.id)
    ORDER BY m.date LIMIT :limit"""


def load_waiting(connection: sqlite3.Connection, before: datetime, since: datetime, limit: int) -> Sequence[WaitingRow]:
    """Waiting mail sent between `since` and `before`, oldest first. Mail only to the owner is left out."""
    rows = connection.execute(_WAITING, {"since": to_ms(since), "before": to_ms(before), "limit": limit})
    return tuple(one for one in map(_row, rows) if one is not None)


class WaitingMail:
    """The table `waiting_dismissed`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def dismiss(self, message_id: MessageId, dismissed: bool) -> None:
        """Stops waiting for an answer to this message, or waits again."""
        with self._db.transaction() as connection:
            if dismissed:
                sql = "INSERT OR IGNORE INTO waiting_dismissed (message_id, at) SELECT id, ? FROM messages WHERE id = ?"
                connection.execute(sql, (to_ms(self._clock()), message_id))
            else:
                connection.execute("DELETE FROM waiting_dismissed WHERE message_id = ?", (message_id,))


def _row(row: sqlite3.Row) -> WaitingRow | None:
    own = {row["email"].lower(), *(one.lower() for one in unpack_strings(row["send_as"]))}
    others = tuple(one for one in unpack_addresses(row["to_list"]) if one.email.lower() not in own)
    if not others:
        return None
    place = (MessageId(row["id"]), ThreadId(row["thread_id"]), AccountId(row["account_id"]))
    return WaitingRow(*place, others, row["subject"], row["snippet"], from_ms(row["date"]))
