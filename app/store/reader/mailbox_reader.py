"""The window's read-only access to the database, with sqlite3 and the domain alone.

Long lists are read as ids first and as rows once they are visible. MIME bytes are read for the one mail on screen only.
"""

import json
import re
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from operator import itemgetter
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.agents.requests import RESTING, Request
from app.domain.agents.runs import DailyWork, middle
from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId, LetterId, MessageId, OutboxId, ThreadId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.letter import StoredLetter
from app.domain.mail.message import ARCHIVE, GMAIL, Account, Address, MessageLine
from app.domain.mail.outbox import OutboxItem, OutboxMail, OutboxRow
from app.domain.ports.window import ArchiveLesson, BulkSender, KnownAddress, MailboxCounts, MailView, SenderHabit
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.protocol.views import SPLITS, VIEW_LABELS
from app.domain.record import replace
from app.domain.sync import SetAside
from app.store.contacts import load_card
from app.store.db.codecs import id_list, pack_strings, storable
from app.store.db.records import record
from app.store.db.times import from_ms, to_ms
from app.store.learning.preferences import load_preference_ids, load_preferences, load_some_preferences
from app.store.letters.letters import load_letter, load_letters, load_templates
from app.store.letters.waiting import load_waiting
from app.store.mail.files import load_file
from app.store.mail.mail_rows import (
    ALL_MAIL,
    load_accounts,
    load_labels,
    load_message,
    load_messages,
    load_thread,
    load_thread_rows,
)
from app.store.outbox import IS_OPEN, item_of
from app.store.reader.base_reader import DatabaseReader, reads
from app.store.requests.artifacts import ArtifactFolder
from app.store.requests.requests import load_request, load_request_ids, load_requests
from app.store.reviews.review_rows import load_drafted_reply, load_review, load_review_ids, load_review_rows, load_section_sizes
from app.store.runs.audit import load_trace
from app.store.runs.model_calls import load_sent_by_day, load_sent_calls
from app.store.runs.runs import load_run, load_runs

_CHANGES = "kind IN ('modify', 'create_label')"
_COUNTS = """SELECT
    (SELECT count(*) FROM reviews WHERE status = 'pending'),
    (SELECT count(*) FROM thread_labels WHERE label = 'INBOX' AND unread),
    (SELECT count(*) FROM outbox INDEXED BY outbox_due
        WHERE IS_OPEN AND state <> 'uncertain' AND NOT CHANGES),
    (SELECT count(*) FROM outbox INDEXED BY outbox_due
        WHERE IS_OPEN AND state = 'uncertain')
        + (SELECT count(*) FROM outbox INDEXED BY outbox_held WHERE state = 'held'),
    (SELECT count(*) FROM messages)""".replace("IS_OPEN", IS_OPEN).replace("CHANGES", _CHANGES)
"""Open items are counted through their indexes, because sent items are very many. Changes of labels have their own page."""

_SPENT = """SELECT count(*), coalesce(sum(prompt_tokens + completion_tokens), 0), coalesce(sum(cost_usd), 0.0)
    FROM llm_calls INDEXED BY llm_calls_at WHERE at BETWEEN ? AND ? AND run_id = ?"""
"""Model calls have no index by run; those of a request are between its creation and its last change."""
_MAIL_KINDS = ("send", "gmail_draft")
LATE_MS = 60_000
FOREVER_MS = 2**62

_MAILS = """SELECT date(r.created_at / 1000, 'unixepoch', 'localtime') AS day, coalesce(m.category, '') AS category,
        count(*) AS mails
    FROM runs r LEFT JOIN messages m ON m.id = r.message_id WHERE r.created_at >= :since GROUP BY day, 2 ORDER BY day, 2"""

_TIMES = """SELECT date(r.created_at / 1000, 'unixepoch', 'localtime') AS day, sum(s.latency_ms) AS time_ms
    FROM runs r CROSS JOIN run_steps s ON s.run_id = r.id
    WHERE r.created_at >= :since GROUP BY r.id HAVING time_ms > 0 ORDER BY time_ms"""

