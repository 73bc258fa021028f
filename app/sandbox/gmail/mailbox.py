"""One account's messages, threads and labels, with the history of their changes. It knows nothing of HTTP or Google's JSON.

Raw mail in one file, so a hundred thousand messages cost no memory. Nothing stored is ever changed.

Which thread a message joins. Own mail needs the thread id, the headers and the subject; arriving mail goes by headers.
"""

import hashlib
import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from app.sandbox.clock import Clock
from app.sandbox.gmail.headers import Facts, addresses_in, base_subject, is_reply_subject
from app.sandbox.gmail.history import History
from app.sandbox.gmail.labels import LabelBook
from app.sandbox.google_api.errors import invalid_argument, not_found


@dataclass(frozen=True, slots=True)
class Slice:
    """Where one mail lies in the spool, in bytes."""

    at: int
    size: int


class Spool:
    """Appends mails to an open file and reads them back; the file belongs to whoever opened it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._end = 0

    def append(self, raw: bytes) -> Slice:
        """Keep one mail."""
        self._file.seek(self._end)
        self._file.write(raw)
        place = Slice(self._end, len(raw))
        self._end += len(raw)
        return place

    def read(self, place: Slice) -> bytes:
        """One mail as it was given."""
        self._file.seek(place.at)
        return self._file.read(place.size)


Key = tuple[int, str]


@dataclass(slots=True)
class StoredMessage:
    """One stored message. Times in milliseconds or seconds since 1970, sizes in bytes."""

    id: str
    thread_id: str
    labels: frozenset[str]
    history_id: int
    internal_ms: int
    place: Slice
    facts: Facts
    written_s: float
    may_have_files: bool

    @property
    def key(self) -> Key:
        """The place in the newest-first order."""
        return (self.internal_ms, self.id)


class MailboxStore:
    """Stored messages of one account."""

    def __init__(self, clock: Clock, spool: Spool, seed: str) -> None:
        self.clock = clock
        self.history = History(clock)
        self.labels = LabelBook()
        self._spool = spool
        self._seed = seed
        self._rows: dict[str, StoredMessage] = {}
        self._threads: dict[str, list[str]] = {}
        self._by_message_id: dict[str, list[str]] = {}
        self._order: list[Key] = []
        self._made = self._last_number = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def thread_count(self) -> int:
        """How many threads there are."""
        return len(self._threads)

    def add(self, raw: bytes, facts: Facts, labels: Iterable[str], internal_ms: int, thread_id: str | None) -> StoredMessage:
        """Store a message; without a thread it begins its own."""
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
            may_have_files=b"name" in raw.lower(),
        )
        self._rows[row.id] = row
        self._threads.setdefault(row.thread_id, []).append(row.id)
        self._by_message_id.setdefault(facts.message_id, []).append(row.id)
        insort(self._order, row.key)
        self.history.record(row.history_id, "messageAdded", (row.id, row.thread_id, row.labels))
        return row

    def remove(self, row: StoredMessage) -> None:
        """Delete a message for good."""
        del self._rows[row.id]
        members = self._threads[row.thread_id]
        members.remove(row.id)
        if not members:
            del self._threads[row.thread_id]
        self._by_message_id[row.facts.message_id].remove(row.id)
        del self._order[bisect_left(self._order, row.key)]
        self.history.record(self.history.next_id(), "messageDeleted", (row.id, row.thread_id, row.labels))

    def relabel(self, row: StoredMessage, add: Iterable[str], remove: Iterable[str]) -> bool:
        """Change labels; False, and no history, when nothing changed."""
        added = tuple(sorted(set(add) - row.labels))
        removed = tuple(sorted((set(remove) & row.labels) - set(added)))
        for kind, delta in (("labelAdded", added), ("labelRemoved", removed)):
            if delta:
                row.labels = row.labels | set(delta) if kind == "labelAdded" else row.labels - set(delta)
                row.history_id = self.history.next_id()
                self.history.record(row.history_id, kind, (row.id, row.thread_id, row.labels), delta)
        return bool(added or removed)

    def find(self, message_id: str) -> StoredMessage | None:
        """The message, or None."""
        return self._rows.get(message_id)

    def get(self, message_id: str) -> StoredMessage:
        """The message. Raises ApiError 404."""
        row = self._rows.get(message_id)
        if row is None:
            raise not_found()
        return row

    def thread(self, thread_id: str) -> list[StoredMessage]:
        """The messages of a thread, oldest first; empty when there is none."""
        rows = [self._rows[message_id] for message_id in self._threads.get(thread_id, ())]
        return sorted(rows, key=lambda row: row.key)

    def with_message_id(self, message_id: str) -> list[StoredMessage]:
        """Messages carrying this RFC 5322 Message-ID (with its angle brackets)."""
        return [self._rows[found] for found in self._by_message_id.get(message_id, ())] if message_id else []

    def newest_first(self, before: Key | None = None) -> Iterator[StoredMessage]:
        """Messages by internal date, newest first, from just below a key."""
        at = len(self._order) if before is None else bisect_left(self._order, before)
        for index in range(at - 1, -1, -1):
            yield self._rows[self._order[index][1]]

    def raw(self, row: StoredMessage) -> bytes:
        """The message as it was stored."""
        return self._spool.read(row.place)

    def random_token(self, purpose: str, length: int) -> str:
        """Letters and digits that repeat from run to run for the same order of events."""
        self._made += 1
        return hashlib.sha256(f"{self._seed}/{purpose}/{self._made}".encode()).hexdigest()[:length]

    def _new_id(self, internal_ms: int) -> str:
        """Ids go up with time; of two messages of one millisecond the later has the higher one, or lists would show them in any
        order."""
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
    """The thread of a sent, drafted or inserted message, None for a new one. Raises ApiError for a bad thread id."""
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
    """The thread of an arriving message: by References and In-Reply-To with the same subject; a reply whose mail
    program sent neither header joins the newest thread with that subject and its sender in it."""
    named = [*facts.in_reply_to, *reversed(facts.references)]
    for message_id in named:
        for row in mailbox.with_message_id(message_id):
            if _same_subject(mailbox.thread(row.thread_id), facts):
                return row.thread_id
    if named or not is_reply_subject(facts.subject):
        return None
    return _by_subject(mailbox, facts, internal_ms)


def _same_subject(members: list[StoredMessage], facts: Facts) -> bool:
    return base_subject(members[0].facts.subject) == base_subject(facts.subject)


def _by_subject(mailbox: MailboxStore, facts: Facts, internal_ms: int) -> str | None:
    subject, sender = base_subject(facts.subject), set(addresses_in(facts.sender))
    for seen, row in enumerate(mailbox.newest_first((internal_ms, "~"))):
        if seen >= RECENT or row.internal_ms < internal_ms - RECENT_MS:
            return None
        if subject and base_subject(row.facts.subject) == subject:
            people = addresses_in(row.facts.sender, row.facts.to, row.facts.cc)
            if sender & set(people):
                return row.thread_id
    return None
