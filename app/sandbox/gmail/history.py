"""A mailbox's record of changes: ids that grow with gaps, pages, filters and expiry."""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass

from app.sandbox.clock import Clock
from app.sandbox.google_api.errors import invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject

WEEK_S = 7 * 86_400
KEYS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}


@dataclass(frozen=True, slots=True)
class MailboxChange:
    """One change of one message; `delta` are the labels added or removed."""

    id: int
    kind: str
    message_id: str
    thread_id: str
    labels: frozenset[str]
    delta: tuple[str, ...]
    moment_s: float


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """What `history.list` asked for; no kinds means every kind."""

    kinds: Collection[str]
    label: str | None

    def wants(self, change: MailboxChange) -> bool:
        """Whether the change belongs in the answer."""
        if self.kinds and change.kind not in self.kinds:
            return False
        return self.label is None or self.label in change.labels or self.label in change.delta


class History:
    """The changes of one mailbox, oldest first."""

    def __init__(self, clock: Clock, first_id: int = 100_000) -> None:
        self._clock = clock
        self._changes: list[MailboxChange] = []
        self._ids: list[int] = []
        self._floor = first_id
        self.current = first_id

    def next_id(self) -> int:
        """A new id: larger than every other, not the next number."""
        self.current += 3 + (self.current * 7919) % 23
        return self.current

    def record(self, history_id: int, kind: str, message: tuple[str, str, frozenset[str]], delta: tuple[str, ...] = ()) -> None:
        """Note one change; `message` is (id, thread id, labels after the change)."""
        change = MailboxChange(history_id, kind, *message, delta, self._clock.now_s())
        self._changes.append(change)
        self._ids.append(history_id)

    def expire(self) -> None:
        """Forget everything up to now: an older cursor is answered with 404."""
        self._changes.clear()
        self._ids.clear()
        self._floor = self.current

    def page(self, start: int, wanted: HistoryFilter, most: int, token: str | None) -> JsonObject:
        """One page of `history.list`. Its later pages tell what was there at the first one, while the history id is always that
        of now. Raises ApiError 404 for a cursor that has expired, 400 for a token that is none."""
        after, until = _seen(token) if token else (start, self.current)
        at = bisect_right(self._ids, max(start, after))
        self._refuse_expired(start)
        records: dict[int, JsonObject] = {}
        more = False
        for change in self._changes[at : bisect_right(self._ids, until)]:
            if not wanted.wants(change):
                continue
            if change.id not in records and len(records) >= most:
                more = True
                break
            _add(records.setdefault(change.id, {"id": str(change.id), "messages": []}), change)
        answer: JsonObject = {}
        if records:
            answer["history"] = list(records.values())
        if more:
            answer["nextPageToken"] = f"{max(records):020d}{until:020d}"
        answer["historyId"] = str(self.current)
        return answer

    def _refuse_expired(self, start: int) -> None:
        if start < self._floor:
            raise not_found()
        at = bisect_right(self._ids, start)
        if at < len(self._changes) and self._changes[at].moment_s < self._clock.now_s() - WEEK_S:
            raise not_found()


def _seen(token: str) -> tuple[int, int]:
    """How far the page before came, and where the first one ended."""
    if not token.isdecimal() or len(token) != 40:
        raise invalid_argument("Invalid pageToken")
    return int(token[:20]), int(token[20:])


def _add(record: JsonObject, change: MailboxChange) -> None:
    brief: JsonObject = {"id": change.message_id, "threadId": change.thread_id}
    messages = record["messages"]
    assert isinstance(messages, list)
    if brief not in messages:
        messages.append(brief)
    message: JsonObject = {**brief, "labelIds": sorted(change.labels)}
    if change.kind == "messageDeleted":
        message = brief
    entry: JsonObject = {"message": message}
    if change.delta:
        entry["labelIds"] = list(change.delta)
    entries = record.setdefault(KEYS[change.kind], [])
    assert isinstance(entries, list)
    entries.append(entry)