_DECISIONS = """SELECT date(d.decided_at / 1000, 'unixepoch', 'localtime') AS day,
        sum(d.action IN ('accept', 'save_draft')) AS kept, sum(d.action = 'edit') AS edited, sum(d.action = 'ignore') AS rejected
    FROM decisions d JOIN reviews v ON v.id = d.review_id
    WHERE d.decided_at >= :since AND d.undone_at IS NULL AND v.kind = 'reply' GROUP BY day"""

_CALLS = """SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, count(*) AS calls,
        sum(prompt_tokens + completion_tokens) AS tokens, sum(cost_usd) AS cost_usd
    FROM llm_calls WHERE at >= :since GROUP BY day"""

_OPEN = """SELECT * FROM outbox WHERE id IN (
        SELECT id FROM outbox INDEXED BY outbox_due WHERE IS_OPEN
        UNION ALL SELECT id FROM outbox INDEXED BY outbox_held WHERE state = 'held')
    ORDER BY id DESC""".replace("IS_OPEN", IS_OPEN)

_NEWEST = """WITH listed (id, closed) AS (
        SELECT id, 0 FROM outbox INDEXED BY outbox_due WHERE IS_OPEN AND WANTED
        UNION ALL SELECT id, 0 FROM outbox INDEXED BY outbox_held WHERE state = 'held' AND WANTED
        UNION ALL SELECT * FROM (
            SELECT id, 1 FROM outbox WHERE state IN ('sent', 'cancelled') AND WANTED ORDER BY id DESC LIMIT ?))
    SELECT id FROM listed ORDER BY closed, id DESC LIMIT ?""".replace("IS_OPEN", IS_OPEN)

_OUTGOING = f"(NOT {_CHANGES} OR state IN ('held', 'uncertain'))"
_TEXT = "SELECT o.kind, m.mime FROM outbox o JOIN outbox_mime m ON m.outbox_id = o.id WHERE o.id = ?"
_BEGINNING = 262_144
"""Bytes of a mail that are parsed: the text comes before the files."""
_FILE = re.compile(rb"^content-disposition: attachment.*?(?=\r?\n\S|\r?\n\r?\n)", re.DOTALL | re.MULTILINE | re.IGNORECASE)

_CHANGE_KEY = """SELECT a.key FROM action_items i JOIN actions a ON a.key = i.key
    WHERE i.outbox_id = ? AND a.undone_at IS NULL"""
_ROWS = """SELECT o.*, coalesce((SELECT max(d.decided_at) FROM decisions d
        WHERE d.review_id = o.review_id AND d.outbox_id = o.id),
        o.created_at) AS approved
    FROM json_each(?) l CROSS JOIN outbox o ON o.id = l.value"""
"""Finds an item's decision by its review; scanning all decisions takes seconds when there are many."""


def outbox_mail(mime: bytes) -> OutboxMail:
    """What a composed mail says, to whom, and its files."""
    from email import message_from_bytes, policy  # loads 20 modules

    mail = message_from_bytes(mime[:_BEGINNING], policy=policy.default)
    body = mail.get_body(("plain",))
    names = (message_from_bytes(head + b"\r\n\r\n", policy=policy.default).get_filename("") for head in _FILE.findall(mime))
    to, cc, bcc = (str(mail.get(name, "")) for name in ("To", "Cc", "Bcc"))
    return OutboxMail(str(body.get_content()) if body is not None else "", to, cc, bcc, tuple(names))


