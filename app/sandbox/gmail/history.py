"""A mailbox's history: ids that grow with gaps, pages, filters and expiry."""

from bisect import bisect_right
from collections.abc import Collection

from app.domain.record import Record
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


class MailboxChange(Record):
    """A change of one message. `delta` has the labels added or removed."""

    id: int
    kind: str
    message_id: str
    thread_id: str
    labels: frozenset[str]
    delta: tuple[str, ...]
    moment_s: float


class HistoryFilter(Record):
    """Filter of `history.list`. No kinds means every kind."""

    kinds: Collection[str]
    label: str | None

    def wants(self, change: MailboxChange) -> bool:
        if self.kinds and change.kind not in self.kinds:
            return False
        return self.label is None or self.label in change.labels or self.label in change.delta


class History:
    """The changes of one mailbox, oldest first."""

    def __init__(self, clock: Clock, first_id: int = 100_000) -> None:
        self._clock = clock
        self._changes: list[MailboxChange] = []
        self._ids: list[int] = []
        self._oldest_cursor, self.current = first_id, first_id

    def next_id(self) -> int:
        """A new id, larger than all others and not consecutive."""
        self.current += 3 + (self.current * 7919) % 23
        return self.current

    def record(self, history_id: int, kind: str, message: tuple[str, str, frozenset[str]], delta: tuple[str, ...] = ()) -> None:
        """Adds a change. `message` is (id, thread id, labels after the change)."""
        change = MailboxChange(history_id, kind, *message, delta, self._clock.now_s())
        self._changes.append(change)
        self._ids.append(history_id)

    def expire(self) -> None:
        """Drops all changes so far: older cursors get 404."""
        self._changes.clear()
        self._ids.clear()
        self._oldest_cursor = self.current

    def page(self, start: int, wanted: HistoryFilter, most: int, token: str | None) -> JsonObject:
        """One page of `history.list`.

        Later pages show changes up to the first page's time, while `historyId` is always the current one. Raises `ApiError` 404
        for an expired cursor, 400 for an invalid token.
        """
        after, until = _parse_token(token) if token else (start, self.current)
        at = bisect_right(self._ids, max(start, after))
        self._check_expired(start)
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

    def _check_expired(self, start: int) -> None:
        if start < self._oldest_cursor:
            raise not_found()
        at = bisect_right(self._ids, start)
        if at < len(self._changes) and self._changes[at].moment_s < self._clock.now_s() - WEEK_S:
            raise not_found()


def _parse_token(token: str) -> tuple[int, int]:
    """Last id of the previous page, and the history id at the first page."""
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
