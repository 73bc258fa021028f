"""The outbox table. Items change state in checked steps, by the worker that holds the lease.

Also keeps the messages whose labels somebody else changed while a label change of ours was being sent. Which change came last is
unknown, so they are fetched again after ours has left; before that it would show nothing.
"""

import sqlite3
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from hashlib import sha256

from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail.outbox import RESTING, OutboxItem, OutboxKind, OutboxState, check_transition
from app.domain.record import Record, asdict
from app.store.db.codecs import id_list, pack_strings, unpack_strings
from app.store.db.database import Table
from app.store.db.records import insert_row, record
from app.store.db.times import from_ms, to_ms

IS_OPEN = "state IN ({})".format(", ".join(f"'{one}'" for one in OutboxState if one not in RESTING))
"""SQL condition for open items. It must match the condition of the index `outbox_due`, or SQLite does not use that index."""


class NewOutbox(Record):
    """An outbox item before it has an id; fields as in `OutboxItem`. A change of labels needs no mail and no marker."""

    account_id: AccountId
    kind: OutboxKind
    not_before: datetime
    subject: str
    review_id: ReviewId = ReviewId(0)
    thread_id: ThreadId = ThreadId(0)
    gmail_thread_id: GmailThreadId = GmailThreadId("")
    to: str = ""
    mime: bytes = b""
    marker: str = ""
    expected_tip: GmailId = GmailId("")
    add_labels: tuple[str, ...] = ()
    remove_labels: tuple[str, ...] = ()
    message_gmail_ids: tuple[GmailId, ...] = ()


def insert_item(connection: sqlite3.Connection, new: NewOutbox, now: datetime) -> OutboxId:
    """Queues an item inside the caller's transaction.

    Raises `NotAllowed` when its marker is taken or its review has an item that may have been sent.
    """
    lists = {name: pack_strings(getattr(new, name)) for name in ("add_labels", "remove_labels", "message_gmail_ids")}
    digest = sha256(new.mime).hexdigest() if new.mime else ""
    row = asdict(new) | lists | {"state": OutboxState.QUEUED, "recipients": new.to, "sha256": digest, "created_at": now}
    del row["to"], row["mime"]
    try:
        outbox_id = OutboxId(insert_row(connection, "outbox", row))
    except sqlite3.IntegrityError as error:
        raise NotAllowed(f"Review {new.review_id} has an outbox item already, or the marker is taken.") from error
    connection.execute("INSERT INTO outbox_mime (outbox_id, mime) VALUES (?, ?)", (outbox_id, new.mime))
    note_step(connection, outbox_id, "", OutboxState.QUEUED, "", now)
    return outbox_id


def note_step(connection: sqlite3.Connection, outbox_id: OutboxId, old: str, new: str, reason: str, now: datetime) -> None:
    """Appends to the item's history."""
    insert_row(connection, "outbox_steps", {"outbox_id": outbox_id, "old": old, "new": new, "reason": reason, "at": now})


def load_item(connection: sqlite3.Connection, outbox_id: OutboxId) -> OutboxItem | None:
    """One item with its MIME bytes, None when it is gone."""
    sql = "SELECT o.*, m.mime FROM outbox o JOIN outbox_mime m ON m.outbox_id = o.id WHERE o.id = ?"
    row = connection.execute(sql, (outbox_id,)).fetchone()
    return None if row is None else item_of(row, row["mime"])


def item_of(row: sqlite3.Row, mime: bytes) -> OutboxItem:
    lists = {name: unpack_strings(row[name]) for name in ("theirs", "add_labels", "remove_labels", "message_gmail_ids")}
    return record(OutboxItem, row, to=row["recipients"], mime=mime, **lists)


REREAD = "refused"
"""To-fetch reason of a stored message that is fetched again: the server rejected a change of it, another client may have changed
it last, or a label's list was too short to tell."""
REREAD_PRIORITY = 90

_LIST = """INSERT INTO to_fetch (account_id, gmail_id, gmail_thread_id, reason, priority)
    SELECT o.account_id, d.value, o.gmail_thread_id, ?, ? FROM outbox o, json_each(o.doubted) d WHERE o.id = ?
    ON CONFLICT (account_id, gmail_id) DO UPDATE SET reason = excluded.reason, priority = max(priority, excluded.priority)"""


def note_doubts(connection: sqlite3.Connection, outbox_id: OutboxId, ids: Iterable[GmailId]) -> None:
    known = connection.execute("SELECT doubted FROM outbox WHERE id = ?", (outbox_id,)).fetchone()[0]
    packed = pack_strings(dict.fromkeys([*(unpack_strings(known) if known else ()), *ids]))
    connection.execute("UPDATE outbox SET doubted = ? WHERE id = ?", (packed, outbox_id))


