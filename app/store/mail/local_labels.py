"""Labels that the owner created and the server does not know yet. They have a local id until the server assigns one."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.message import Label
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.agents import Clock
from app.domain.protocol.changes import CreateLabel
from app.store.db.codecs import pack_strings, storable, unpack_strings
from app.store.db.database import Database
from app.store.mail.label_rows import LabelChangeResult, deltas, load_labels_of, note_action, write_changes
from app.store.mail.thread_summary import refresh
from app.store.outbox.outbox import NewOutbox, insert_item, move_row

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


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The threads that had the label, and the cancelled outbox items."""

    thread_ids: tuple[ThreadId, ...]
    outbox_ids: tuple[OutboxId, ...]


class LocalLabels:
    """Creates labels locally and replaces their ids with the server's."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

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
    _check_name(connection, account_id, name)
    connection.execute(
        "INSERT INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, 'user')", (account_id, local_id, name)
    )
    return insert_item(connection, _item(account_id, name, local_id, now), now)


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
    return NewOutbox(
        account_id=account_id,
        review_id=ReviewId(0),
        kind=OutboxKind.CREATE_LABEL,
        thread_id=ThreadId(0),
        gmail_thread_id=GmailThreadId(""),
        to="",
        subject=name,
        mime=b"",
        sha256="",
        marker="",
        expected_tip=GmailId(""),
        not_before=now,
        add_labels=(local_id,),
    )


def _check_name(connection: sqlite3.Connection, account_id: AccountId, name: str) -> None:
    """Checks Gmail's rules for label names. Raises `NotAllowed`."""
    if not name or len(name) > LONGEST_NAME or any(not part for part in name.split("/")):
        raise NotAllowed("A label needs a name of at most 225 signs, with no empty part between slashes.")
    rows = connection.execute("SELECT name FROM labels WHERE account_id = ?", (account_id,)).fetchall()
    if any(row[0].casefold() == name.casefold() for row in rows):
        raise NotAllowed(f"There is a label {name} already.", "Choose it from the list.")
    if connection.execute("SELECT kind FROM accounts WHERE id = ?", (account_id,)).fetchone()["kind"] != "gmail":
        raise NotAllowed("Mail of an archive can be read and searched, not changed.")


def keep_local(connection: sqlite3.Connection, account_id: AccountId) -> Collection[Label]:
    """The labels that the server does not know yet. They stay when the server's list is written."""
    rows = connection.execute(
        "SELECT gmail_label_id, name, kind FROM labels WHERE account_id = ? AND gmail_label_id LIKE 'local:%'", (account_id,)
    )
    return [Label(*row) for row in rows]
