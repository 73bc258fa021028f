"""Label changes that have not left yet, as the sender takes them and as sync has to respect them.

What the owner changed here stays changed while it waits, whatever older state the server still tells. Refuses to reorder: the
changes of an account leave in the order they were made.
"""

import sqlite3
from collections.abc import Collection
from datetime import datetime

from app.domain.ids import GmailId, MessageId, OutboxId
from app.domain.outbox import OutboxItem, OutboxKind, OutboxState
from app.store.database import Database
from app.store.doubts import note_doubts
from app.store.mail_writing import change_labels
from app.store.outbox import move_row
from app.store.outbox_rows import load_item
from app.store.packing import unpack_strings

MOST_TOGETHER = 500

_BEHIND = """SELECT id, kind FROM outbox WHERE account_id = ? AND state = 'queued' AND kind IN ('modify', 'create_label')
    AND id > ? AND lease_until = 0 ORDER BY id LIMIT ?"""

_WAITING = """SELECT id, add_labels, remove_labels, message_gmail_ids, lease_until > 0 AS leaving FROM outbox
    WHERE account_id = ? AND state = 'queued' AND kind = 'modify' ORDER BY id"""


def take_behind(db: Database, head: OutboxItem) -> tuple[OutboxItem, ...]:
    """Lease the label changes that stand right behind `head` in its account's queue, for as long as `head` is leased."""
    with db.transaction() as connection:
        taken: list[OutboxItem] = []
        for row in connection.execute(_BEHIND, (head.account_id, head.id, MOST_TOGETHER)).fetchall():
            if row["kind"] != OutboxKind.MODIFY:
                break
            connection.execute(
                """UPDATE outbox SET worker = (SELECT worker FROM outbox WHERE id = :head),
                    lease_until = (SELECT lease_until FROM outbox WHERE id = :head), attempts = attempts + 1 WHERE id = :own""",
                {"head": head.id, "own": row["id"]},
            )
            item = load_item(connection, OutboxId(row["id"]))
            assert item is not None, "read in this transaction"
            taken.append(item)
        return tuple(taken)


def give_back(db: Database, items: Collection[OutboxItem]) -> None:
    """End the leases; the items wait behind their head again."""
    with db.transaction() as connection:
        connection.executemany("UPDATE outbox SET lease_until = 0, worker = '' WHERE id = ?", [(one.id,) for one in items])


def all_sent(db: Database, items: Collection[OutboxItem], now: datetime) -> list[OutboxItem]:
    """They have left, in one transaction; those of which the owner had withdrawn the row meanwhile, which stays withdrawn."""
    withdrawn = []
    with db.transaction() as connection:
        for one in items:
            standing = load_item(connection, one.id)
            if standing is not None and standing.state is OutboxState.QUEUED:
                move_row(connection, one.id, OutboxState.QUEUED, OutboxState.SENT, "", now)
            else:
                withdrawn.append(one)
    return withdrawn


def apply_waiting(connection: sqlite3.Connection, account_id: int, known: Collection[tuple[GmailId, MessageId]]) -> None:
    """Make the waiting changes again on messages that the server just told about. Those where a change on its way at this moment
    says otherwise than the server are in doubt: it may have arrived before what the server told, which is the last word then."""
    numbers = dict(known)
    for row in connection.execute(_WAITING, (account_id,)).fetchall() if numbers else ():
        ids = [GmailId(one) for one in unpack_strings(row["message_gmail_ids"]) if GmailId(one) in numbers]
        here = [numbers[one] for one in ids]
        add, remove = unpack_strings(row["add_labels"]), unpack_strings(row["remove_labels"])
        before = connection.total_changes
        if here:
            change_labels(
                connection, [(one, label) for one in here for label in add], [(one, label) for one in here for label in remove]
            )
        if row["leaving"] and connection.total_changes > before:
            note_doubts(connection, OutboxId(row["id"]), ids)
