"""Rows of files on disk, read by engine and window. Refuses to write."""

import sqlite3
from pathlib import Path

from app.domain.ids import MessageId
from app.domain.mail_files import FileState, StoredFile


def load_file(connection: sqlite3.Connection, message_id: MessageId, part_id: str) -> StoredFile | None:
    """A file's row, for engine and window."""
    sql = "SELECT state, path, size, error FROM downloads WHERE message_id = ? AND part_id = ?"
    row = connection.execute(sql, (message_id, part_id)).fetchone()
    return None if row is None else StoredFile(FileState(row["state"]), Path(row["path"]), row["size"], row["error"])
