"""The owner's own changes of mail: at once in the mirror, on the server through the outbox, each with a way back.

Also brings snoozed threads back when their time has come. Refuses to change what Gmail keeps to itself.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from app.domain.changes import Change, ChangeLabels, CreateLabel, Snooze, UndoChange
from app.domain.errors import Refused
from app.domain.events import Initiator, OutboxChanged
from app.domain.mail import SystemLabel
from app.engine.announcer import Announcer
from app.engine.bell import Bell
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.label_rows import Changed

log = logging.getLogger(__name__)

IDLE_S = 30.0
"""At most so long between two looks at the clock, which may jump when the machine wakes up."""
_FIXED = frozenset({SystemLabel.SENT, SystemLabel.DRAFT})
"""Gmail refuses to put these on or take them off."""


class Labeller:
    """`queued` wakes whoever carries out the outbox, `rescued` whoever looks at mail that came out of spam or trash."""

    def __init__(
        self,
        tables: Tables,
        threads: StoreThreads,
        announcer: Announcer,
        queued: Callable[[], None],
        rescued: Callable[[], None],
    ) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer
        self._queued = queued
        self._rescued = rescued
        self._bell = Bell()

    async def do(self, change: Change) -> None:
        """Make one change. Raises `NotFound`, `Refused`."""
        match change:
            case ChangeLabels(key, thread_ids, add, remove):
                if _FIXED & {*add, *remove}:
                    raise Refused("Gmail does not let anybody change the labels SENT and DRAFT.")
                changed = await self._threads.run(self._tables.actions.change, key, thread_ids, add, remove)
            case CreateLabel():
                changed = await self._threads.run(self._tables.local_labels.create, change)
            case Snooze(key, thread_ids, until_ms):
                until = datetime.fromtimestamp(until_ms / 1000, UTC)
                changed = await self._threads.run(self._tables.snoozes.put, key, thread_ids, until)
                self._bell.ring()
            case UndoChange(key):
                changed = await self._threads.run(self._tables.actions.undo, key)
        self._tell(changed, Initiator.USER)

    async def run(self) -> None:
        """Bring snoozed threads back for ever."""
        while True:
            woken = await self._threads.run(self._tables.snoozes.wake_due)
            if woken.threads:
                log.info("%d snoozed threads came back", sum(len(own) for own in woken.threads.values()))
            self._tell(woken, Initiator.SYNC)
            due = await self._threads.run(self._tables.snoozes.next_due)
            wait_s = IDLE_S if due is None else max((due - self._tables.clock()).total_seconds(), 0.01)
            await self._bell.wait(min(wait_s, IDLE_S))

    def _tell(self, changed: Changed, initiator: Initiator) -> None:
        for account_id, threads in changed.threads.items():
            self._announcer.mail(account_id, threads, initiator)
        if changed.outbox_ids:
            self._announcer.tell(OutboxChanged(changed.outbox_ids))
            self._queued()
        if changed.rescued_ids:
            self._rescued()
