"""Snoozed threads with the time when each returns to the inbox, and muted threads. The Gmail API can neither snooze nor mute."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail.message import SystemLabel
from app.store.db.codecs import id_list, pack_strings, unpack_strings
from app.store.db.database import Table
from app.store.db.times import from_ms, to_ms
from app.store.mail.label_rows import (
    Delta,
    LabelChangeResult,
    MessageLabels,
    by_account,
    deltas,
    load_labels_of,
    note_action,
    write_changes,
)

_FORGET_HIDDEN = (
    "DELETE FROM snoozes WHERE action = ? RETURNING account_id, thread_id",
    "DELETE FROM muted WHERE action = ? RETURNING account_id, thread_id",
)
_RETURNED = """DELETE FROM snoozes WHERE EXISTS (
    SELECT 1 FROM thread_labels t WHERE t.thread_id = snoozes.thread_id AND t.label = 'INBOX')"""
_GONE_ELSEWHERE = frozenset({SystemLabel.TRASH, SystemLabel.SPAM})


class Snoozes(Table):
    def put(self, key: str, threads: Collection[ThreadId], until: datetime) -> LabelChangeResult:
        """Snoozes threads under the action `key`. Raises `NotFound`, and `NotAllowed` for a past time or mail of an archive."""
        now = self._clock()
        if until <= now:
            raise NotAllowed("This time is past.", "Choose a time to come.")
        with self._db.transaction() as connection:
            rows = connection.execute(
                "DELETE FROM snoozes WHERE thread_id IN (SELECT value FROM json_each(?)) RETURNING thread_id, message_ids",
                (id_list(threads),),
            )
            wanted = _wanted(rows.fetchall())
            if wanted:
                write_changes(connection, _returning(load_labels_of(connection, wanted), wanted, unread=False), now)
            messages = load_labels_of(connection, threads)
            accounts = {one.thread_id: one.account_id for one in messages}
            back = _coming_back(messages)
            changed = write_changes(connection, deltas(messages, (), (SystemLabel.INBOX,)), now)
            connection.executemany(
                "INSERT INTO snoozes (thread_id, account_id, until, message_ids, action) VALUES (?, ?, ?, ?, ?)",
                [(one, account, to_ms(until), pack_strings(back[one]), key) for one, account in accounts.items()],
            )
            note_action(connection, key, changed.outbox_ids, now)
            return LabelChangeResult(by_account((one.account_id, one.thread_id) for one in messages), changed.outbox_ids)

    def next_due(self) -> datetime | None:
        """When the next thread returns; None when none is snoozed."""
        row = self._db.read("SELECT min(until) FROM snoozes")[0]
        return None if row[0] is None else from_ms(row[0])

    def wake_due(self) -> LabelChangeResult:
        """Returns due threads to the inbox in one transaction."""
        now = self._clock()
        with self._db.transaction() as connection:
            rows = connection.execute("DELETE FROM snoozes WHERE until <= ? RETURNING thread_id, message_ids", (to_ms(now),))
            wanted = _wanted(rows.fetchall())
            return come_back(connection, wanted, now)


class MutedThreads(Table):
    """The table `muted`: threads whose new mail skips the inbox."""

    def put(self, key: str, threads: Collection[ThreadId]) -> LabelChangeResult:
        """Mutes threads under the action `key` and archives them. Raises `NotFound`, and `NotAllowed` for mail of an archive."""
        now = self._clock()
        with self._db.transaction() as connection:
            messages = load_labels_of(connection, threads)
            accounts = {one.thread_id: one.account_id for one in messages}
            changed = write_changes(connection, deltas(messages, (), (SystemLabel.INBOX,)), now)
            connection.executemany("INSERT OR IGNORE INTO muted VALUES (?, ?, ?)", [(*one, key) for one in accounts.items()])
            note_action(connection, key, changed.outbox_ids, now)
            return LabelChangeResult(by_account((one.account_id, one.thread_id) for one in messages), changed.outbox_ids)

    def remove(self, threads: Collection[ThreadId]) -> LabelChangeResult:
        """Unmutes threads. They stay where they are."""
        sql = "DELETE FROM muted WHERE thread_id IN (SELECT value FROM json_each(?)) RETURNING account_id, thread_id"
        with self._db.transaction() as connection:
            rows = connection.execute(sql, (id_list(threads),)).fetchall()
        return LabelChangeResult(by_account(rows), ())


def muted_messages(connection: sqlite3.Connection, ids: Collection[MessageId]) -> list[MessageLabels]:
    """Those of the messages that are in the inbox and in a muted thread."""
    sql = """SELECT DISTINCT m.thread_id FROM messages m JOIN muted USING (thread_id)
        WHERE m.id IN (SELECT value FROM json_each(?))"""
    threads = [ThreadId(row[0]) for row in connection.execute(sql, (id_list(ids),))]
    messages = load_labels_of(connection, threads) if threads else []
    return [one for one in messages if one.id in ids and SystemLabel.INBOX in one.labels]


def come_back(connection: sqlite3.Connection, wanted: dict[ThreadId, set[int]], now: datetime) -> LabelChangeResult:
    """Returns these messages to the inbox, unless their thread is there, in spam or in trash."""
    if not wanted:
        return LabelChangeResult({}, ())
    return write_changes(connection, _returning(load_labels_of(connection, wanted), wanted, unread=True), now)


def forget_hidden(connection: sqlite3.Connection, key: str) -> list[tuple[AccountId, ThreadId]]:
    """Deletes the snoozes of an undone action, and mutes. Returns their threads."""
    found = []
    for sql in _FORGET_HIDDEN:
        found += [(AccountId(row[0]), ThreadId(row[1])) for row in connection.execute(sql, (key,)).fetchall()]
    return found


def forget_returned(connection: sqlite3.Connection) -> None:
    """Deletes the snoozes of threads that are in the inbox again, by new mail or another client."""
    connection.execute(_RETURNED)


def _wanted(rows: Iterable[sqlite3.Row]) -> dict[ThreadId, set[int]]:
    return {ThreadId(row["thread_id"]): set(map(int, unpack_strings(row["message_ids"]))) for row in rows}


def _coming_back(messages: Iterable[MessageLabels]) -> dict[ThreadId, list[str]]:
    """The messages in the inbox by thread, or the newest message of a thread outside it."""
    inside: dict[ThreadId, list[str]] = defaultdict(list)
    newest: dict[ThreadId, str] = {}
    for one in messages:
        newest[one.thread_id] = str(one.id)
        if SystemLabel.INBOX in one.labels:
            inside[one.thread_id].append(str(one.id))
    return {thread: inside[thread] or [last] for thread, last in newest.items()}


def _returning(
    messages: list[MessageLabels], wanted: dict[ThreadId, set[int]], *, unread: bool
) -> dict[Delta, list[MessageLabels]]:
    """Label changes that return messages to the inbox; with `unread` the newest of each thread becomes unread.

    Leaves out threads that are in the inbox, spam or trash by now.
    """
    settled = {one.thread_id for one in messages if SystemLabel.INBOX in one.labels or one.labels & _GONE_ELSEWHERE}
    newest = {one.thread_id: one.id for one in messages if one.id in wanted[one.thread_id]}
    groups: dict[Delta, list[MessageLabels]] = defaultdict(list)
    for one in messages:
        if one.thread_id in settled or one.id not in wanted[one.thread_id]:
            continue
        mark = {SystemLabel.UNREAD.value} if unread and newest[one.thread_id] == one.id else set()
        groups[frozenset({SystemLabel.INBOX.value} | mark) - one.labels, frozenset()].append(one)
    return dict(groups)
