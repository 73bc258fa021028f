"""Writing the outbox's states, and what the sender remembers only while it lives: fresh drafts, doubts, failed look-ups."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from app.domain.errors import NotNow, PermissionMissing, RejectedByServer
from app.domain.events import OutboxChanged
from app.domain.ids import AccountId, GmailDraftId, GmailId, OutboxId
from app.domain.outbox import HoldReason, OutboxItem, OutboxState
from app.engine.announcer import Announcer
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables

SWEEP = "sweep"
A_WHILE = timedelta(minutes=10)
SWEEP_AFTER_S = (0.0, 90.0)
"""When drafts left behind are looked for: at once, and after a lost request had time to arrive."""


MOST_NOT_NOW = 4
"""So often a server may say "not now" before the user is asked."""


class Sweep(msgspec.Struct, frozen=True):
    """A sweep job's payload: delete the account's drafts with `marker`, other than `keep`."""

    account_id: int
    marker: str
    keep: str


class Steps:
    """One sender's hand on the outbox. After a restart nothing is fresh and every look-up starts over: the careful side."""

    def __init__(self, tables: Tables, threads: StoreThreads, announcer: Announcer, swept: Callable[[], None]) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer
        self._swept = swept
        self._fresh: set[OutboxId] = set()
        self._doubts: set[OutboxId] = set()
        self._misses: Counter[OutboxId] = Counter()
        self._not_now: Counter[OutboxId] = Counter()

    async def move(
        self,
        item: OutboxItem,
        new: OutboxState,
        *,
        reason: str = "",
        draft_id: GmailDraftId | None = None,
        sent_gmail_id: GmailId | None = None,
    ) -> OutboxItem:
        """Write a step and tell the window. Raises `Refused` when somebody else moved the item."""
        moved = await self._threads.run(
            self._tables.outbox.move,
            item.id,
            item.state,
            new,
            reason=reason,
            draft_id=draft_id,
            sent_gmail_id=sent_gmail_id,
        )
        self._misses.pop(item.id, None)
        self._announcer.tell(OutboxChanged((item.id,)))
        return moved

    async def hold(self, item: OutboxItem, reason: HoldReason) -> OutboxItem:
        """The user has to look at it."""
        return await self.move(item, OutboxState.HELD, reason=reason)

    def passes(self, item: OutboxItem, error: RejectedByServer | PermissionMissing) -> bool:
        """Whether the refusal is one that passes and came a few times at most; counts it."""
        self._not_now[item.id] += isinstance(error, NotNow)
        return isinstance(error, NotNow) and self._not_now[item.id] < MOST_NOT_NOW

    def doubt(self, item: OutboxItem) -> None:
        """A request of this item got no answer: a draft may appear late."""
        self._doubts.add(item.id)

    def missed(self, item: OutboxItem) -> int:
        """Count a look-up in vain; how many there were in this state."""
        self._misses[item.id] += 1
        return self._misses[item.id]

    def old(self, item: OutboxItem) -> bool:
        """Whether it was approved longer ago than a send takes."""
        return self._tables.clock() - item.created_at > A_WHILE

    def now(self) -> datetime:
        """The clock that rows are stamped with."""
        return self._tables.clock()

    async def was_held(self, item: OutboxItem, reason: HoldReason) -> bool:
        """Whether it was held for this reason before: then the user has seen it, and wants it all the same."""
        steps = await self._threads.run(self._tables.outbox.steps, item.id)
        return any(one.reason == reason for one in steps)

    def fresh(self, item: OutboxItem) -> None:
        """The draft was made a moment ago, after its thread was read."""
        self._fresh.add(item.id)

    def take_fresh(self, item: OutboxItem) -> bool:
        """Whether it was, this once."""
        try:
            self._fresh.remove(item.id)
        except KeyError:
            return False
        return True

    async def sweep(self, item: OutboxItem) -> None:
        """Queue the search for drafts that this item may have left behind."""
        late = SWEEP_AFTER_S if item.id in self._doubts else SWEEP_AFTER_S[:1]
        self._doubts.discard(item.id)
        keep = item.draft_id if item.state is OutboxState.SENT else GmailDraftId("")
        for number, after_s in enumerate(late):
            due = self._tables.clock() + timedelta(seconds=after_s)
            await self.put_sweep(item.account_id, item.marker, keep, f"{item.marker}#{number}", due)

    async def put_sweep(self, account_id: AccountId, marker: str, keep: GmailDraftId, key: str, due: datetime) -> None:
        """Queue one sweep."""
        payload = msgspec.json.encode(Sweep(account_id, marker, keep)).decode()
        await self._threads.run(self._tables.jobs.put, SWEEP, key, payload, due)
        self._swept()


def hold_reason(error: RejectedByServer | PermissionMissing) -> HoldReason:
    """Why an item that the server refused is held."""
    return HoldReason.PERMISSION_MISSING if isinstance(error, PermissionMissing) else HoldReason.REJECTED_BY_SERVER