def load_days(connection: sqlite3.Connection, since_ms: int) -> tuple[DailyWork, ...]:
    """The days with work from Unix milliseconds `since_ms` on."""
    asked = {"since": since_ms}
    mails: dict[str, list[tuple[str, int]]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    days: dict[str, DailyWork] = {}
    for row in connection.execute(_MAILS, asked):
        mails[row["day"]].append((row["category"], row["mails"]))
    for row in connection.execute(_TIMES, asked):
        times[row["day"]].append(row["time_ms"])
    for day, found in mails.items():
        days[day] = DailyWork(date.fromisoformat(day), tuple(found), middle(times[day]))
    for sql in (_DECISIONS, _CALLS):
        for row in connection.execute(sql, asked):
            values = dict(row)
            day = values.pop("day")
            days[day] = replace(days.get(day) or DailyWork(date.fromisoformat(day)), **values)
    return tuple(days[day] for day in sorted(days))


CANDIDATES = 1000
_WORD = re.compile(r"[^\s\"\0]+")

_FOUND = """SELECT c.email, c.name, c.sent * 4 + c.received AS weight, c.organization FROM contacts c
    WHERE c.id IN (SELECT rowid FROM contact_fts WHERE contact_fts MATCH :match LIMIT :most)
        AND (c.sent + c.received > 0 OR c.organization <> '' OR c.notes <> '')
    ORDER BY c.sent > 0 DESC, weight DESC, c.last_contact DESC"""
_KNOWN = """SELECT DISTINCT c.email FROM contacts c WHERE c.account_id IN (SELECT id FROM accounts)
    AND c.email IN (SELECT value FROM json_each(:emails))
    AND (c.sent + c.received > 0 OR c.organization <> '' OR c.notes <> '')"""


def found_people(connection: sqlite3.Connection, typed: str, most: int, by_firm: bool = False) -> tuple[KnownAddress, ...]:
    """At most `most` people found by beginnings of words.

    Each typed word must begin a word of name, address or domain, with `by_firm` also of the organization. Those the owner wrote
    to come first, each address once.
    """
    words = [f'"{word}" *' for word in _WORD.findall(storable(typed))]
    if not words:
        return ()
    match = f"{'{words organization}' if by_firm else 'words'} : ({' AND '.join(words)})"
    found: dict[str, KnownAddress] = {}
    for one in (f"written : y AND {match}", match):
        for row in connection.execute(_FOUND, {"match": one, "most": CANDIDATES}):
            if len(found) == most:
                return tuple(found.values())
            found.setdefault(row[0], KnownAddress(Address(row[0], row[1]), row[2], row[3]))
    return tuple(found.values())


def known_emails(connection: sqlite3.Connection, emails: Iterable[str]) -> frozenset[str]:
    """The lower-case addresses among `emails` that are known from any account's mail or address book."""
    asked = pack_strings(storable(one) for one in emails)
    return frozenset(row[0] for row in connection.execute(_KNOWN, {"emails": asked})) if asked else frozenset()


_LETTER_OF = """SELECT l.id FROM letters l JOIN messages m ON m.gmail_id = l.draft_gmail_id AND m.account_id = l.account_id
    WHERE m.id = ? AND l.state = 'open' AND l.draft_gmail_id <> ''"""
_LETTERS = "SELECT id, updated_at FROM letters INDEXED BY letters_state WHERE state = 'open' ORDER BY id DESC"
_ELSEWHERE = """SELECT m.id, m.date FROM message_labels d JOIN messages m ON m.id = d.message_id
    WHERE d.label = 'DRAFT' AND NOT EXISTS (SELECT 1 FROM letters l INDEXED BY letters_draft
        WHERE l.draft_gmail_id = m.gmail_id AND l.draft_gmail_id <> '' AND l.account_id = m.account_id)
    AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.marker = m.rfc822_id AND l.account_id = m.account_id)
    AND NOT EXISTS (SELECT 1 FROM outbox o INDEXED BY outbox_marker
        WHERE o.marker = m.rfc822_id AND o.marker <> '' AND o.account_id = m.account_id AND o.kind = 'send')
    ORDER BY m.date DESC"""
"""Looks each draft up through indexes; scanning letters and outbox takes seconds when they are long."""


_VIEW_LABELS = {**VIEW_LABELS, MailView.ALL: ALL_MAIL}

_THREAD_IDS = """SELECT json_group_array(thread_id) FROM (SELECT thread_id FROM thread_labels INDEXED BY thread_labels_newest
    WHERE label = ? ORDER BY last_date DESC, thread_id DESC LIMIT ? OFFSET ?)"""
"""One JSON text instead of a row per id: four times faster in Python for long lists."""

_SPLIT = """CASE WHEN t.id IN (SELECT thread_id FROM reviews WHERE status = 'pending' AND kind = 'reply') THEN 'to-review'
    WHEN t.decision = '' THEN 'rest'
    WHEN t.decision = 'respond' THEN 'needs-reply'
    WHEN EXISTS (SELECT 1 FROM messages m WHERE m.thread_id = t.id
        AND (m.reason LIKE '%list_mail%' OR m.reason LIKE '%newsletter%')) THEN 'newsletters'
    WHEN t.decision = 'notify' THEN 'fyi' ELSE 'rest' END"""
"""The split of a thread. The names of list mail and newsletters are codes of `ReasonCode`. A thread without a decision has no
reasons: its messages are not read, which took two thirds of the time in an inbox of old mail."""
_SPLIT_IDS = """SELECT json_group_array(thread_id) FROM (SELECT l.thread_id FROM thread_labels l INDEXED BY thread_labels_newest
    JOIN threads t ON t.id = l.thread_id WHERE l.label = 'INBOX' AND (split) = ?
    ORDER BY l.last_date DESC, l.thread_id DESC LIMIT ? OFFSET ?)""".replace("(split)", _SPLIT)
_SPLIT_STILL = """SELECT l.thread_id FROM thread_labels l JOIN threads t ON t.id = l.thread_id
    WHERE l.label = 'INBOX' AND (split) = ? AND l.thread_id IN (SELECT value FROM json_each(?))""".replace("(split)", _SPLIT)
_SPLIT_COUNTS = """SELECT (split), count(*) FROM threads t
    WHERE t.id IN (SELECT thread_id FROM thread_labels INDEXED BY thread_labels_newest
        WHERE label = 'INBOX' ORDER BY last_date DESC, thread_id DESC LIMIT 2000) GROUP BY 1""".replace("(split)", _SPLIT)
_STILL = "SELECT thread_id FROM thread_labels WHERE label = ? AND thread_id IN (SELECT value FROM json_each(?))"
_SNOOZED = "SELECT thread_id FROM snoozes ORDER BY until, thread_id LIMIT ? OFFSET ?"
_UNTIL = "SELECT thread_id, until FROM snoozes WHERE thread_id IN (SELECT value FROM json_each(?))"
_UNCHECKED = """SELECT a.id, (SELECT count(*) FROM messages m WHERE m.account_id = a.id)
    FROM accounts a JOIN sync_state s ON s.account_id = a.id WHERE a.kind = 'gmail' AND s.triage_since IS NULL ORDER BY a.id"""
_SET_ASIDE = """SELECT gmail_id, reason, attempts FROM to_fetch WHERE account_id = ? AND attempts > 0
    ORDER BY attempts DESC, seq LIMIT 100"""
_LINES = """SELECT m.id, m.sender_email, m.sender_name, m.subject, m.snippet, m.date,
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'UNREAD') AS unread,
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'STARRED') AS starred,
        EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'DRAFT') AS draft,
        (SELECT l.id FROM letters l INDEXED BY letters_draft WHERE l.draft_gmail_id = m.gmail_id AND l.draft_gmail_id <> ''
            AND l.account_id = m.account_id AND l.kind IN ('reply', 'reply_all')) AS letter_id
    FROM messages m WHERE m.thread_id = ? ORDER BY m.date, m.id"""
_ACCOUNTS = "SELECT id, account_id FROM threads WHERE id IN (SELECT value FROM json_each(?))"
_LAST_DATES = "SELECT id, last_date FROM threads WHERE id IN (SELECT value FROM json_each(?))"
_NAMES = """SELECT DISTINCT l.name FROM accounts a CROSS JOIN labels l ON l.account_id = a.id
    WHERE a.kind = ? AND l.kind = 'user'"""

_NEWEST_OF_SENDER = """SELECT id, gmail_id FROM messages WHERE account_id = :account AND sender_email = :email AND NOT outgoing
    ORDER BY date DESC"""
_ARCHIVED = """SELECT NOT EXISTS (
            SELECT 1 FROM message_labels l WHERE l.message_id = n.id AND l.label IN ('INBOX', 'TRASH', 'SPAM'))
        AND EXISTS (SELECT 1 FROM outbox o WHERE o.id > (SELECT max(id) FROM outbox) - 2000 AND o.account_id = :account
            AND o.kind = 'modify' AND o.state <> 'cancelled' AND instr(o.remove_labels, '"INBOX"')
            AND instr(o.message_gmail_ids, '"' || n.gmail_id || '"')
            AND NOT EXISTS (SELECT 1 FROM action_items i WHERE i.outbox_id = o.id AND i.key LIKE 'rule:%'))
    FROM (newest LIMIT 20) n""".replace("newest", _NEWEST_OF_SENDER)
_LAST_OF_SENDER = """SELECT m.thread_id, m.id, max(m.date) AS last FROM (newest LIMIT 100) n JOIN messages m ON m.id = n.id
    GROUP BY m.thread_id ORDER BY last DESC LIMIT :most""".replace("newest", _NEWEST_OF_SENDER)
_USUAL_LABEL = """SELECT l.name FROM (newest LIMIT 100) n JOIN message_labels m ON m.message_id = n.id
    JOIN labels l ON l.gmail_label_id = m.label AND l.account_id = :account AND l.kind = 'user'
    GROUP BY l.name ORDER BY count(*) DESC, l.name LIMIT 1""".replace("newest", _NEWEST_OF_SENDER)

_BULK = """SELECT m.id, m.thread_id, m.account_id, m.sender_email, m.sender_name, max(m.date) AS last, count(*) AS messages,
        sum(NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'UNREAD')) AS read,
        json_group_array(DISTINCT m.thread_id) FILTER (
            WHERE EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label = 'INBOX')) AS in_inbox
    FROM messages m WHERE m.date >= ? AND NOT m.outgoing
        AND (m.list_id <> '' OR m.reason LIKE '%list_mail%' OR m.reason LIKE '%newsletter%')
        AND NOT EXISTS (SELECT 1 FROM message_labels l WHERE l.message_id = m.id AND l.label IN ('TRASH', 'SPAM'))
    GROUP BY m.account_id, m.sender_email ORDER BY messages DESC, last DESC LIMIT 500"""
"""SQLite takes the columns without an aggregate from the row with the newest date."""


def _progress(row: sqlite3.Row) -> ImportProgress:
    sizes = (row["done_bytes"], row["total_bytes"], row["mails"], row["seen"], row["added"])
    return ImportProgress(AccountId(row["account_id"]), Path(row["path"]).name, row["state"], *sizes)


class SqliteMailboxReader(DatabaseReader):
    """Implements `MailboxReader`. For one thread at a time; only `interrupt` may be called from another."""

    accounts = reads(load_accounts)

    def archives(self) -> tuple[Account, ...]:
        return self.load(load_accounts, ARCHIVE)

    def archive_readings(self) -> tuple[ImportProgress, ...]:
        return tuple(map(_progress, self.rows("SELECT * FROM archives ORDER BY account_id")))

    def thread_ids(self, view: MailView, label: str = "", limit: int = 2000, skip: int = 0) -> "array[int]":
        if view is MailView.SNOOZED:
            return self._snoozed(limit, skip)
        if view in SPLITS:
            return array("q", json.loads(self.rows(_SPLIT_IDS, (view, limit, skip))[0][0]))
        wanted = label or ALL_MAIL if view is MailView.ALL else _VIEW_LABELS[view]
        return array("q", json.loads(self.rows(_THREAD_IDS, (wanted, limit, skip))[0][0]))

    def still_in(self, view: MailView, ids: Sequence[ThreadId]) -> frozenset[ThreadId]:
        if view is MailView.SNOOZED:
            return frozenset(ThreadId(one) for one in self._snoozed(-1, 0)) & frozenset(ids)
        if view in SPLITS:
            return frozenset(ThreadId(row[0]) for row in self.rows(_SPLIT_STILL, (view, id_list(ids))))
        return frozenset(ThreadId(row[0]) for row in self.rows(_STILL, (_VIEW_LABELS[view], id_list(ids))))

    def split_counts(self) -> dict[MailView, int]:
        return {MailView(row[0]): int(row[1]) for row in self.rows(_SPLIT_COUNTS)}

    def snoozed_until(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        return {ThreadId(row[0]): from_ms(row[1]) for row in self.rows(_UNTIL, (id_list(ids),))}

    thread_rows = reads(load_thread_rows)
    messages = reads(load_thread)

    def thread_lines(self, thread_id: ThreadId) -> tuple[MessageLine, ...]:
        found = self.rows(_LINES, (thread_id,))
        return tuple(record(MessageLine, row, sender=Address(row["sender_email"], row["sender_name"])) for row in found)

    def last_dates(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        return {ThreadId(row[0]): from_ms(row[1]) for row in self.rows(_LAST_DATES, (id_list(ids),))}

    def accounts_of(self, ids: Sequence[ThreadId]) -> dict[ThreadId, AccountId]:
        return {ThreadId(row[0]): AccountId(row[1]) for row in self.rows(_ACCOUNTS, (id_list(ids),))}

    message = reads(load_message)

    def bulk_senders(self, since: datetime) -> tuple[BulkSender, ...]:
        return tuple(
            BulkSender(
                MessageId(row["id"]),
                ThreadId(row["thread_id"]),
                AccountId(row["account_id"]),
                Address(row["sender_email"], row["sender_name"]),
                row["messages"],
                row["read"],
                from_ms(row["last"]),
                tuple(map(ThreadId, json.loads(row["in_inbox"]))),
            )
            for row in self.rows(_BULK, (to_ms(since),))
        )

    def last_of_sender(self, account_id: AccountId, email: str, most: int) -> tuple[tuple[ThreadId, MessageId], ...]:
        wanted = {"account": account_id, "email": email.lower(), "most": most}
        return tuple((ThreadId(row[0]), MessageId(row[1])) for row in self.rows(_LAST_OF_SENDER, wanted))

    def sender_habit(self, account_id: AccountId, email: str) -> SenderHabit:
        with self.reading() as connection:
            wanted = {"account": account_id, "email": email.lower()}
            archived = [row[0] for row in connection.execute(_ARCHIVED, wanted)]
            label = connection.execute(_USUAL_LABEL, wanted).fetchone()
        return SenderHabit(archived.index(0) if 0 in archived else len(archived), label[0] if label else "")

    def verdict_reason(self, message_id: MessageId) -> str:
        return next((str(row[0]) for row in self.rows("SELECT reason FROM messages WHERE id = ?", (message_id,))), "")

    labels = reads(load_labels)

    def label_names(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self.rows(_NAMES, (GMAIL,)))

    file = reads(load_file)

    def set_aside(self, account_id: AccountId) -> tuple[SetAside, ...]:
        return tuple(SetAside(GmailId(row[0]), row[1], row[2]) for row in self.rows(_SET_ASIDE, (account_id,)))

    def unchecked(self) -> dict[AccountId, int]:
        return {AccountId(row[0]): row[1] for row in self.rows(_UNCHECKED)}

    contact_card = reads(load_card)

    def _snoozed(self, limit: int, skip: int) -> "array[int]":
        """Snoozed threads, the next to return first."""
        return array("q", (row[0] for row in self.rows(_SNOOZED, (limit, skip))))

    def draft_names(self) -> tuple[LetterId | MessageId, ...]:
        found: list[tuple[int, LetterId | MessageId]] = [(row[1], LetterId(row[0])) for row in self.rows(_LETTERS)]
        found += [(row[1], MessageId(row[0])) for row in self.rows(_ELSEWHERE)]
        return tuple(name for _at, name in sorted(found, key=itemgetter(0), reverse=True))

    def letters_of(self, ids: Iterable[LetterId]) -> dict[LetterId, StoredLetter]:
        found = self.load(load_letters, "id IN (SELECT value FROM json_each(?))", (id_list(ids),))
        return {one.letter.id: one for one in found}

    messages_of = reads(load_messages)
    letter = reads(load_letter)

    def letter_picture(self, letter_id: LetterId, name: str) -> bytes:
        sql = "SELECT data FROM letter_files WHERE letter_id = ? AND name = ? AND inline AND data IS NOT NULL"
        return next((bytes(row[0]) for row in self.rows(sql, (letter_id, name))), b"")

    def letter_of_draft(self, message_id: MessageId) -> LetterId | None:
        return next((LetterId(row[0]) for row in self.rows(_LETTER_OF, (message_id,))), None)

    people = reads(found_people)
    known_emails = reads(known_emails)
    templates = reads(load_templates)
    waiting = reads(load_waiting)

    def counts(self) -> MailboxCounts:
        return MailboxCounts(*self.rows(_COUNTS)[0])

    review_ids = reads(load_review_ids)
    section_sizes = reads(load_section_sizes)
    review_rows = reads(load_review_rows)
    review = reads(load_review)
    drafted_reply = reads(load_drafted_reply)

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        ids = self.outbox_ids(limit)
        found = self.outbox_of(ids)
        return tuple(found[key] for key in ids if key in found)

    def outbox_ids(self, limit: int = 500, changes: bool = False) -> tuple[OutboxId, ...]:
        sql = _NEWEST.replace("WANTED", _CHANGES if changes else _OUTGOING)
        return tuple(OutboxId(row[0]) for row in self.rows(sql, (limit, limit)))

    def change_key(self, outbox_id: OutboxId) -> str:
        return next((str(row[0]) for row in self.rows(_CHANGE_KEY, (outbox_id,))), "")

    def outbox_mail(self, outbox_id: OutboxId) -> OutboxMail:
        found = (outbox_mail(mime) for kind, mime in self.rows(_TEXT, (outbox_id,)) if kind in _MAIL_KINDS)
        return next(found, OutboxMail())

    def outbox_of(self, ids: Sequence[int]) -> dict[int, OutboxRow]:
        rows = self.rows(_ROWS, (id_list(ids),))
        return {row["id"]: OutboxRow(item_of(row, b""), from_ms(row["approved"])) for row in rows}

    def open_items(self) -> tuple[OutboxItem, ...]:
        return tuple(item_of(row, b"") for row in self.rows(_OPEN))

    runs = reads(load_runs)
    run = reads(load_run)
    trace = reads(load_trace)
    sent_by_day = reads(load_sent_by_day)
    sent_calls = reads(load_sent_calls)
    preferences = reads(load_preferences)

    def archive_lessons(self) -> tuple[ArchiveLesson, ...]:
        rows = self.rows("SELECT account_id, examples, answered, at FROM owner_models ORDER BY account_id")
        return tuple(ArchiveLesson(AccountId(row[0]), row[1], row[2], from_ms(row[3])) for row in rows)

    preference_ids = reads(load_preference_ids)
    preferences_of = reads(load_some_preferences)
    request_ids = reads(load_request_ids)
    requests_of = reads(load_requests)
    request = reads(load_request)

    def spent_on(self, request: Request) -> tuple[int, int, float]:
        last_ms = to_ms(request.updated_at) + LATE_MS if request.status in RESTING else FOREVER_MS
        (row,) = self.rows(_SPENT, (to_ms(request.created_at), last_ms, request.run_id))
        return row[0], row[1], float(row[2])

    def document(self, handle: ArtifactHandle) -> Path | None:
        with suppress(NotFound):
            return ArtifactFolder(DataFolder(self._path.parent).artifacts).copy_out(handle)
        return None

    def days_of_work(self, since: datetime) -> tuple[DailyWork, ...]:
        return self.load(load_days, to_ms(since))
