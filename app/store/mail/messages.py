"""The table `messages`: writes pages of sync, reads messages and the to-fetch list."""

import sqlite3
from collections.abc import Collection
from datetime import UTC, datetime

from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import Clock
from app.store.db.codecs import id_list, pack_strings, unpack_strings
from app.store.db.database import Database
from app.store.mail.mail_rows import load_by_gmail_id, load_message, load_messages, load_thread
from app.store.mail.mail_writing import HtmlSources, change_labels
from app.store.mail.sync_page import Applied, SyncPage, ToFetch, apply_page
from app.store.mail.thread_summary import refresh, write_verdict

_UNREAD_INBOX = """SELECT m.id FROM messages m
    JOIN message_labels u ON u.message_id = m.id AND u.label = ?
    JOIN message_labels i ON i.message_id = m.id AND i.label = ?
    WHERE m.account_id = ? AND m.date >= ? ORDER BY m.date DESC, m.id DESC"""

_NEWEST_SENT = """SELECT id FROM messages WHERE account_id = ? AND outgoing AND rfc822_id <> ''
    AND id NOT IN (SELECT message_id FROM message_labels WHERE label = 'DRAFT') ORDER BY date DESC, id DESC LIMIT ?"""

_NEWEST = """SELECT id FROM messages WHERE account_id = ?
    AND id NOT IN (SELECT message_id FROM message_labels WHERE label = 'DRAFT') ORDER BY date DESC, id DESC LIMIT ?"""

_TO_FETCH = """SELECT gmail_id, gmail_thread_id, reason, priority, attempts FROM to_fetch WHERE account_id = ?
    ORDER BY priority DESC, attempts, seq LIMIT ?"""

_TO_FETCH_OF = """SELECT gmail_id, gmail_thread_id, reason, priority, attempts FROM to_fetch
    WHERE account_id = ? AND gmail_thread_id IN (SELECT value FROM json_each(?)) ORDER BY seq"""


