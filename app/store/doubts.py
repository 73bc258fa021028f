"""Messages of a label change that somebody else changed while it was on its way: whose word was the last nobody can tell.

They are written beside the change in the transaction that shows it, and are to be read again from the transaction on that says it
has left. Until then reading them again would tell nothing. Refuses to judge which messages those are.
"""

import sqlite3
from collections.abc import Iterable

from app.domain.ids import GmailId, OutboxId
from app.store.packing import pack_strings, unpack_strings

REREAD = "refused"
"""Why a mirrored message stands on the to-fetch list: the server refused a change of it, or may have another's last word, or a
label's list was too short to tell."""
REREAD_PRIORITY = 90

_LIST = """INSERT INTO to_fetch (account_id, gmail_id, gmail_thread_id, reason, priority)
    SELECT o.account_id, d.value, o.gmail_thread_id, ?, ? FROM outbox o, json_each(o.doubted) d WHERE o.id = ?
    ON CONFLICT (account_id, gmail_id) DO UPDATE SET reason = excluded.reason, priority = max(priority, excluded.priority)"""


def note_doubts(connection: sqlite3.Connection, outbox_id: OutboxId, ids: Iterable[GmailId]) -> None:
    """Remember these messages until the change has left."""
    known = connection.execute("SELECT doubted FROM outbox WHERE id = ?", (outbox_id,)).fetchone()[0]
    packed = pack_strings(dict.fromkeys([*(unpack_strings(known) if known else ()), *ids]))
    connection.execute("UPDATE outbox SET doubted = ? WHERE id = ?", (packed, outbox_id))


def settle_doubts(connection: sqlite3.Connection, outbox_id: OutboxId) -> None:
    """The change has left: its messages in doubt are to be read again."""
    if connection.execute("SELECT 1 FROM outbox WHERE id = ? AND doubted <> ''", (outbox_id,)).fetchone():
        connection.execute(_LIST, (REREAD, REREAD_PRIORITY, outbox_id))
        connection.execute("UPDATE outbox SET doubted = '' WHERE id = ?", (outbox_id,))
