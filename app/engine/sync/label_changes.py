"""The user's label changes, snoozes and mutes: stored at once, sent to the server through the outbox, and reversible.

Also brings back snoozed conversations, and sent mail that nobody answered by the time the owner chose.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import get_args

from app.domain.agents.routing import Routed
from app.domain.errors import NotAllowed
from app.domain.mail.message import Message, SystemLabel
from app.domain.protocol.changes import ApplyRule, Change, ChangeLabels, CreateLabel, Mute, Snooze, UndoChange, Unmute
from app.domain.protocol.events import ErrorReported, Initiator
from app.domain.protocol.letter_commands import WaitingChanged
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.mail.label_rows import LabelChangeResult

log = logging.getLogger(__name__)

IDLE_S = 30.0
"""Longest wait between two looks at the clock, which may jump when the machine wakes up."""
_FIXED = frozenset({SystemLabel.SENT, SystemLabel.DRAFT})
"""Labels that Gmail does not let anyone add or remove."""


class LabelService:
    """Changes labels, snoozes and mutes. `sender` wakes the sender, `rescued` is called when mail came out of spam or trash."""

    commands = get_args(Change)

    def __init__(self, tables: Tables, announcer: EventBus, sender: WakeUp, rescued: Callable[[], None]) -> None:
        self._tables, self._announcer, self._sender, self._rescued = tables, announcer, sender, rescued
        self._wake_up = WakeUp()

    async def do(self, change: Change) -> None:
        """Makes one change. Raises `NotFound` or `NotAllowed`."""
        match change:
            case ChangeLabels(key, thread_ids, add, remove):
                if _FIXED & {*add, *remove}:
                    raise NotAllowed("Gmail does not let anybody change the labels SENT and DRAFT.")
                changed = await self._tables.run(self._tables.actions.change, key, thread_ids, add, remove)
            case ApplyRule(key, message_ids, label, actions):
                changed = await self._tables.run(self._tables.actions.apply_to, key, message_ids, label, actions)
            case CreateLabel():
                changed = await self._tables.run(self._tables.local_labels.create, change)
            case Snooze(key, thread_ids, until_ms):
                until = datetime.fromtimestamp(until_ms / 1000, UTC)
                changed = await self._tables.run(self._tables.snoozes.put, key, thread_ids, until)
                self._wake_up.ring()
            case Mute(key, thread_ids):
                changed = await self._tables.run(self._tables.muted.put, key, thread_ids)
            case Unmute(thread_ids):
                changed = await self._tables.run(self._tables.muted.remove, thread_ids)
            case UndoChange(key):
                changed = await self._tables.run(self._tables.actions.undo, key)
        self._tell(changed, Initiator.USER)

    async def apply_rule(self, message: Message, routed: Routed) -> None:
        """Does to a message what the rule that matched it says."""
        try:
            changed = await self._tables.run(self._tables.actions.apply_rule, message, routed)
        except NotAllowed as error:
            log.warning("the rule %s cannot change message %d: %s", routed.rule, message.id, error)
            self._announcer.tell(ErrorReported.of(error))
            return
        self._tell(changed, Initiator.AGENT)

    async def run(self) -> None:
        """Brings snoozed conversations back, and those without a reply, until cancelled."""
        while True:
            woken = await self._tables.run(self._tables.snoozes.wake_due)
            if woken.threads:
                log.info("%d snoozed threads came back", sum(len(own) for own in woken.threads.values()))
            self._tell(woken, Initiator.SYNC)
            unanswered = await self._tables.run(self._tables.waiting.return_due)
            self._tell(unanswered, Initiator.SYNC)
            if unanswered.threads:
                self._announcer.tell(WaitingChanged())
            due = await self._tables.run(self._tables.snoozes.next_due)
            wait_s = IDLE_S if due is None else max((due - self._tables.clock()).total_seconds(), 0.01)
            await self._wake_up.wait(min(wait_s, IDLE_S))

    def _tell(self, changed: LabelChangeResult, initiator: Initiator) -> None:
        if self._announcer.labels(changed, initiator):
            self._sender.ring()
        if changed.rescued_ids:
            self._rescued()
