"""The owner's label changes: each is one transaction with its outbox rows, and each can be undone exactly.

Also labels that the owner created and the server does not know yet. They have a local id until the server assigns one.
"""

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime

from app.domain.agents.routing import LABELS_OF, Routed, RuleAction
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, OutboxId, ThreadId
from app.domain.mail.message import Label, Message
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.changes import CreateLabel, LabelChange
from app.domain.record import Record
from app.store.db.codecs import id_list, pack_strings, storable, unpack_strings
from app.store.db.database import Table
from app.store.db.times import to_ms
from app.store.mail.label_rows import (
    LabelChangeResult,
    MessageLabels,
    by_account,
    deltas,
    load_labels_of,
    mirror_change,
    note_action,
    queue_change,
    write_changes,
)
from app.store.mail.snoozes import forget_hidden
from app.store.mail.thread_summary import refresh
from app.store.outbox import NewOutbox, insert_item, load_item, move_row

LOCAL = "local:"
"""Prefix of ids of labels that only this machine knows."""
LONGEST_NAME = 225
_RENAME = (
    "UPDATE OR REPLACE message_labels SET label = :new WHERE label = :old",
    "UPDATE OR REPLACE thread_labels SET label = :new WHERE label = :old",
    """UPDATE outbox SET add_labels = replace(add_labels, :old, :new), remove_labels = replace(remove_labels, :old, :new)
        WHERE account_id = :account AND kind = 'modify'""",
)

_CHANGES = """SELECT id, state, add_labels, remove_labels FROM outbox
    WHERE account_id = ? AND kind = 'modify' AND state IN ('queued', 'held')"""


class Withdrawn(Record):
    """The threads that had the label, and the cancelled outbox items."""

    thread_ids: tuple[ThreadId, ...]
    outbox_ids: tuple[OutboxId, ...]


class LocalLabels(Table):
    """Creates labels locally and replaces their ids with the server's."""

    def create(self, wanted: CreateLabel) -> LabelChangeResult:
        """Creates a label, adds it to the given threads and queues both, in this order.

        Raises `NotAllowed` for an invalid name or mail of an archive, and `NotFound` for threads that are gone.
        """
        now = self._clock()
        name = _cleaned(wanted.name)
        local_id = f"{LOCAL}{wanted.key}"
        with self._db.transaction() as connection:
            made = create_local(connection, wanted.account_id, name, local_id, now)
            changed = LabelChangeResult({wanted.account_id: ()}, ())
            if wanted.thread_ids:
                messages = load_labels_of(connection, wanted.thread_ids)
                changed = write_changes(connection, deltas(messages, (local_id,), wanted.remove), now)
            note_action(connection, wanted.key, changed.outbox_ids, now)
            return LabelChangeResult(changed.threads, (made, *changed.outbox_ids), changed.rescued_ids)

    def adopt(self, account_id: AccountId, local_id: str, label: Label) -> tuple[ThreadId, ...]:
        """Replaces the local id with the server's everywhere. Returns the threads with the label."""
        with self._db.transaction() as connection:
            own = (account_id, local_id)
            connection.execute("DELETE FROM labels WHERE account_id = ? AND gmail_label_id = ?", own)
            connection.execute(
                "INSERT OR REPLACE INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, ?)",
                (account_id, label.gmail_label_id, label.name, label.kind),
            )
            threads = connection.execute("SELECT thread_id FROM thread_labels WHERE label = ?", (local_id,)).fetchall()
            for statement in _RENAME:
                connection.execute(statement, {"old": local_id, "new": label.gmail_label_id, "account": account_id})
            return tuple(ThreadId(row[0]) for row in threads)

    def withdraw(self, item: OutboxItem) -> Withdrawn:
        """Removes a label that was not created on the server, also from the label changes that wait.

        Raises `NotAllowed` when the state of `item` has changed.
        """
        now, local_id = self._clock(), item.add_labels[0]
        with self._db.transaction() as connection:
            move_row(connection, item.id, item.state, OutboxState.CANCELLED, "", now)
            threads = connection.execute("SELECT thread_id FROM thread_labels WHERE label = ?", (local_id,)).fetchall()
            touched = tuple(ThreadId(row[0]) for row in threads)
            connection.execute("DELETE FROM labels WHERE account_id = ? AND gmail_label_id = ?", (item.account_id, local_id))
            connection.execute("DELETE FROM message_labels WHERE label = ?", (local_id,))
            refresh(connection, touched)
            emptied = _without(connection, item.account_id, local_id, now)
            return Withdrawn(touched, (item.id, *emptied))


