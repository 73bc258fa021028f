"""One account's messages, threads and labels, with the history of their changes. It knows nothing of HTTP or Google's JSON."""

import hashlib
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.sandbox.clock import Clock
from app.sandbox.errors import not_found
from app.sandbox.headers import Facts
from app.sandbox.history import History
from app.sandbox.labels import LabelBook
from app.sandbox.spool import Slice, Spool

Key = tuple[int, str]


@dataclass(slots=True)
class Row:
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


class Mailbox:
    """Stored messages of one account."""

    def __init__(self, clock: Clock, spool: Spool, seed: str) -> None:
        self.clock = clock
        self.history = History(clock)
        self.labels = LabelBook()
        self._spool = spool
        self._seed = seed
        self._rows: dict[str, Row] = {}
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

    def add(self, raw: bytes, facts: Facts, labels: Iterable[str], internal_ms: int, thread_id: str | None) -> Row:
        """Store a message; without a thread it begins its own."""
        message_id = self._new_id(internal_ms)
        row = Row(
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

    def remove(self, row: Row) -> None:
        """Delete a message for good."""
        del self._rows[row.id]
        members = self._threads[row.thread_id]
        members.remove(row.id)
        if not members:
            del self._threads[row.thread_id]
        self._by_message_id[row.facts.message_id].remove(row.id)
        del self._order[bisect_left(self._order, row.key)]
        self.history.record(self.history.next_id(), "messageDeleted", (row.id, row.thread_id, row.labels))

    def relabel(self, row: Row, add: Iterable[str], remove: Iterable[str]) -> bool:
        """Change labels; False, and no history, when nothing changed."""
        added = tuple(sorted(set(add) - row.labels))
        removed = tuple(sorted((set(remove) & row.labels) - set(added)))
        for kind, delta in (("labelAdded", added), ("labelRemoved", removed)):
            if delta:
                row.labels = row.labels | set(delta) if kind == "labelAdded" else row.labels - set(delta)
                row.history_id = self.history.next_id()
                self.history.record(row.history_id, kind, (row.id, row.thread_id, row.labels), delta)
        return bool(added or removed)

    def find(self, message_id: str) -> Row | None:
        """The message, or None."""
        return self._rows.get(message_id)

    def get(self, message_id: str) -> Row:
        """The message. Raises ApiError 404."""
        row = self._rows.get(message_id)
        if row is None:
            raise not_found()
        return row

    def thread(self, thread_id: str) -> list[Row]:
        """The messages of a thread, oldest first; empty when there is none."""
        rows = [self._rows[message_id] for message_id in self._threads.get(thread_id, ())]
        return sorted(rows, key=lambda row: row.key)

    def with_message_id(self, message_id: str) -> list[Row]:
        """Messages carrying this RFC 5322 Message-ID (with its angle brackets)."""
        return [self._rows[found] for found in self._by_message_id.get(message_id, ())] if message_id else []

    def newest_first(self, before: Key | None = None) -> Iterator[Row]:
        """Messages by internal date, newest first, from just below a key."""
        at = len(self._order) if before is None else bisect_left(self._order, before)
        for index in range(at - 1, -1, -1):
            yield self._rows[self._order[index][1]]

    def raw(self, row: Row) -> bytes:
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
