"""Applies one page of sync in one transaction: new, changed and deleted messages, the to-fetch list, labels and cursors."""

import sqlite3
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from app.domain.ids import AccountId, GmailId, GmailThreadId, HistoryId, MessageId, OutboxId, ThreadId
from app.domain.mail.message import Label, Message, RemoteMessage, SystemLabel
from app.domain.record import Record
from app.store.contacts import count_in, count_new, count_out
from app.store.db.codecs import id_list, storable
from app.store.db.jobs import put_many
from app.store.db.times import to_ms
from app.store.mail.label_actions import keep_local
from app.store.mail.label_rows import apply_waiting, deltas, write_changes
from app.store.mail.mail_rows import load_messages
from app.store.mail.mail_writing import (
    AT_ONCE,
    Numbered,
    change_labels,
    delete_messages,
    hidden_among,
    index_waiting,
    insert_messages,
    next_message_id,
    queue_rescued,
    replace_content,
    thread_ids_for,
    waiting,
)
from app.store.mail.snoozes import forget_returned, muted_messages
from app.store.mail.thread_summary import refresh

_SAME = ("gmail_thread_id", "date", "to", "cc", "bcc", "reply_to", "references", "headers", "labels", "sender")
_SAME_TEXT = ("subject", "snippet", "body_text", "rfc822_id", "in_reply_to")
_SAME_PART = ("part_id", "filename", "mime_type", "size", "content_id", "inline")


def same_content(stored: Message, remote: RemoteMessage) -> bool:
    """Whether a fetched message equals the stored one.

    Ignores the history id, which every label change moves, and uncleaned HTML: a body never changes under its id, and the text is
    compared.
    """
    return (
        (bool(remote.html_source) or stored.body_html == remote.body_html)
        and all(getattr(stored, name) == getattr(remote, name) for name in _SAME)
        and all(getattr(stored, name) == storable(getattr(remote, name)) for name in _SAME_TEXT)
        and len(stored.attachments) == len(remote.attachments)
        and all(
            getattr(mine, name) == getattr(theirs, name)
            for mine, theirs in zip(stored.attachments, remote.attachments, strict=True)
            for name in _SAME_PART
        )
    )


class ToFetch(NamedTuple):
    """An entry of the to-fetch list. Order: higher `priority`, then fewer `attempts`, then arrival.

    Adding an entry again keeps the higher priority and adds `attempts`: 1 after a failed fetch.
    """

    gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    reason: str
    priority: int = 0
    attempts: int = 0


class SyncPage(Record):
    """What sync writes in one transaction; 20 to 50 messages are a good size.

    Applied in this order: messages, label changes, deletions, to-fetch list (entries of `to_fetch` are added before those of
    `fetched` are removed), labels, cursor. `cursor` and `backfill_state` are kept when None. `labels` replaces the account's
    label table unless None. New messages in `route` get a `route` job; without `index` no message gets an `index` job. With
    `index_later` the full-text index may wait for a later page, which is cheaper; an empty page without it indexes what
    waits.
    """

    messages: tuple[RemoteMessage, ...] = ()
    add_labels: tuple[tuple[GmailId, frozenset[str]], ...] = ()
    remove_labels: tuple[tuple[GmailId, frozenset[str]], ...] = ()
    delete: tuple[GmailId, ...] = ()
    cursor: HistoryId | None = None
    to_fetch: tuple[ToFetch, ...] = ()
    fetched: tuple[GmailId, ...] = ()
    backfill_state: str | None = None
    route: frozenset[GmailId] = frozenset()
    labels: tuple[Label, ...] | None = None
    index: bool = True
    index_later: bool = False


class Applied(Record):
    """What a page changed.

    `rescued_ids` are messages that left spam or trash and have jobs now. Vectors of `gone_ids` may be deleted. `outbox_ids`
    archive new mail of muted threads.
    """

    thread_ids: tuple[ThreadId, ...]
    new_ids: tuple[MessageId, ...]
    gone_ids: tuple[MessageId, ...]
    rescued_ids: tuple[MessageId, ...]
    outbox_ids: tuple[OutboxId, ...] = ()


_UNINDEXED = frozenset({SystemLabel.SPAM, SystemLabel.TRASH, SystemLabel.DRAFT})
"""Mail with these labels is no source for answers, so it is not embedded."""

