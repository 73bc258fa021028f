"""Label changes of threads, their outbox rows and the local copy, all inside the caller's transaction.

Outbox rows and local copy change together, so that lists never show a change that will not be sent. A waiting change stays
visible while the server still reports older labels.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, GmailId, GmailThreadId, MessageId, OutboxId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.changes import LabelChange, chunks
from app.domain.record import Record
from app.store.db.codecs import id_list, unpack_strings
from app.store.db.database import Database
from app.store.db.records import record
from app.store.db.times import to_ms
from app.store.mail.mail_writing import change_labels, hidden_among, queue_rescued
from app.store.mail.thread_summary import refresh
from app.store.outbox import NewOutbox, insert_item, load_item, move_row, note_doubts

MOST_IDS = 1000
"""Messages per outbox row, the limit of one Gmail call."""
ON_NEWEST = frozenset({SystemLabel.STARRED, SystemLabel.UNREAD})
"""Labels added only to a thread's newest message."""

_OF_THREADS = """SELECT m.id, m.account_id, m.thread_id, m.gmail_id, m.outgoing, a.kind,
        (SELECT group_concat(l.label, char(31)) FROM message_labels l WHERE l.message_id = m.id) AS labels
    FROM messages m JOIN accounts a ON a.id = m.account_id
    WHERE m.thread_id IN (SELECT value FROM json_each(?)) ORDER BY m.thread_id, m.date, m.id"""


class MessageLabels(Record):
    """What a label change needs to know of a message."""

    id: MessageId
    account_id: AccountId
    thread_id: ThreadId
    gmail_id: GmailId
    outgoing: bool
    labels: frozenset[str]


class LabelChangeResult(Record):
    """What a label change did.

    `threads` changed, by account. `outbox_ids` send the change. `rescued_ids` left spam or trash and have jobs now.
    """

    threads: dict[AccountId, tuple[ThreadId, ...]]
    outbox_ids: tuple[OutboxId, ...]
    rescued_ids: tuple[MessageId, ...] = ()


Delta = tuple[frozenset[str], frozenset[str]]


def by_account(pairs: Iterable[tuple[int, int]]) -> dict[AccountId, tuple[ThreadId, ...]]:
    """Accounts and threads as the threads of each account, each once."""
    found: dict[AccountId, dict[ThreadId, None]] = defaultdict(dict)
    for account_id, thread_id in pairs:
        found[AccountId(account_id)][ThreadId(thread_id)] = None
    return {account_id: tuple(own) for account_id, own in found.items()}


def load_labels_of(connection: sqlite3.Connection, threads: Collection[ThreadId]) -> list[MessageLabels]:
    """The messages of threads without drafts, oldest first within each thread.

    Raises `NotFound`, and `NotAllowed` for mail of an archive.
    """
    rows = connection.execute(_OF_THREADS, (id_list(threads),)).fetchall()
    if not rows:
        raise NotFound("These threads are gone.")
    if any(row["kind"] != "gmail" for row in rows):
        raise NotAllowed("Mail of an archive can be read and searched, not changed.")
    found = [record(MessageLabels, row, labels=frozenset((row["labels"] or "").split("\x1f")) - {""}) for row in rows]
    return [one for one in found if SystemLabel.DRAFT not in one.labels]


def deltas(messages: Sequence[MessageLabels], add: Collection[str], remove: Collection[str]) -> dict[Delta, list[MessageLabels]]:
    newest = {one.thread_id: one.id for one in messages}
    newest |= {one.thread_id: one.id for one in messages if not one.outgoing}
    starred = {one.thread_id for one in messages if SystemLabel.STARRED in one.labels}
    groups: dict[Delta, list[MessageLabels]] = defaultdict(list)
    for one in messages:
        wanted = {label for label in add if label not in ON_NEWEST or newest[one.thread_id] == one.id}
        if one.thread_id in starred:
            wanted.discard(SystemLabel.STARRED)
        delta = (frozenset(wanted) - one.labels, frozenset(remove) & one.labels)
        if any(delta):
            groups[delta].append(one)
    return dict(groups)