def create_local(connection: sqlite3.Connection, account_id: AccountId, name: str, local_id: str, now: datetime) -> OutboxId:
    """Adds a label and the outbox row that creates it on the server. Raises `NotAllowed`."""
    if not name or len(name) > LONGEST_NAME or any(not part for part in name.split("/")):
        raise NotAllowed("A label needs a name of at most 225 signs, with no empty part between slashes.")
    rows = connection.execute("SELECT name FROM labels WHERE account_id = ?", (account_id,)).fetchall()
    if any(row[0].casefold() == name.casefold() for row in rows):
        raise NotAllowed(f"There is a label {name} already.", "Choose it from the list.")
    if connection.execute("SELECT kind FROM accounts WHERE id = ?", (account_id,)).fetchone()["kind"] != "gmail":
        raise NotAllowed("Mail of an archive can be read and searched, not changed.")
    connection.execute(
        "INSERT INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, 'user')", (account_id, local_id, name)
    )
    return insert_item(connection, _item(account_id, name, local_id, now), now)


def _rule_changes(
    connection: sqlite3.Connection,
    messages: list[MessageLabels],
    label: str,
    actions: Sequence[RuleAction],
    key: str,
    now: datetime,
) -> LabelChangeResult:
    """What a rule says about messages of one account. A label that is missing is created under `key`."""
    add = {one for action in actions for one in LABELS_OF[action][0]}
    remove = {one for action in actions for one in LABELS_OF[action][1]}
    if label and messages:
        add.add(label_by_name(connection, messages[0].account_id, label, key, now))
    return write_changes(connection, deltas(messages, add, remove), now)


def label_by_name(connection: sqlite3.Connection, account_id: AccountId, name: str, key: str, now: datetime) -> str:
    """The id of a label by its name. A missing one is created. Raises `NotAllowed`."""
    name = _cleaned(name)
    rows = connection.execute("SELECT gmail_label_id, name FROM labels WHERE account_id = ?", (account_id,))
    known = {row[1].casefold(): str(row[0]) for row in rows}
    if name.casefold() not in known:
        create_local(connection, account_id, name, f"{LOCAL}{key}", now)
    return known.get(name.casefold(), f"{LOCAL}{key}")


def _cleaned(name: str) -> str:
    return "/".join(part.strip() for part in storable(name).split("/"))


def _without(connection: sqlite3.Connection, account_id: AccountId, local_id: str, now: datetime) -> list[OutboxId]:
    """Removes a label from the label changes that wait. Cancels and returns those that become empty."""
    rows = connection.execute(_CHANGES, (account_id,)).fetchall()
    emptied: list[OutboxId] = []
    for number, state, packed_add, packed_remove in rows:
        add, remove = unpack_strings(packed_add), unpack_strings(packed_remove)
        if local_id not in (*add, *remove):
            continue
        left = [pack_strings(one for one in names if one != local_id) for names in (add, remove)]
        connection.execute("UPDATE outbox SET add_labels = ?, remove_labels = ? WHERE id = ?", (*left, number))
        if not any(left):
            move_row(connection, OutboxId(number), OutboxState(state), OutboxState.CANCELLED, "", now)
            emptied.append(OutboxId(number))
    return emptied


def _item(account_id: AccountId, name: str, local_id: str, now: datetime) -> NewOutbox:
    """The outbox row that creates the label on the server: name as subject, local id as the label to add."""
    return NewOutbox(account_id=account_id, kind=OutboxKind.CREATE_LABEL, subject=name, not_before=now, add_labels=(local_id,))