_ADD_TO_FETCH = """INSERT INTO to_fetch (account_id, gmail_id, gmail_thread_id, reason, priority, attempts)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, gmail_id) DO UPDATE SET
        attempts = attempts + excluded.attempts, priority = max(priority, excluded.priority),
        reason = CASE reason WHEN 'new' THEN reason ELSE excluded.reason END
        WHERE excluded.attempts <> 0 OR excluded.priority > priority OR (excluded.reason <> reason AND reason <> 'new')"""
"""Rows that would not change are not written, since the last listing repeats most of them. The reason "new" stays."""

Known = dict[GmailId, tuple[MessageId, ThreadId]]


def apply_page(connection: sqlite3.Connection, account_id: AccountId, page: SyncPage, now: datetime | None = None) -> Applied:
    """Writes `page` inside the caller's transaction. Without `now`, mail that left spam or trash gets no jobs."""
    messages = {one.gmail_id: one for one in page.messages}
    named = {*messages, *page.delete, *(gid for gid, _ in page.add_labels), *(gid for gid, _ in page.remove_labels)}
    known = _known(connection, account_id, named)
    hidden = hidden_among(connection, [number for number, _ in known.values()])
    touched: set[ThreadId] = {known[gid][1] for gid in named if gid in known and gid not in messages}
    new = _write_messages(connection, account_id, messages, known, touched)
    _change_labels(connection, page, known)
    if page.labels is not None:
        touched |= _remove_deleted_labels(connection, account_id, page.labels)
    apply_waiting(connection, account_id, [(gid, known[gid][0]) for gid in named if gid in known])
    gone = [known[gid][0] for gid in page.delete if gid in known]
    _delete(connection, account_id, gone)
    refresh(connection, touched)
    if touched:
        forget_returned(connection)
    left = [(number, one) for number, one in new if one.gmail_id not in page.delete]
    muted = muted_messages(connection, {number for number, _ in left}) if left and now is not None else []
    archived = write_changes(connection, deltas(muted, (), (SystemLabel.INBOX,)), now).outbox_ids if now and muted else ()
    _queue(connection, left, page, frozenset(one.gmail_id for one in muted))
    rescued = queue_rescued(connection, hidden, now) if now is not None else ()
    if not page.index_later or waiting(connection) >= AT_ONCE:
        index_waiting(connection)
    _note_progress(connection, account_id, page)
    return Applied(tuple(touched), tuple(number for number, _ in left), tuple(gone), tuple(rescued), archived)


def _known(connection: sqlite3.Connection, account_id: AccountId, ids: Collection[GmailId]) -> Known:
    """The stored messages among `ids`."""
    sql = "SELECT gmail_id, id, thread_id FROM messages WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
    rows = connection.execute(sql, (account_id, id_list(ids)))
    return {GmailId(gid): (MessageId(number), ThreadId(thread)) for gid, number, thread in rows}


def _write_messages(
    connection: sqlite3.Connection,
    account_id: AccountId,
    messages: dict[GmailId, RemoteMessage],
    known: Known,
    touched: set[ThreadId],
) -> list[Numbered]:
    """Inserts new messages, adds them to `known`, and rewrites changed ones. Returns the new ones with their ids."""
    if not messages:
        return []
    threads = thread_ids_for(connection, account_id, dict.fromkeys([one.gmail_thread_id for one in messages.values()]))
    first = next_message_id(connection)
    fresh = [one for gid, one in messages.items() if gid not in known]
    new: list[Numbered] = [(MessageId(first + place), one) for place, one in enumerate(fresh)]
    if new:
        insert_messages(connection, account_id, new, threads)
        count_new(connection, account_id, fresh)
    changed = _changed(connection, messages, known)
    if changed:
        numbers = [number for number, _ in changed]
        count_out(connection, account_id, numbers)
        replace_content(connection, account_id, changed, threads)
        count_in(connection, account_id, numbers)
    touched.update(threads[one.gmail_thread_id] for _, one in (*new, *changed))
    touched.update(known[one.gmail_id][1] for _, one in changed)
    known.update({one.gmail_id: (number, threads[one.gmail_thread_id]) for number, one in new})
    return new