def settle_doubts(connection: sqlite3.Connection, outbox_id: OutboxId) -> None:
    """Puts the messages in doubt on the to-fetch list, once the change has left."""
    if connection.execute("SELECT 1 FROM outbox WHERE id = ? AND doubted <> ''", (outbox_id,)).fetchone():
        connection.execute(_LIST, (REREAD, REREAD_PRIORITY, outbox_id))
        connection.execute("UPDATE outbox SET doubted = '' WHERE id = ?", (outbox_id,))


__all__ = ["NewOutbox", "Outbox", "OutboxStep"]

_BEHIND = """(kind IN ('modify', 'create_label') AND EXISTS (SELECT 1 FROM outbox before
    WHERE before.account_id = outbox.account_id AND before.id < outbox.id AND before.state = 'queued'
        AND before.kind IN ('modify', 'create_label')))"""
"""Label changes of an account are sent in order, so only the first may be claimed."""

_DUE = """IS_OPEN AND NOT BEHIND AND (:accounts IS NULL OR account_id IN (SELECT value FROM json_each(:accounts))
    AND (kind <> 'calendar' OR state <> 'drafting' OR account_id IN (SELECT value FROM json_each(:calendars))))""".replace(
    "IS_OPEN", IS_OPEN
).replace("BEHIND", _BEHIND)
"""Items that the sender may claim once they are due."""

_CLAIM = """UPDATE outbox SET worker = :worker, lease_until = :until, attempts = attempts + 1
    WHERE id = (SELECT id FROM outbox WHERE DUE AND not_before <= :now AND retry_at <= :now AND lease_until <= :now
        ORDER BY not_before, id LIMIT 1)
    RETURNING id""".replace("DUE", _DUE)

_NEXT_DUE = "SELECT min(max(not_before, retry_at, lease_until)) FROM outbox WHERE DUE".replace("DUE", _DUE)


class ReachableAccounts(Record):
    """The accounts that are connected, and those whose calendar is available.

    A meeting of which it is unknown whether it was created waits for a calendar. Any other meeting is held without one.
    """

    accounts: Collection[AccountId]
    calendars: Collection[AccountId]


class OutboxStep(Record):
    """One step of an item's history; `old` is empty for its creation."""

    old: str
    new: str
    reason: str
    at: datetime


