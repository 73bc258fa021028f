"""Rows of a mail's history, written inside a transaction that the caller owns. Numbered by mail.

The view `email_events` has them, and how mails were routed besides, which stands in their runs.
"""

import sqlite3

from app.domain.ids import MessageId, RunId
from app.store.packing import storable

_NOTE = """INSERT INTO mail_events (message_id, id, run_id, kind, detail, at)
    SELECT :message, coalesce(max(id), 0) + 1, :run, :kind, :detail, :at FROM mail_events WHERE message_id = :message"""
_KNOWN = "SELECT 1 FROM mail_events WHERE message_id = ? AND run_id = ? AND kind = ?"


def note_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str, detail: str, at_ms: int) -> None:
    """Append to a mail's history; `detail` is JSON text, `run_id` empty where no run did it."""
    values = {"message": message_id, "run": run_id, "kind": kind, "detail": storable(detail), "at": at_ms}
    connection.execute(_NOTE, values)


def has_event(connection: sqlite3.Connection, message_id: MessageId, run_id: RunId, kind: str) -> bool:
    """Whether the run has noted an event of that kind."""
    return connection.execute(_KNOWN, (message_id, run_id, kind)).fetchone() is not None
