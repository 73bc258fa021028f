"""Events out: what the user waits for at once, floods folded and at most ten times a second.

Refuses to drop anything that matters: folding keeps the newest state of each thing, and ids are united.
"""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from app.domain.events import (
    Event,
    IndexProgress,
    Initiator,
    MailChanged,
    OutboxChanged,
    RunChanged,
    SyncProgress,
    WorkChanged,
)
from app.domain.ids import AccountId, ThreadId

FLUSH_S = 0.2
MANY = 200
"""From this number of threads on, the window reads its list again anyway."""


@dataclass(slots=True)
class _Folded:
    """The newest event of one key."""

    event: Event


class Announcer:
    """`emit` writes an event to the wire. Call it from the loop's thread."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._listeners: list[Callable[[Event], None]] = []
        self._waiting: dict[Hashable, _Folded] = {}
        self._timer: asyncio.TimerHandle | None = None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with every event that is told from now on, at once."""
        self._listeners.append(listener)

    def unlisten(self, listener: Callable[[Event], None]) -> None:
        """Not any more."""
        self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """Send an event: a progress or change within the next fifth of a second, anything else now."""
        for listener in self._listeners:
            listener(event)
        key = _key(event)
        if key is None:
            self.flush()
            self._emit(event)
            return
        older = self._waiting.pop(key, None)
        self._waiting[key] = _Folded(_folded(older.event, event) if older else event)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_S, self.flush)

    def mail(self, account_id: AccountId, threads: tuple[ThreadId, ...], initiator: Initiator) -> None:
        """Threads changed; nothing is said about none."""
        if threads:
            self.tell(MailChanged(account_id, threads, initiator))

    def flush(self) -> None:
        """Send what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, {}
        for folded in waiting.values():
            self._emit(folded.event)


def _key(event: Event) -> Hashable | None:
    """Events of one key are folded; None for those that are sent at once."""
    match event:
        case MailChanged(account_id=account, initiator=initiator):
            return ("mail", account, initiator)
        case RunChanged(run_id=run):
            return ("run", run)
        case SyncProgress(account_id=account):
            return ("sync", account)
        case OutboxChanged():
            return "outbox"
        case WorkChanged():
            return "work"
        case IndexProgress():
            return "index"
        case _:
            return None


def _folded(older: Event, newer: Event) -> Event:
    """One event for two of the same key."""
    if isinstance(older, MailChanged) and isinstance(newer, MailChanged):
        threads = tuple(dict.fromkeys((*older.thread_ids, *newer.thread_ids)))
        many = not older.thread_ids or not newer.thread_ids or len(threads) >= MANY
        return MailChanged(newer.account_id, () if many else threads, newer.initiator)
    if isinstance(older, OutboxChanged) and isinstance(newer, OutboxChanged):
        return OutboxChanged(tuple(dict.fromkeys((*older.ids, *newer.ids))))
    return newer
