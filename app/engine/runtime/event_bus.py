"""Events to the window. Frequent events are merged and sent at most five times a second; all others are sent at once."""

import asyncio
from collections.abc import Callable, Hashable
from contextlib import suppress

from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, ThreadId
from app.domain.protocol.events import (
    CommandFailed,
    ErrorReported,
    IndexProgress,
    Initiator,
    MailChanged,
    OutboxChanged,
    RunChanged,
    SyncProgress,
    WorkChanged,
    command_failed,
)
from app.domain.record import replace
from app.domain.wire import Event
from app.engine.runtime.tables import Tables
from app.store.accounts import OWNED, owner_of
from app.store.mail.label_rows import LabelChangeResult

FLUSH_S = 0.2
MANY = 200
"""From this number of conversations on, `MailChanged` names none and the window reads its list again."""


MERGED: dict[type[Event], tuple[str, ...]] = {
    MailChanged: ("account_id", "initiator"),
    RunChanged: ("run_id",),
    SyncProgress: ("account_id",),
    OutboxChanged: (),
    WorkChanged: (),
    IndexProgress: (),
}
"""Events of these classes are merged where the fields are equal. All others are sent at once."""


class EventBus:
    """Merges events and passes them to `emit`, which writes to the wire. Use it on the loop's thread."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._listeners: list[Callable[[Event], None]] = []
        self._waiting: dict[Hashable, Event] = {}
        self._timer: asyncio.TimerHandle | None = None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Calls `listener` with every event from now on, before merging."""
        self._listeners.append(listener)

    def unlisten(self, listener: Callable[[Event], None]) -> None:
        self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """Sends an event. Events that can be merged are sent within `FLUSH_S`, others at once, after those that wait."""
        for listener in self._listeners:
            listener(event)
        if type(event) not in MERGED:
            self.flush()
            self._emit(event)
            return
        key = (type(event), *(getattr(event, field) for field in MERGED[type(event)]))
        older = self._waiting.pop(key, None)
        self._waiting[key] = _folded(older, event) if older else event
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_S, self.flush)

    def mail(self, account_id: AccountId, threads: tuple[ThreadId, ...], initiator: Initiator) -> None:
        """Sends `MailChanged`, unless `threads` is empty."""
        if threads:
            self.tell(MailChanged(account_id, threads, initiator))

    def labels(self, changed: LabelChangeResult, initiator: Initiator) -> bool:
        """Reports what a change of labels did. Returns whether the sender has something to do."""
        for account_id, threads in changed.threads.items():
            self.mail(account_id, threads, initiator)
        if changed.outbox_ids:
            self.tell(OutboxChanged(changed.outbox_ids))
        return bool(changed.outbox_ids)

    def bug(self, where: str, error: Exception) -> None:
        """Reports an unexpected error by its class. The log has the rest."""
        self.tell(ErrorReported("bug", ErrorText.of(f"{where}: {type(error).__name__}")))

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, {}
        for event in waiting.values():
            self._emit(event)


def _folded(older: Event, newer: Event) -> Event:
    """Merges two events of the same key."""
    if isinstance(older, MailChanged) and isinstance(newer, MailChanged):
        threads = tuple(dict.fromkeys((*older.thread_ids, *newer.thread_ids)))
        many = not older.thread_ids or not newer.thread_ids or len(threads) >= MANY
        return MailChanged(newer.account_id, () if many else threads, newer.initiator)
    if isinstance(older, OutboxChanged) and isinstance(newer, OutboxChanged):
        return OutboxChanged(tuple(dict.fromkeys((*older.ids, *newer.ids))))
    return newer


async def failed_command(tables: Tables, command: object, error: ExpectedError) -> CommandFailed:
    """The event for a command that failed, with the account it was about, 0 where that is unclear."""
    account_id = error.account_id
    if not account_id:
        with suppress(ExpectedError):  # the file cannot be read; the error of the command explains it
            account_id = await tables.run(_account_of, tables, command)
    return replace(command_failed(command, error.code, error.text), account_id=account_id)


def _account_of(tables: Tables, command: object) -> AccountId:
    owned = getattr(command, "letter", command)
    if account_id := getattr(owned, "account_id", 0):
        return AccountId(account_id)
    for field in OWNED:
        if (named := getattr(command, field, None)) is not None:
            return owner_of(tables.db, field, named if isinstance(named, tuple) else (named,))
    return AccountId(0)