class Messages:
    """Messages of all accounts. With `html`, messages read by `get` and `thread` have clean HTML."""

    def __init__(self, db: Database, html: HtmlSources | None = None, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self._db, self._html, self._clock = db, html, clock

    def apply(self, account_id: AccountId, page: SyncPage) -> Applied:
        """Writes a page of sync in one transaction. Applying it twice changes nothing. Old mail of a first sync may be lost in a
        power cut, together with the note that it was fetched: sync then fetches it again.
        """
        with self._db.transaction(lasting=not page.index_later) as connection:
            return apply_page(connection, account_id, page, self._clock())

    def have(self, account_id: AccountId) -> set[GmailId]:
        """Gmail ids of all stored messages."""
        rows = self._db.read("SELECT gmail_id FROM messages WHERE account_id = ?", (account_id,))
        return {row[0] for row in rows}

    def get(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""
        message = self._db.load(load_message, message_id)
        if message is None:
            raise NotFound(f"There is no message {message_id}.")
        return self._shown((message,))[0]

    def many(self, ids: Collection[MessageId]) -> dict[MessageId, Message]:
        """Messages with bodies by id, without those that are gone. Uncleaned HTML is left out."""
        return self._db.load(load_messages, ids)

    def by_gmail_id(self, account_id: AccountId, gmail_id: GmailId) -> Message | None:
        return self._db.load(load_by_gmail_id, account_id, gmail_id)

    def newest_sent_ids(self, account_id: AccountId, limit: int) -> tuple[MessageId, ...]:
        return tuple(MessageId(row[0]) for row in self._db.read(_NEWEST_SENT, (account_id, limit)))

    def newest(self, account_id: AccountId, limit: int) -> tuple[MessageId, ...]:
        """The ids of an account's newest messages without drafts, oldest first."""
        return tuple(MessageId(row[0]) for row in reversed(self._db.read(_NEWEST, (account_id, limit))))

    def thread(self, thread_id: ThreadId) -> tuple[Message, ...]:
        messages = self._db.load(load_thread, thread_id)
        return self._shown(messages)

    def _shown(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        return messages if self._html is None else self._html.shown(messages)

    def to_fetch(self, account_id: AccountId, limit: int, whole_threads: bool = False) -> tuple[ToFetch, ...]:
        """The next messages to fetch: by priority, then fewest attempts, then order of arrival.

        With `whole_threads`, the rest of their threads on the list follows, beyond the limit.
        """
        rows = self._db.read(_TO_FETCH, (account_id, limit))
        if whole_threads:
            first = {row[0] for row in rows}
            threads = id_list({row[1] for row in rows})
            rows += [row for row in self._db.read(_TO_FETCH_OF, (account_id, threads)) if row[0] not in first]
        return tuple(ToFetch(*row) for row in rows)

    def fetch_count(self, account_id: AccountId) -> int:
        return int(self._db.read("SELECT count(*) FROM to_fetch WHERE account_id = ?", (account_id,))[0][0])

    def unread_inbox_since(self, account_id: AccountId, since_ms: int) -> list[MessageId]:
        """Unread inbox messages from Unix milliseconds `since_ms` on, newest first."""
        rows = self._db.read(_UNREAD_INBOX, (SystemLabel.UNREAD, SystemLabel.INBOX, account_id, since_ms))
        return [MessageId(row[0]) for row in rows]

    def modify_local(self, ids: Collection[MessageId], add: Collection[str], remove: Collection[str]) -> tuple[ThreadId, ...]:
        """Changes labels in the local copy before the server has them. Returns the changed threads."""
        with self._db.transaction() as connection:
            known = connection.execute(
                "SELECT id, thread_id FROM messages WHERE id IN (SELECT value FROM json_each(?))", (id_list(ids),)
            ).fetchall()
            added = [(MessageId(row[0]), label) for row in known for label in add]
            removed = [(MessageId(row[0]), label) for row in known for label in remove]
            change_labels(connection, added, removed)
            threads = tuple(dict.fromkeys(ThreadId(row[1]) for row in known))
            refresh(connection, threads)
            return threads

    def set_triage(self, message_id: MessageId, triage: Triage) -> ThreadId:
        """Stores a verdict. Returns the message's thread. Raises `NotFound`."""
        with self._db.transaction() as connection:
            return write_verdict(connection, message_id, triage)

    def triage(self, message_id: MessageId) -> Triage | None:
        """The verdict on a message, None if there is none yet."""
        sql = "SELECT decision, category, confidence, reason, maker FROM messages WHERE id = ? AND decision <> ''"
        return next((_triage(row) for row in self._db.read(sql, (message_id,))), None)


def _triage(row: sqlite3.Row) -> Triage:
    return Triage(Decision(row[0]), Category(row[1]), float(row[2]), row[3], row[4])


_ALL = """SELECT m.gmail_id, json_group_array(l.label) FROM messages m JOIN message_labels l ON l.message_id = m.id
    WHERE m.account_id = ? GROUP BY m.id"""


def label_sets(db: Database, account_id: AccountId) -> dict[GmailId, frozenset[str]]:
    """The Gmail label ids of every labelled message of an account, to compare with the server's lists."""
    return {GmailId(gmail_id): frozenset(unpack_strings(labels)) for gmail_id, labels in db.read(_ALL, (account_id,))}


_NOT_RECEIVED = (SystemLabel.SENT, SystemLabel.DRAFT)

_NEWEST = """SELECT m.id FROM messages m WHERE NOT EXISTS (SELECT 1 FROM message_labels l
    WHERE l.message_id = m.id AND l.label IN (SELECT value FROM json_each(?))) ORDER BY m.date DESC, m.id DESC LIMIT ?"""


_PAST = """SELECT m.id, EXISTS (SELECT 1 FROM messages s JOIN message_labels l ON l.message_id = s.id AND l.label = ?
        WHERE s.thread_id = m.thread_id AND s.date > m.date) AS answered
    FROM messages m WHERE NOT EXISTS (SELECT 1 FROM message_labels l
        WHERE l.message_id = m.id AND l.label IN (SELECT value FROM json_each(?))) ORDER BY m.date DESC, m.id DESC LIMIT ?"""
PAST_READ = 600
"""Newest received messages among which those for a trial are chosen."""


def trial_mail(db: Database, most: int) -> tuple[MessageId, ...]:
    """Received messages to try a model on, newest first: half of them answered by the owner where there are as many."""
    left_out = (*_NOT_RECEIVED, SystemLabel.SPAM, SystemLabel.TRASH)
    rows = db.read(_PAST, (SystemLabel.SENT, pack_strings(left_out), PAST_READ))
    answered = [row[0] for row in rows if row[1]][: most // 2]
    others = [row[0] for row in rows if not row[1]][: most - len(answered)]
    chosen = {*answered, *others}
    return tuple(MessageId(row[0]) for row in rows if row[0] in chosen)


def newest_received(db: Database, limit: int) -> list[MessageId]:
    """Received messages of all accounts, newest first, without drafts and the owner's own. Rules are tried on them."""
    return [MessageId(row[0]) for row in db.read(_NEWEST, (pack_strings(_NOT_RECEIVED), limit))]
