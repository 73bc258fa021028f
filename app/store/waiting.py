"""Sent mail without an answer: the newest mail of its conversation is the owner's, to somebody else, and not dismissed.

Refuses to count working days: it is given instants.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.ports.agents import Clock
from app.domain.ports.writing import WaitingRow
from app.store.database import Database
from app.store.instants import from_ms, to_ms
from app.store.packing import unpack_addresses, unpack_strings

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
    """Rows of mail sent between `since` and `before`, oldest first; mail to nobody but the owner waits for nothing."""
    rows = connection.execute(_WAITING, {"since": to_ms(since), "before": to_ms(before), "limit": limit})
    return tuple(one for one in map(_row, rows) if one is not None)


class Waiting:
    """What the user does not wait for."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def dismiss(self, message_id: MessageId, dismissed: bool) -> None:
        """Wait no longer for an answer to this mail, or again."""
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
