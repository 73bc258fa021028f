"""Reads sent mail whose question is open and the owner's open promises, and keeps which of it was dismissed.

Also brings sent mail back that nobody answered by the time the owner chose in the letter. An automatic reply answers nothing. A
promise is open while the owner has sent nothing further in its conversation.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime

from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail.message import Address
from app.domain.ports.window import WaitingRow
from app.store.db.codecs import id_list, unpack_addresses, unpack_pairs, unpack_strings
from app.store.db.database import Table
from app.store.db.times import from_ms, to_ms
from app.store.mail.label_rows import LabelChangeResult, by_account
from app.store.mail.snoozes import come_back

_SENT = """SELECT m.id, m.thread_id, m.account_id, m.to_list, m.cc_list, m.subject, m.date, b.text, a.email, a.send_as
    FROM messages m JOIN accounts a ON a.id = m.account_id JOIN bodies b ON b.message_id = m.id
    WHERE m.outgoing AND m.date >= :since
        AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('DRAFT', 'TRASH', 'SPAM'))
        AND NOT EXISTS (SELECT 1 FROM waiting_dismissed w WHERE w.message_id = m.id)
    ORDER BY m.date DESC, m.id DESC LIMIT :limit"""
_ANSWERS = """SELECT m.thread_id, m.date, m.subject, b.headers FROM messages m JOIN bodies b ON b.message_id = m.id
    WHERE NOT m.outgoing AND m.date >= :since AND m.thread_id IN (SELECT value FROM json_each(:threads))
        AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('DRAFT', 'TRASH', 'SPAM'))
    ORDER BY m.date DESC"""


_REMINDERS = """SELECT m.id, m.thread_id, m.account_id, m.to_list, m.subject, m.date, m.snippet, a.email, a.send_as,
        l.id AS letter, l.remind_at, l.reminded
    FROM letters l INDEXED BY letters_remind JOIN outbox o ON o.id = l.outbox_id
    JOIN messages m ON m.rfc822_id = o.marker AND m.account_id = l.account_id AND m.outgoing
    JOIN accounts a ON a.id = m.account_id
    WHERE l.remind_at <> 0 AND l.state IN ('leaving', 'sent')
        AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('DRAFT', 'TRASH', 'SPAM'))
        AND NOT EXISTS (SELECT 1 FROM waiting_dismissed w WHERE w.message_id = m.id)
    ORDER BY l.remind_at"""
"""Sent letters with a time by which the owner expects a reply."""


def load_waiting(connection: sqlite3.Connection, before: datetime, since: datetime, limit: int = 400) -> Sequence[WaitingRow]:
    """Mail with a reminder, the next first; then open questions sent between `since` and `before`, and open promises since
    `since`, each newest first.
    """
    reminders = [
        WaitingRow(
            *_place(row), _others(row), row["subject"], row["snippet"], from_ms(row["date"]), remind_at=from_ms(row["remind_at"])
        )
        for row in _unanswered(connection, connection.execute(_REMINDERS).fetchall())
    ]
    listed = {one.thread_id for one in reminders}
    sent = connection.execute(_SENT, {"since": to_ms(since), "limit": limit}).fetchall()
    answered = _last_answers(connection, sent, to_ms(since))
    asked = (one for one in _open_questions(sent, answered, to_ms(before)) if one.thread_id not in listed)
    return (*reminders, *asked, *_open_promises(sent))


def _unanswered(connection: sqlite3.Connection, sent: Sequence[sqlite3.Row]) -> list[sqlite3.Row]:
    answered = _last_answers(connection, sent, min((row["date"] for row in sent), default=0)) if sent else {}
    return [row for row in sent if row["date"] > answered.get(row["thread_id"], 0)]


def _last_answers(connection: sqlite3.Connection, sent: Sequence[sqlite3.Row], since_ms: int) -> dict[int, int]:
    """For each conversation, when a person last wrote to the owner."""
    from app.domain.language.sent_mail import automatic_reply  # takes 80 ms to load, which the first frame must not wait for

    last: dict[int, int] = {}
    for row in connection.execute(_ANSWERS, {"since": since_ms, "threads": id_list({one["thread_id"] for one in sent})}):
        if row["thread_id"] not in last and not automatic_reply(row["subject"], unpack_pairs(row["headers"])):
            last[row["thread_id"]] = row["date"]
    return last


def _open_questions(sent: Sequence[sqlite3.Row], answered: dict[int, int], before_ms: int) -> Iterator[WaitingRow]:
    """The newest open question of each conversation. Mail only to the owner is left out."""
    from app.domain.language.sent_mail import open_request

    listed: set[int] = set()
    for row in sent:
        thread, people = row["thread_id"], _others(row)
        if thread in listed or not people or row["date"] <= answered.get(thread, 0):
            continue
        sentence = open_request(row["text"], people, unpack_addresses(row["cc_list"]))
        if sentence:
            listed.add(thread)
            if row["date"] <= before_ms:
                yield WaitingRow(*_place(row), people, row["subject"], sentence, from_ms(row["date"]))


def _open_promises(sent: Sequence[sqlite3.Row]) -> Iterator[WaitingRow]:
    """What the owner promised in the last mail of each conversation."""
    from app.domain.language.sent_mail import promises_in

    seen: set[int] = set()
    for row in sent:
        people = _others(row)
        if row["thread_id"] in seen or not people:
            continue
        seen.add(row["thread_id"])
        at = from_ms(row["date"])
        for one in promises_in(row["text"], at.astimezone())[:1]:
            yield WaitingRow(*_place(row), people, row["subject"], one.text, at, owed=True, due=one.due)


def _place(row: sqlite3.Row) -> tuple[MessageId, ThreadId, AccountId]:
    return MessageId(row["id"]), ThreadId(row["thread_id"]), AccountId(row["account_id"])


def _others(row: sqlite3.Row) -> tuple[Address, ...]:
    """The recipients who are not the owner."""
    own = {row["email"].lower(), *(one.lower() for one in unpack_strings(row["send_as"]))}
    return tuple(one for one in unpack_addresses(row["to_list"]) if one.email.lower() not in own)


class WaitingMail(Table):
    """The table `waiting_dismissed`, and the reminders of sent letters."""

    def dismiss(self, message_id: MessageId, dismissed: bool) -> None:
        """Takes a message off the list, or puts it back."""
        with self._db.transaction() as connection:
            if dismissed:
                sql = "INSERT OR IGNORE INTO waiting_dismissed (message_id, at) SELECT id, ? FROM messages WHERE id = ?"
                connection.execute(sql, (to_ms(self._clock()), message_id))
            else:
                connection.execute("DELETE FROM waiting_dismissed WHERE message_id = ?", (message_id,))

    def return_due(self) -> LabelChangeResult:
        """Returns conversations to the inbox whose reminder is due and that nobody answered. A reply cancels the reminder."""
        now = self._clock()
        with self._db.transaction() as connection:
            found = connection.execute(_REMINDERS).fetchall()
            due = [row for row in found if row["remind_at"] <= to_ms(now) and not row["reminded"]]
            silent = _unanswered(connection, due)
            threads = [(row["thread_id"], row["letter"]) for row in silent]
            answered = [(row["letter"],) for row in due if row not in silent]
            connection.executemany("UPDATE letters SET remind_at = 0 WHERE id = ?", answered)
            connection.executemany("UPDATE letters SET reminded = ? WHERE id = ?", threads)
            changed = come_back(connection, {ThreadId(row["thread_id"]): {row["id"]} for row in silent}, now)
            return LabelChangeResult(by_account((row["account_id"], row["thread_id"]) for row in silent), changed.outbox_ids)