def write_changes(connection: sqlite3.Connection, groups: dict[Delta, list[MessageLabels]], now: datetime) -> LabelChangeResult:
    """Queues the changes and applies them to the local copy."""
    outbox_ids: list[OutboxId] = []
    threads = by_account((one.account_id, one.thread_id) for messages in groups.values() for one in messages)
    hidden = hidden_among(connection, [one.id for messages in groups.values() for one in messages])
    for (add, remove), messages in groups.items():
        parts: dict[AccountId, list[MessageLabels]] = defaultdict(list)
        for one in messages:
            parts[one.account_id].append(one)
        for account_id, own in parts.items():
            change = LabelChange(tuple(one.gmail_id for one in own), tuple(sorted(add)), tuple(sorted(remove)))
            of = {one.thread_id for one in own}
            alone = own[0].thread_id if len(of) == 1 else ThreadId(0)
            outbox_ids += queue_change(connection, account_id, change, alone, now)
        mirror_change(connection, [one.id for one in messages], add, remove)
    refresh(connection, [thread for own in threads.values() for thread in own])
    rescued = tuple(queue_rescued(connection, hidden, now))
    return LabelChangeResult(threads, tuple(outbox_ids), rescued)


def queue_change(
    connection: sqlite3.Connection, account_id: AccountId, change: LabelChange, thread_id: ThreadId, now: datetime
) -> list[OutboxId]:
    """Inserts outbox rows for a change, at most 1,000 messages each. `thread_id` gives the subject to show; 0 for several
    threads.
    """
    subject = connection.execute("SELECT subject, gmail_thread_id FROM threads WHERE id = ?", (thread_id,)).fetchone()
    return [
        insert_item(
            connection,
            NewOutbox(
                account_id=account_id,
                kind=OutboxKind.MODIFY,
                thread_id=thread_id,
                gmail_thread_id=GmailThreadId(subject["gmail_thread_id"] if subject else ""),
                subject=subject["subject"] if subject else "",
                not_before=now,
                add_labels=change.add,
                remove_labels=change.remove,
                message_gmail_ids=ids,
            ),
            now,
        )
        for ids in chunks(change.gmail_ids, MOST_IDS)
    ]


def mirror_change(connection: sqlite3.Connection, ids: Sequence[MessageId], add: Iterable[str], remove: Iterable[str]) -> None:
    """Changes labels in the local copy. The caller refreshes the thread summaries."""
    adding, removing = list(add), list(remove)
    change_labels(
        connection, [(one, label) for one in ids for label in adding], [(one, label) for one in ids for label in removing]
    )


def note_action(connection: sqlite3.Connection, key: str, outbox_ids: Iterable[OutboxId], now: datetime) -> None:
    """Records the outbox items of a change under its key. Raises `NotAllowed` when the key was used before."""
    try:
        connection.execute("INSERT INTO actions (key, at) VALUES (?, ?)", (key, to_ms(now)))
    except sqlite3.IntegrityError as error:
        raise NotAllowed("This change was made already.") from error
    connection.executemany("INSERT INTO action_items (key, outbox_id) VALUES (?, ?)", [(key, one) for one in outbox_ids])


MOST_TOGETHER = 500

_BEHIND = """SELECT id, kind FROM outbox WHERE account_id = ? AND state = 'queued' AND kind IN ('modify', 'create_label')
    AND id > ? AND lease_until = 0 ORDER BY id LIMIT ?"""

_WAITING = """SELECT id, add_labels, remove_labels, message_gmail_ids, lease_until > 0 AS leaving FROM outbox
    WHERE account_id = ? AND state = 'queued' AND kind = 'modify' ORDER BY id"""


def take_behind(db: Database, head: OutboxItem) -> tuple[OutboxItem, ...]:
    """Leases the label changes queued right behind `head` in its account, with the lease of `head`."""
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
    """Ends the leases of items taken with `take_behind`."""
    with db.transaction() as connection:
        connection.executemany("UPDATE outbox SET lease_until = 0, worker = '' WHERE id = ?", [(one.id,) for one in items])


def all_sent(db: Database, items: Collection[OutboxItem], now: datetime) -> list[OutboxItem]:
    """Marks items as sent in one transaction. Returns those that the owner withdrew meanwhile; they keep their state."""
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
    """Applies waiting label changes again to messages that the server just reported.

    Where a change that is being sent contradicts the report, the messages are noted as doubted: the change may have arrived
    before the reported one, and then the server's labels are the newer ones.
    """
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
