"""The state of downloaded message parts, whose bytes are in files, and the text of files for search."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail.files import FileState, StoredFile
from app.domain.protocol.archive_commands import MailPlace
from app.store.db.codecs import id_list, storable
from app.store.db.database import Database, Table
from app.store.db.times import to_ms
from app.store.mail.mail_writing import put_back, take_out


def load_file(connection: sqlite3.Connection, message_id: MessageId, part_id: str) -> StoredFile | None:
    """A file's row, for engine and window."""
    sql = "SELECT state, path, size, error FROM downloads WHERE message_id = ? AND part_id = ?"
    row = connection.execute(sql, (message_id, part_id)).fetchone()
    return None if row is None else StoredFile(FileState(row["state"]), Path(row["path"]), row["size"], row["error"])


class Downloads(Table):
    """The table `downloads`, and the file positions of archived messages."""

    def put(self, message_id: MessageId, part_id: str, file: StoredFile) -> None:
        """Stores a file's state. Does nothing when the message is gone."""
        self._db.write(
            """INSERT INTO downloads (message_id, part_id, state, path, size, error, at)
                SELECT id, ?, ?, ?, ?, ?, ? FROM messages WHERE id = ?
                ON CONFLICT (message_id, part_id) DO UPDATE SET state = excluded.state, path = excluded.path,
                    size = excluded.size, error = excluded.error, at = excluded.at""",
            (part_id, file.state, storable(str(file.path)), file.size, file.error, to_ms(self._clock()), message_id),
        )

    def get(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        return self._db.load(load_file, message_id, part_id)

    def wanted(self) -> list[tuple[MessageId, str]]:
        """Requested files that are not here yet, oldest first."""
        rows = self._db.read("SELECT message_id, part_id FROM downloads WHERE state = 'wanted' ORDER BY at")
        return [(MessageId(row[0]), str(row[1])) for row in rows]

    def forget_before(self, moment: datetime) -> list[Path]:
        """Deletes rows older than `moment`. Returns the paths of their files."""
        with self._db.transaction() as connection:
            rows = connection.execute("DELETE FROM downloads WHERE at < ? RETURNING path", (to_ms(moment),)).fetchall()
            return [Path(row[0]) for row in rows]

    def alive(self, ids: Sequence[int]) -> set[int]:
        """The messages among `ids` that still exist."""
        rows = self._db.read("SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))", (id_list(ids),))
        return {row[0] for row in rows}

    def archived_at(self, account_id: AccountId, gmail_id: GmailId) -> MailPlace | None:
        """The file position of an archived message; None for a Gmail message."""
        sql = "SELECT file, start, length, digest FROM archive_places WHERE account_id = ? AND gmail_id = ?"
        rows = self._db.read(sql, (account_id, gmail_id))
        return MailPlace(gmail_id, *rows[0]) if rows else None


_UNREAD = """SELECT a.message_id, a.part_id, a.filename, a.mime_type FROM attachments a JOIN messages m ON m.id = a.message_id
    WHERE NOT a.inline AND a.size <= ?
        AND NOT EXISTS (SELECT 1 FROM file_texts f WHERE f.message_id = a.message_id AND f.part_id = a.part_id)
        AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = a.message_id AND l.label IN ('SPAM', 'TRASH'))
        AND (? OR EXISTS (SELECT 1 FROM archive_places p WHERE p.account_id = m.account_id AND p.gmail_id = m.gmail_id))
    ORDER BY m.date DESC, a.id LIMIT ?"""


class UnreadFile(NamedTuple):
    """A file of a message whose text was not read yet."""

    message_id: MessageId
    part_id: str
    filename: str
    mime_type: str


class FileTexts:
    """The table `file_texts`: one row for each file that was read or cannot be. Search finds mail by it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def unread(self, most_bytes: int, limit: int, fetch: bool) -> list[UnreadFile]:
        """Files without a row, those of the newest mail first; without `fetch` only those of mail archives."""
        rows = self._db.read(_UNREAD, (most_bytes, fetch, limit))
        return [UnreadFile(MessageId(row[0]), row[1], row[2], row[3]) for row in rows]

    def put(self, message_id: MessageId, texts: Sequence[tuple[str, str, str]]) -> None:
        """Stores part ids, states and texts of a message and indexes it again. Does nothing when the message is gone."""
        with self._db.transaction(lasting=False) as connection:
            indexed = take_out(connection, [message_id])
            connection.executemany(
                """INSERT INTO file_texts (message_id, part_id, state, text) SELECT id, ?, ?, ? FROM messages WHERE id = ?
                    ON CONFLICT (message_id, part_id) DO UPDATE SET state = excluded.state, text = excluded.text""",
                [(part_id, state, storable(text), message_id) for part_id, state, text in texts],
            )
            put_back(connection, indexed)