def keep_local(connection: sqlite3.Connection, account_id: AccountId) -> Collection[Label]:
    """The labels that the server does not know yet. They stay when the server's list is written."""
    rows = connection.execute(
        "SELECT gmail_label_id, name, kind FROM labels WHERE account_id = ? AND gmail_label_id LIKE 'local:%'", (account_id,)
    )
    return [Label(*row) for row in rows]


BY_RULE = "rule:"
"""Prefix of the keys of changes that a rule made, before the message's id."""


class Actions(Table):
    """The table `actions`, over outbox and local copy."""

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
        if not routed.changes:
            return nothing
        with self._db.transaction() as connection:
            if connection.execute("SELECT 1 FROM actions WHERE key = ?", (key,)).fetchone():
                return nothing
            own = [one for one in load_labels_of(connection, (message.thread_id,)) if one.id == message.id]
            changed = _rule_changes(connection, own, routed.label, routed.actions, key, now)
            note_action(connection, key, changed.outbox_ids, now)
            return changed

    def apply_to(self, key: str, ids: Collection[MessageId], label: str, actions: Sequence[RuleAction]) -> LabelChangeResult:
        """Makes the changes of a rule to these messages under `key`. Raises `NotFound`, and `NotAllowed` in an archive."""
        now = self._clock()
        sql = "SELECT DISTINCT thread_id FROM messages WHERE id IN (SELECT value FROM json_each(?))"
        with self._db.transaction() as connection:
            threads = [ThreadId(row[0]) for row in connection.execute(sql, (id_list(ids),))]
            own = [one for one in load_labels_of(connection, threads) if one.id in ids]
            threads_of: dict[AccountId, tuple[ThreadId, ...]] = {}
            outbox_ids: tuple[OutboxId, ...] = ()
            for account_id in {one.account_id for one in own}:
                part = [one for one in own if one.account_id == account_id]
                changed = _rule_changes(connection, part, label, actions, f"{key}{account_id}", now)
                threads_of |= changed.threads
                outbox_ids += changed.outbox_ids
            note_action(connection, key, outbox_ids, now)
            return LabelChangeResult(threads_of, outbox_ids)

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
            touched: list[tuple[int, int]] = []
            outbox_ids: list[OutboxId] = []
            rows = connection.execute("SELECT outbox_id FROM action_items WHERE key = ? ORDER BY outbox_id DESC", (key,))
            for (outbox_id,) in rows.fetchall():
                item = load_item(connection, OutboxId(outbox_id))
                if item is not None and item.state is not OutboxState.CANCELLED:
                    added, threads = _take_back(connection, item, now)
                    outbox_ids += (item.id, *added)
                    touched += threads
            changed = by_account((*touched, *forget_hidden(connection, key)))
            refresh(connection, [thread for own in changed.values() for thread in own])
            return LabelChangeResult(changed, tuple(outbox_ids))


def _take_back(connection: sqlite3.Connection, item: OutboxItem, now: datetime) -> tuple[list[OutboxId], list[tuple[int, int]]]:
    """Cancels an item that was never tried and reverses any other. Returns further items, and accounts and threads.

    An attempt that ended in a crash or a lost answer may have reached the server. A held item was rejected by the server, so
    nothing is reversed.
    """
    untried = item.state is OutboxState.QUEUED and not item.attempts
    if item.state is OutboxState.HELD or (untried and item.kind is OutboxKind.MODIFY):
        move_row(connection, item.id, item.state, OutboxState.CANCELLED, "", now)
    if item.state is OutboxState.HELD or item.kind is not OutboxKind.MODIFY:
        return [], []
    added: list[OutboxId] = []
    if not untried:
        back = LabelChange(item.message_gmail_ids, item.remove_labels, item.add_labels)
        added = queue_change(connection, item.account_id, back, item.thread_id, now)
    sql = "SELECT id, thread_id FROM messages WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
    found = connection.execute(sql, (item.account_id, id_list(item.message_gmail_ids))).fetchall()
    mirror_change(connection, [MessageId(row[0]) for row in found], item.remove_labels, item.add_labels)
    return added, [(item.account_id, row[1]) for row in found]
