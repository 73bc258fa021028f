"""One account's messages and threads with their history, without HTTP or JSON.

Raw mail is stored in one file, so that a hundred thousand messages take little memory. Stored mail is never changed. Also the
threading rules: own mail joins a thread by thread id, headers and subject, arriving mail by its headers.
"""

import hashlib
import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO

from app.domain.record import Record
from app.sandbox.clock import Clock
from app.sandbox.gmail.headers import Facts, addresses_in, base_subject, facts_of, is_reply_subject
from app.sandbox.gmail.history import History
from app.sandbox.gmail.labels import LabelBook
from app.sandbox.google_api.errors import invalid_argument, not_found


class Slice(Record):
    """Position of a mail in the spool, in bytes."""

    at: int
    size: int


class Spool:
    """Appends mails to an open file and reads them back. The caller owns the file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._end = 0

    def append(self, raw: bytes) -> Slice:
        self._file.seek(self._end)
        self._file.write(raw)
        place = Slice(self._end, len(raw))
        self._end += len(raw)
        return place

    def read(self, place: Slice) -> bytes:
        self._file.seek(place.at)
        return self._file.read(place.size)


Key = tuple[int, str]


@dataclass(slots=True)
class StoredMessage:
    """A stored message. Times are in milliseconds or seconds since 1970, sizes in bytes."""

    id: str
    thread_id: str
    labels: frozenset[str]
    history_id: int
    internal_ms: int
    place: Slice
    facts: Facts
    written_s: float

    @property
    def key(self) -> Key:
        """Sort key of the newest-first order."""
        return (self.internal_ms, self.id)


class MailboxStore:
    """Stored messages of one account. Ids and tokens derive from `seed`, so runs can be repeated."""

    def __init__(self, clock: Clock, spool: Spool, seed: str) -> None:
        self.clock = clock
        self.history = History(clock)
        self.labels = LabelBook()
        self._spool, self._seed = spool, seed
        self._rows: dict[str, StoredMessage] = {}
        self._threads: dict[str, list[str]] = {}
        self._by_message_id: dict[str, list[str]] = {}
        self._order: list[Key] = []
        self._token_count = self._last_number = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def thread_count(self) -> int:
        return len(self._threads)

    def add(self, raw: bytes, facts: Facts, labels: Iterable[str], internal_ms: int, thread_id: str | None) -> StoredMessage:
        """Stores a message; without a thread id it starts a thread."""
        message_id = self._new_id(internal_ms)
        row = StoredMessage(
            id=message_id,
            thread_id=thread_id or message_id,
            labels=frozenset(labels),
            history_id=self.history.next_id(),
            internal_ms=internal_ms,
            place=self._spool.append(raw),
            facts=facts,
            written_s=self.clock.now_s(),
        )
        self._rows[row.id] = row
        self._threads.setdefault(row.thread_id, []).append(row.id)
        self._by_message_id.setdefault(facts.message_id, []).append(row.id)
        insort(self._order, row.key)
        self.history.record(row.history_id, "messageAdded", (row.id, row.thread_id, row.labels))
        return row

    def remove(self, row: StoredMessage) -> None:
        """Deletes a message permanently."""
        del self._rows[row.id]
        members = self._threads[row.thread_id]
        members.remove(row.id)
        if not members:
            del self._threads[row.thread_id]
        self._by_message_id[row.facts.message_id].remove(row.id)
        del self._order[bisect_left(self._order, row.key)]
        self.history.record(self.history.next_id(), "messageDeleted", (row.id, row.thread_id, row.labels))

    def relabel(self, row: StoredMessage, add: Iterable[str], remove: Iterable[str]) -> None:
        """Changes labels. Records no history if nothing changed."""
        added = tuple(sorted(set(add) - row.labels))
        removed = tuple(sorted((set(remove) & row.labels) - set(added)))
        for kind, delta in (("labelAdded", added), ("labelRemoved", removed)):
            if delta:
                row.labels = row.labels | set(delta) if kind == "labelAdded" else row.labels - set(delta)
                row.history_id = self.history.next_id()
                self.history.record(row.history_id, kind, (row.id, row.thread_id, row.labels), delta)

    def find(self, message_id: str) -> StoredMessage | None:
        return self._rows.get(message_id)

    def get(self, message_id: str) -> StoredMessage:
        """The message. Raises `ApiError` 404."""
        if message_id not in self._rows:
            raise not_found()
        return self._rows[message_id]

    def thread(self, thread_id: str) -> list[StoredMessage]:
        """Messages of a thread, oldest first; empty if there is none."""
        rows = [self._rows[message_id] for message_id in self._threads.get(thread_id, ())]
        return sorted(rows, key=lambda row: row.key)

    def with_message_id(self, message_id: str) -> list[StoredMessage]:
        """Messages with this RFC 5322 Message-ID (including angle brackets)."""
        return [self._rows[found] for found in self._by_message_id.get(message_id, ())] if message_id else []

    def newest_first(self, before: Key | None = None) -> Iterator[StoredMessage]:
        """Messages by internal date, newest first, starting below `before`."""
        at = len(self._order) if before is None else bisect_left(self._order, before)
        for index in range(at - 1, -1, -1):
            yield self._rows[self._order[index][1]]

    def raw(self, row: StoredMessage) -> bytes:
        return self._spool.read(row.place)

    def random_token(self, purpose: str, length: int) -> str:
        """Hexadecimal digits that are the same in every run with the same order of events."""
        self._token_count += 1
        return hashlib.sha256(f"{self._seed}/{purpose}/{self._token_count}".encode()).hexdigest()[:length]

    def _new_id(self, internal_ms: int) -> str:
        """A new id, which grows with time.

        Of two messages in one millisecond the later gets the higher id, so that lists have a stable order.
        """
        while True:
            number = (max(internal_ms, 1) << 20) | int(self.random_token("message", 4), 16)
            if number >> 20 == self._last_number >> 20:
                number = max(number, self._last_number + 1)
            self._last_number = number
            message_id = f"{number & 0xFFFFFFFFFFFFFFFF:016x}"
            if message_id not in self._rows and message_id not in self._threads:
                return message_id


RECENT = 400
RECENT_MS = 30 * 86_400_000


def thread_for_own(mailbox: MailboxStore, facts: Facts, wanted: str | None) -> str | None:
    """Thread of a sent, drafted or inserted message; None for a new thread. Raises `ApiError` for a bad thread id."""
    if not wanted:
        return None
    if not re.fullmatch(r"[0-9a-f]{1,16}", wanted):
        raise invalid_argument("Invalid thread_id value")
    members = mailbox.thread(wanted)
    if not members:
        raise not_found()
    named = set(facts.references) | set(facts.in_reply_to)
    replied = any(row.facts.message_id in named for row in members)
    return wanted if replied and _same_subject(members, facts) else None


def thread_for_arrival(mailbox: MailboxStore, facts: Facts, internal_ms: int) -> str | None:
    """Thread of an arriving message; None for a new thread.

    It is found by References and In-Reply-To with the same subject. A reply without both headers joins the newest thread with
    that subject and its sender in it.
    """
    named = [*facts.in_reply_to, *reversed(facts.references)]
    for message_id in named:
        for row in mailbox.with_message_id(message_id):
            if _same_subject(mailbox.thread(row.thread_id), facts):
                return row.thread_id
    subject, senders = base_subject(facts.subject), set(addresses_in(facts.sender))
    if named or not subject or not is_reply_subject(facts.subject):
        return None
    for row in islice(mailbox.newest_first((internal_ms, "~")), RECENT):
        if row.internal_ms < internal_ms - RECENT_MS:
            break
        found = row.facts
        if base_subject(found.subject) == subject and senders & set(addresses_in(found.sender, found.to, found.cc)):
            return row.thread_id
    return None


def _same_subject(members: list[StoredMessage], facts: Facts) -> bool:
    return base_subject(members[0].facts.subject) == base_subject(facts.subject)


class DraftStore:
    """The drafts of a mailbox: the id of each with that of its message, which is another after every change."""

    def __init__(self, mailbox: MailboxStore) -> None:
        self._mailbox = mailbox
        self._messages: dict[str, str] = {}

    def create(self, raw: bytes, thread_id: str | None) -> tuple[str, StoredMessage]:
        """Creates a draft and returns its id and message. Raises `ApiError` for a bad thread id."""
        row = self._store(raw, thread_for_own(self._mailbox, facts_of(raw), thread_id))
        return self.adopt(row), row

    def get(self, draft_id: str) -> StoredMessage:
        """The message of a draft. Raises `ApiError` 404."""
        return self._mailbox.get(self._messages.get(draft_id, ""))

    def update(self, draft_id: str, raw: bytes, thread_id: str | None) -> StoredMessage:
        """Replaces the message by one with a new id.

        Without a thread id the draft leaves a thread that it shares with other mail.
        """
        old = self.get(draft_id)
        thread = thread_for_own(self._mailbox, facts_of(raw), thread_id)
        alone = len(self._mailbox.thread(old.thread_id)) == 1
        return self.replace(draft_id, raw, thread or (old.thread_id if alone else None))

    def replace(self, draft_id: str, raw: bytes, thread_id: str | None) -> StoredMessage:
        """Replaces the message by one in exactly this thread. Raises `ApiError` 404."""
        old = self.get(draft_id)
        row = self._store(raw, thread_id)
        self._mailbox.remove(old)
        self._messages[draft_id] = row.id
        return row

    def adopt(self, row: StoredMessage) -> str:
        """Makes a stored message a draft and returns the draft's id."""
        draft_id = "r" + str(int(self._mailbox.random_token("draft", 15), 16) + 10**17)
        self._messages[draft_id] = row.id
        return draft_id

    def delete(self, draft_id: str) -> None:
        """Deletes a draft and its message permanently. Raises `ApiError` 404."""
        self.erase(self.get(draft_id))

    def erase(self, row: StoredMessage) -> None:
        """Deletes a message permanently, and the draft it belongs to, if any."""
        self._messages = {draft_id: held for draft_id, held in self._messages.items() if held != row.id}
        self._mailbox.remove(row)

    def listed(self) -> list[tuple[str, StoredMessage]]:
        """Every draft, newest message first."""
        held = [(draft_id, self._mailbox.get(message_id)) for draft_id, message_id in self._messages.items()]
        return sorted(held, key=lambda entry: entry[1].key, reverse=True)

    def _store(self, raw: bytes, thread_id: str | None) -> StoredMessage:
        return self._mailbox.add(raw, facts_of(raw), {"DRAFT"}, self._mailbox.clock.now_ms(), thread_id)
