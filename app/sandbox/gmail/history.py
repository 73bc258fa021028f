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
    """A change of one message: its labels after it, and in `delta` the labels added or removed."""

    id: int
    kind: str
    message_id: str
    thread_id: str
    labels: frozenset[str]
    delta: tuple[str, ...]
    moment_s: float

    def shape(self) -> JsonObject:
        """JSON in a history record."""
        message: JsonObject = {"id": self.message_id, "threadId": self.thread_id}
        if self.kind != "messageDeleted":
            message["labelIds"] = sorted(self.labels)
        return {"message": message, "labelIds": list(self.delta)} if self.delta else {"message": message}


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
        self._changes.append(MailboxChange(history_id, kind, *message, delta, self._clock.now_s()))
        self._ids.append(history_id)

    def expire(self) -> None:
        """Drops all changes so far: older cursors get 404."""
        self._changes.clear()
        self._ids.clear()
        self._oldest_cursor = self.current

    def page(self, start: int, kinds: Collection[str], label: str | None, most: int, token: str | None) -> JsonObject:
        """One page of `history.list`, of changes of these kinds (none: all) and with this label.

        Later pages show changes up to the first page's time, while `historyId` is always the current one. Raises `ApiError` 404
        for an expired cursor, 400 for an invalid token.
        """
        if token and (not token.isdecimal() or len(token) != 40):
            raise invalid_argument("Invalid pageToken")
        after, until = (int(token[:20]), int(token[20:])) if token else (start, self.current)
        at = bisect_right(self._ids, start)
        aged = at < len(self._changes) and self._changes[at].moment_s < self._clock.now_s() - WEEK_S
        if start < self._oldest_cursor or aged:
            raise not_found()
        records: dict[int, JsonObject] = {}
        answer: JsonObject = {}
        for change in self._changes[bisect_right(self._ids, max(start, after)) : bisect_right(self._ids, until)]:
            if (kinds and change.kind not in kinds) or (label and label not in {*change.labels, *change.delta}):
                continue
            if change.id not in records and len(records) >= most:
                answer["nextPageToken"] = f"{max(records):020d}{until:020d}"
                break
            brief = {"id": change.message_id, "threadId": change.thread_id}
            record = records.setdefault(change.id, {"id": str(change.id), "messages": [brief]})
            record.setdefault(KEYS[change.kind], []).append(change.shape())
        if records:
            answer["history"] = list(records.values())
        return {**answer, "historyId": str(self.current)}
