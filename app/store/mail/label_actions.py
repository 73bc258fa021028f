"""The owner's label changes: each is one transaction with its outbox rows, and each can be undone exactly."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime

from app.domain.agents.routing import LABELS_OF, Routed
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, GmailId, MessageId, OutboxId, ThreadId
from app.domain.mail.message import Message
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.agents import Clock
from app.domain.protocol.changes import LabelChange
from app.store.db.codecs import id_list
from app.store.db.database import Database
from app.store.db.times import to_ms
from app.store.mail.label_rows import (
    LabelChangeResult,
    deltas,
    load_labels_of,
    mirror_change,
    note_action,
    queue_change,
    write_changes,
)
from app.store.mail.local_labels import label_by_name
from app.store.mail.snoozes import forget_hidden
from app.store.mail.thread_summary import refresh
from app.store.outbox.outbox import load_item, move_row

BY_RULE = "rule:"
"""Prefix of the keys of changes that a rule made, before the message's id."""


class Actions:
    """The table `actions`, over outbox and local copy."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def change(self, key: str, threads: Collection[ThreadId], add: Collection[str], remove: Collection[str]) -> LabelChangeResult:
        """Changes labels of threads under `key`. Raises `NotFound`, and `NotAllowed` for mail of an archive."""
        now = self._clock()
        with self._db.transaction() as connection:
            changed = write_changes(connection, deltas(load_labels_of(connection, threads), add, remove), now)
            note_action(connection, key, changed.outbox_ids, now)
            return changed

    def apply_rule(self, message: Message, routed: Routed) -> LabelChangeResult:
        """Makes the changes of the rule that matched a message, once. Undone ones are not made again. Raises `NotAllowed`."""
        now, key = self._clock(), f"{BY_RULE}{message.id}"
        nothing = LabelChangeResult({}, ())
        if not routed.label and not routed.actions:
            return nothing
        with self._db.transaction() as connection:
            if connection.execute("SELECT 1 FROM actions WHERE key = ?", (key,)).fetchone():
                return nothing
            add = {label for action in routed.actions for label in LABELS_OF[action][0]}
            remove = {label for action in routed.actions for label in LABELS_OF[action][1]}
            if routed.label:
                add.add(label_by_name(connection, message.account_id, routed.label, key, now))
            own = [one for one in load_labels_of(connection, (message.thread_id,)) if one.id == message.id]
            changed = write_changes(connection, deltas(own, add, remove), now)
            note_action(connection, key, changed.outbox_ids, now)
            return changed

    def undo(self, key: str) -> LabelChangeResult:
        """Undoes a change: queued items are cancelled, sent ones are reversed. Raises `NotAllowed` when there is nothing to
        undo.
        """
        now = self._clock()
        with self._db.transaction() as connection:
            done = connection.execute(
                "UPDATE actions SET undone_at = ? WHERE key = ? AND undone_at IS NULL", (to_ms(now), key)
            ).rowcount
            if not done:
                raise NotAllowed("There is nothing to undo.")
            touched = _ActionUndo(connection, now)
            rows = connection.execute("SELECT outbox_id FROM action_items WHERE key = ? ORDER BY outbox_id DESC", (key,))
            for (outbox_id,) in rows.fetchall():
                touched.take_back(OutboxId(outbox_id))
            touched.note(forget_hidden(connection, key))
            return touched.changed()


class _ActionUndo:
    """Undoes the outbox items of one action and collects what changed."""

    def __init__(self, connection: sqlite3.Connection, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self._threads: dict[AccountId, dict[ThreadId, None]] = defaultdict(dict)
        self._outbox_ids: list[OutboxId] = []

    def take_back(self, outbox_id: OutboxId) -> None:
        """Cancels an item that was never tried and reverses any other.

        An attempt that ended in a crash or a lost answer may have reached the server. A held item was rejected by the server, so
        nothing is reversed.
        """
        item = load_item(self._connection, outbox_id)
        if item is None or item.state is OutboxState.CANCELLED:
            return
        self._outbox_ids.append(outbox_id)
        if item.state is OutboxState.HELD:
            move_row(self._connection, outbox_id, item.state, OutboxState.CANCELLED, "", self._now)
            return
        if item.kind is OutboxKind.MODIFY:
            self._reverse(item)

    def note(self, threads: Iterable[tuple[AccountId, ThreadId]]) -> None:
        """Adds threads that changed for another reason."""
        for account_id, thread_id in threads:
            self._threads[account_id][thread_id] = None

    def changed(self) -> LabelChangeResult:
        """Refreshes the thread summaries and returns what changed."""
        refresh(self._connection, [thread for own in self._threads.values() for thread in own])
        return LabelChangeResult({account: tuple(own) for account, own in self._threads.items()}, tuple(self._outbox_ids))

    def _reverse(self, item: OutboxItem) -> None:
        if item.state is OutboxState.QUEUED and not item.attempts:
            move_row(self._connection, item.id, item.state, OutboxState.CANCELLED, "", self._now)
        else:
            back = LabelChange(item.message_gmail_ids, item.remove_labels, item.add_labels)
            self._outbox_ids += queue_change(self._connection, item.account_id, back, item.thread_id, self._now)
        found = _stored_messages(self._connection, item.account_id, item.message_gmail_ids)
        mirror_change(self._connection, [message for message, _ in found], item.remove_labels, item.add_labels)
        self.note((item.account_id, thread) for _, thread in found)


def _stored_messages(
    connection: sqlite3.Connection, account_id: AccountId, gmail_ids: Collection[GmailId]
) -> list[tuple[MessageId, ThreadId]]:
    sql = "SELECT id, thread_id FROM messages WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
    return [(MessageId(row[0]), ThreadId(row[1])) for row in connection.execute(sql, (account_id, id_list(gmail_ids)))]