def _changed(connection: sqlite3.Connection, messages: dict[GmailId, RemoteMessage], known: Known) -> list[Numbered]:
    """Stored messages that were fetched again with other content or labels."""
    again = {known[gid][0]: one for gid, one in messages.items() if gid in known}
    if not again:
        return []
    stored = load_messages(connection, again)
    return [(number, one) for number, one in again.items() if not same_content(stored[number], one)]


def _change_labels(connection: sqlite3.Connection, page: SyncPage, known: Known) -> None:
    """Changes labels of stored messages. Sync fetches the others."""
    added = [(known[gid][0], label) for gid, labels in page.add_labels if gid in known for label in labels]
    removed = [(known[gid][0], label) for gid, labels in page.remove_labels if gid in known for label in labels]
    change_labels(connection, added, removed)


def _delete(connection: sqlite3.Connection, account_id: AccountId, gone: list[MessageId]) -> None:
    if not gone:
        return
    count_out(connection, account_id, gone)
    delete_messages(connection, gone)
    connection.execute(
        """DELETE FROM jobs WHERE kind IN ('index', 'route', 'classify')
            AND key IN (SELECT CAST(value AS TEXT) FROM json_each(?))""",
        (id_list(gone),),
    )


def _queue(connection: sqlite3.Connection, new: Iterable[Numbered], page: SyncPage, muted: frozenset[GmailId]) -> None:
    """Queues `index` and `route` jobs for new messages, newest mail first. Nothing is drafted for muted mail."""
    dated = [(str(number), to_ms(one.date), one) for number, one in new]
    if page.index:
        put_many(connection, "index", [(key, date) for key, date, one in dated if not one.labels & _UNINDEXED])
    put_many(connection, "route", [(key, date) for key, date, one in dated if one.gmail_id in page.route - muted])


def _note_progress(connection: sqlite3.Connection, account_id: AccountId, page: SyncPage) -> None:
    """Writes the to-fetch list, the label table and the cursors."""
    connection.executemany(
        _ADD_TO_FETCH,
        [((account_id, one.gmail_id, one.gmail_thread_id, one.reason, one.priority, one.attempts)) for one in page.to_fetch],
    )
    off = (*page.fetched, *(one.gmail_id for one in page.messages))
    connection.executemany("DELETE FROM to_fetch WHERE account_id = ? AND gmail_id = ?", [(account_id, gid) for gid in off])
    if page.labels is not None:
        _replace_labels(connection, account_id, page.labels)
    if page.cursor is not None:
        connection.execute("UPDATE sync_state SET cursor = ? WHERE account_id = ?", (str(page.cursor), account_id))
    if page.backfill_state is not None:
        connection.execute("UPDATE sync_state SET list_cursor = ? WHERE account_id = ?", (page.backfill_state, account_id))


def _remove_deleted_labels(connection: sqlite3.Connection, account_id: AccountId, labels: Collection[Label]) -> set[ThreadId]:
    """Removes labels that were deleted on the server from all messages. Returns their threads.

    A list without the inbox is not a mailbox's whole list, so it removes nothing.
    """
    listed = {one.gmail_label_id for one in (*labels, *keep_local(connection, account_id))}
    sql = "SELECT gmail_label_id FROM labels WHERE account_id = ? AND kind = 'user'"
    lost = {row[0] for row in connection.execute(sql, (account_id,))} - listed
    if not lost or SystemLabel.INBOX not in listed:
        return set()
    sql = """SELECT m.thread_id, l.message_id, l.label FROM message_labels l JOIN messages m ON m.id = l.message_id
        WHERE m.account_id = ? AND l.label IN (SELECT value FROM json_each(?))"""
    rows = connection.execute(sql, (account_id, id_list(lost))).fetchall()
    change_labels(connection, (), [(MessageId(row[1]), row[2]) for row in rows])
    return {ThreadId(row[0]) for row in rows}


def _replace_labels(connection: sqlite3.Connection, account_id: AccountId, labels: Iterable[Label]) -> None:
    """Replaces the account's label table by the server's list plus labels that the server does not know yet."""
    labels = (*labels, *keep_local(connection, account_id))
    connection.execute("DELETE FROM labels WHERE account_id = ?", (account_id,))
    connection.executemany(
        "INSERT OR REPLACE INTO labels (account_id, gmail_label_id, name, kind) VALUES (?, ?, ?, ?)",
        [(account_id, one.gmail_label_id, one.name, one.kind) for one in labels],
    )