class Outbox(Table):
    """The tables `outbox`, `outbox_mime` and `outbox_steps`."""

    def add(self, new: NewOutbox) -> OutboxId:
        """Queues an item. Raises `NotAllowed` as `insert_item` does."""
        with self._db.transaction() as connection:
            return insert_item(connection, new, self._clock())

    def of_thread(self, thread_id: ThreadId, kind: OutboxKind) -> tuple[OutboxItem, ...]:
        """The items of one kind of a conversation, newest first."""
        rows = self._db.read("SELECT id FROM outbox WHERE thread_id = ? AND kind = ? ORDER BY id DESC", (thread_id, kind))
        return tuple(self.get(OutboxId(row[0])) for row in rows)

    def get(self, outbox_id: OutboxId) -> OutboxItem:
        """One item with its MIME bytes. Raises `NotFound`."""
        item = self._db.load(load_item, outbox_id)
        if item is None:
            raise NotFound(f"There is no outbox item {outbox_id}.")
        return item

    def for_review(self, review_id: ReviewId) -> OutboxItem | None:
        """The review's newest item, cancelled or not."""
        rows = self._db.read("SELECT max(id) FROM outbox WHERE review_id = ?", (review_id,))
        return None if rows[0][0] is None else self.get(OutboxId(rows[0][0]))

    def claim_due(self, worker: str, lease_s: float, reach: ReachableAccounts | None = None) -> OutboxItem | None:
        """Leases the item due longest for `lease_s` seconds, among the accounts of `reach` (None: all).

        Counts an attempt. An expired lease may be claimed again.
        """
        now = self._clock()
        until = to_ms(now + timedelta(seconds=lease_s))
        values = {"worker": worker, "now": to_ms(now), "until": until, **_reached(reach)}
        with self._db.transaction() as connection:
            rows = connection.execute(_CLAIM, values).fetchall()
            return load_item(connection, OutboxId(rows[0][0])) if rows else None

    def move(
        self,
        outbox_id: OutboxId,
        old: OutboxState,
        new: OutboxState,
        *,
        reason: str = "",
        draft_id: GmailDraftId | None = None,
        draft_message: GmailId | None = None,
        sent_gmail_id: GmailId | None = None,
    ) -> OutboxItem:
        """Moves an item to a new state and records the step. Google's ids are kept when None; final and held items lose their
        lease.

        Raises `NotAllowed` when the step is not allowed or the item is not in `old`, and `NotFound`.
        """
        with self._db.transaction() as connection:
            item = move_row(connection, outbox_id, old, new, reason, self._clock())
            connection.execute(
                """UPDATE outbox SET draft_id = ifnull(?, draft_id), draft_message = ifnull(?, draft_message),
                    sent_gmail_id = ifnull(?, sent_gmail_id) WHERE id = ?""",
                (draft_id, draft_message, sent_gmail_id, outbox_id),
            )
            return load_item(connection, outbox_id) or item

    def release(self, outbox_id: OutboxId, retry_at: datetime) -> None:
        """Ends the lease; the item may be claimed again at `retry_at`. Its `not_before` stays."""
        self._db.write("UPDATE outbox SET lease_until = 0, worker = '', retry_at = ? WHERE id = ?", (to_ms(retry_at), outbox_id))

    def disown(self, outbox_id: OutboxId, draft_id: GmailDraftId) -> None:
        """Records that this Gmail draft was edited: the sender may neither send nor delete it."""
        with self._db.transaction() as connection:
            known = connection.execute("SELECT theirs FROM outbox WHERE id = ?", (outbox_id,)).fetchone()
            if known is not None:
                packed = pack_strings(dict.fromkeys([*unpack_strings(known[0]), draft_id]))
                connection.execute("UPDATE outbox SET theirs = ? WHERE id = ?", (packed, outbox_id))

    def release_leases(self) -> None:
        """Ends all leases. Call it at start; states stay, and the sender finds out what happened."""
        self._db.write("UPDATE outbox SET lease_until = 0, worker = '' WHERE lease_until <> 0")

    def set_not_before(self, outbox_id: OutboxId, not_before: datetime) -> None:
        """Moves the time of an item and clears its retry time."""
        self._db.write("UPDATE outbox SET not_before = ?, retry_at = 0 WHERE id = ?", (to_ms(not_before), outbox_id))

    def set_expected_tip(self, outbox_id: OutboxId, tip: GmailId) -> None:
        """Accepts a newer message in the conversation, so that the item is sent anyway."""
        self._db.write("UPDATE outbox SET expected_tip = ? WHERE id = ?", (tip, outbox_id))

    def next_due(self, reach: ReachableAccounts | None = None) -> datetime | None:
        """When the next item of `reach` (None: all) is due or its lease ends; None when nothing waits."""
        row = self._db.read(_NEXT_DUE, _reached(reach))[0]
        return None if row[0] is None else from_ms(row[0])

    def steps(self, outbox_id: OutboxId) -> tuple[OutboxStep, ...]:
        """The item's history, oldest first."""
        rows = self._db.read("SELECT * FROM outbox_steps WHERE outbox_id = ? ORDER BY id", (outbox_id,))
        return tuple(record(OutboxStep, row) for row in rows)


def _reached(reach: ReachableAccounts | None) -> dict[str, str | None]:
    """The parameters of `_DUE`."""
    if reach is None:
        return {"accounts": None, "calendars": None}
    return {"accounts": id_list(reach.accounts), "calendars": id_list(reach.calendars)}


def move_row(
    connection: sqlite3.Connection, outbox_id: OutboxId, old: OutboxState, new: OutboxState, reason: str, now: datetime
) -> OutboxItem:
    """Moves an item inside the caller's transaction, with compare-and-set on the old state.

    Raises `NotAllowed` and `NotFound`.
    """
    check_transition(old, new)
    changed = connection.execute(
        "UPDATE outbox SET state = ?, reason = ? WHERE id = ? AND state = ?", (new, reason, outbox_id, old)
    ).rowcount
    item = load_item(connection, outbox_id)
    if item is None:
        raise NotFound(f"There is no outbox item {outbox_id}.")
    if not changed:
        raise NotAllowed(f"Outbox item {outbox_id} is {item.state}, not {old}.")
    if new is OutboxState.SENT:
        settle_doubts(connection, outbox_id)
    if new in RESTING:
        connection.execute("UPDATE outbox SET lease_until = 0, worker = '' WHERE id = ?", (outbox_id,))
    note_step(connection, outbox_id, old, new, reason, now)
    return item
