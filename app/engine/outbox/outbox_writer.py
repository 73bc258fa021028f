"""Writes the states of outbox items and keeps what the sender needs only in memory: doubts, failed look-ups."""

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from app.domain.errors import NotAllowed, PermissionMissing, RejectedByServer, TemporarilyRejected
from app.domain.ids import GmailDraftId, GmailId, OutboxId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.ports.gmail import ReadDraft
from app.domain.protocol.events import Initiator, OutboxChanged
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.db.times import CHOSEN_FROM
from app.store.mail.label_rows import LabelChangeResult

SWEEP = "sweep"
A_WHILE = timedelta(minutes=10)
LATE_FROM = timedelta(days=1)
"""A mail scheduled for Monday at eight may be wrong when it can only be sent on Wednesday."""
SWEEP_AFTER_S = (0.0, 90.0)
"""When to look for leftover drafts: at once, and after a lost request had time to arrive."""


MOST_NOT_NOW = 4
"""Temporary rejections of the server after which the user is asked."""


class DraftSweep(msgspec.Struct, frozen=True):
    """Payload of a sweep job: which drafts of the account with `marker` to delete.

    All except `keep`, those in `theirs`, and `draft` if its message is not `made` any more, because somebody changed it in Gmail.
    """

    account_id: int
    marker: str
    keep: str
    theirs: tuple[str, ...] = ()
    draft: str = ""
    made: str = ""

    def takes(self, draft: ReadDraft) -> bool:
        changed = draft.draft_id == self.draft and bool(self.made) and draft.message_gmail_id != self.made
        return draft.draft_id not in self.theirs and not changed


class OutboxWriter:
    """Writes outbox items for one sender, whom `wake_up` wakes.

    After a restart every look-up starts over, which is the safe side.
    """

    def __init__(self, tables: Tables, announcer: EventBus, wake_up: WakeUp) -> None:
        self._tables, self._announcer, self._wake_up = tables, announcer, wake_up
        self._doubts: set[OutboxId] = set()
        self._misses: Counter[OutboxId] = Counter()
        self._not_now: Counter[OutboxId] = Counter()

    def wake_sender(self) -> None:
        """Makes the sender look for due items now."""
        self._wake_up.ring()

    async def move(
        self,
        item: OutboxItem,
        new: OutboxState,
        *,
        reason: str = "",
        draft_id: GmailDraftId | None = None,
        draft_message: GmailId | None = None,
        sent_gmail_id: GmailId | None = None,
    ) -> OutboxItem:
        """Writes a state change and reports it. Raises `NotAllowed` when the item is in another state by now."""
        moved = await self._tables.run(
            self._tables.outbox.move,
            item.id,
            item.state,
            new,
            reason=reason,
            draft_id=draft_id,
            draft_message=draft_message,
            sent_gmail_id=sent_gmail_id,
        )
        self._misses.pop(item.id, None)
        self._announcer.tell(OutboxChanged((item.id,)))
        return moved

    async def hold(self, item: OutboxItem, reason: HoldReason) -> OutboxItem:
        """Holds the item for the user and resets its count of temporary rejections. What was archived with it comes back first:
        after a crash between the two, the next attempt holds it.
        """
        self._not_now.pop(item.id, None)
        await self.undo_archive(item.id)
        return await self.move(item, OutboxState.HELD, reason=reason)

    def passes(self, item: OutboxItem, error: RejectedByServer | PermissionMissing) -> bool:
        """Whether the rejection is temporary and came fewer than `MOST_NOT_NOW` times. Counts it."""
        self._not_now[item.id] += isinstance(error, TemporarilyRejected)
        return isinstance(error, TemporarilyRejected) and self._not_now[item.id] < MOST_NOT_NOW

    async def own_address(self, item: OutboxItem) -> str:
        """The main address of its account in lower case."""
        return (await self._tables.run(self._tables.accounts.get, item.account_id)).email.lower()

    async def disown(self, item: OutboxItem, draft_id: GmailDraftId) -> None:
        """Marks a draft as the owner's, who changed it in Gmail."""
        await self._tables.run(self._tables.outbox.disown, item.id, draft_id)

    def doubt(self, item: OutboxItem) -> None:
        """Notes that a request got no answer, so that a draft may appear late."""
        self._doubts.add(item.id)

    def missed(self, item: OutboxItem) -> int:
        """Counts a failed look-up. Returns how many there were in this state."""
        self._misses[item.id] += 1
        return self._misses[item.id]

    def old(self, item: OutboxItem) -> bool:
        """Whether it was approved longer ago than a send takes."""
        return self._tables.clock() - item.created_at > A_WHILE

    def late(self, item: OutboxItem) -> bool:
        """Whether the time that the user chose passed more than `LATE_FROM` ago."""
        chosen = item.not_before - item.created_at > CHOSEN_FROM
        return chosen and self._tables.clock() - item.not_before > LATE_FROM

    def now(self) -> datetime:
        """The current time, UTC, by the store's clock."""
        return self._tables.clock()

    async def was_held(self, item: OutboxItem, reason: HoldReason) -> bool:
        """Whether the item was held for this reason before. Then the user has seen it and sends it anyway."""
        steps = await self._tables.run(self._tables.outbox.steps, item.id)
        return any(one.reason == reason for one in steps)

    async def sweep(self, item: OutboxItem) -> None:
        """Queues the search for drafts that this item may have left behind."""
        late = SWEEP_AFTER_S if item.id in self._doubts else SWEEP_AFTER_S[:1]
        self._doubts.discard(item.id)
        keep = item.draft_id if item.state is OutboxState.SENT else GmailDraftId("")
        for number, after_s in enumerate(late):
            due = self._tables.clock() + timedelta(seconds=after_s)
            await self._put_sweep(item, keep, number, due)

    async def sweep_cancelled(self, item: OutboxItem) -> None:
        """Queues the deletion of the draft that a cancelled item left in Gmail, if any."""
        if item.draft_id:
            await self._put_sweep(item, GmailDraftId(""), "undo", self._tables.clock())

    async def archive(self, outbox_id: OutboxId, thread_id: ThreadId) -> None:
        """Takes the conversation of a reply out of the inbox, under a key that `undo_archive` finds again."""
        key, inbox = f"approved-{outbox_id}", (SystemLabel.INBOX.value,)
        with suppress(NotAllowed):  # the command came a second time
            self._tell(await self._tables.run(self._tables.actions.change, key, (thread_id,), (), inbox))

    async def undo_archive(self, outbox_id: OutboxId) -> None:
        """Brings back what was archived with this item, if anything."""
        with suppress(NotAllowed):
            self._tell(await self._tables.run(self._tables.actions.undo, f"approved-{outbox_id}"))

    def _tell(self, changed: LabelChangeResult) -> None:
        if self._announcer.labels(changed, Initiator.USER):
            self.wake_sender()

    async def _put_sweep(self, item: OutboxItem, keep: GmailDraftId, name: object, due: datetime) -> None:
        sweep = DraftSweep(item.account_id, item.marker, keep, item.theirs, item.draft_id, item.draft_message)
        payload = msgspec.json.encode(sweep).decode()
        await self._tables.run(self._tables.jobs.put, SWEEP, f"{item.marker}#{name}", payload, due)
        self.wake_sender()


def hold_reason(error: RejectedByServer | PermissionMissing) -> HoldReason:
    return HoldReason.PERMISSION_MISSING if isinstance(error, PermissionMissing) else HoldReason.REJECTED_BY_SERVER
