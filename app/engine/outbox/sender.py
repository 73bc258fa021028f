"""The sender leases due outbox items and carries each out as far as possible.

While offline, items stay and are retried with growing pauses.
"""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import msgspec

from app.domain.errors import ExpectedError, QuotaReached
from app.domain.ids import AccountId, GmailDraftId, OutboxId
from app.domain.mail.outbox import RESTING, HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.events import OutboxChanged
from app.engine.accounts.connections import Connections, GoogleServices
from app.engine.outbox.calendar_sender import InvitationSender, MeetingSender
from app.engine.outbox.label_sender import LabelSender, queue_read_marks
from app.engine.outbox.mail_sender import MailSender, RetryLater, delete_others
from app.engine.outbox.outbox_writer import SWEEP, DraftSweep, OutboxWriter
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet, WakeUp, doubled_s
from app.store.db.jobs import Job
from app.store.outbox import ReachableAccounts

log = logging.getLogger(__name__)

AT_ONCE = 3
LEASE_S = 6 * 3600.0
"""Longer than any step takes. The folder's lock ensures that there is one sender, and a start releases the leases of a dead
engine."""
UNCONNECTED_S = 3.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
IDLE_S = 30.0
SWEEP_ATTEMPTS = 5


Performer = MailSender | LabelSender | MeetingSender | InvitationSender


class Sender:
    """Runs until cancelled. `sent` is called after something changed on the server."""

    def __init__(
        self, tables: Tables, announcer: EventBus, connections: Connections, sent: Callable[[], None], services: GoogleServices
    ) -> None:
        self._tables, self._announcer = tables, announcer
        self._connections, self._sent, self._services = connections, sent, services
        self.wake_up = WakeUp()
        self.steps = OutboxWriter(tables, announcer, self.wake_up)
        self._pauses: Counter[OutboxId] = Counter()
        self._working = TaskSet(self.wake_up.ring)
        self._active_items: set[OutboxId] = set()
        self._ending = False
        connections.listen(self.wake_up.ring)
        services.listen(self.wake_up.ring)

    async def run(self) -> None:
        """Dispatches due items until cancelled."""
        try:
            while True:
                await self.wake_up.wait(await self._begin_due())
        finally:
            await self._working.cancel()

    async def finish(self, within_s: float) -> None:
        """Starts no more items and waits at most `within_s` seconds for the steps under way."""
        self._ending = True
        await self._working.finish(within_s)

    async def _begin_due(self) -> float:
        """Starts what is due. Returns the seconds until there may be more."""
        if self._ending:
            return IDLE_S
        await queue_read_marks(self._tables, self._announcer)
        reach = ReachableAccounts(self._connections.accounts, tuple(self._services.calendars))
        while len(self._working) < AT_ONCE:
            item = await self._tables.run(self._tables.outbox.claim_due, "sender", LEASE_S, reach)
            if item is None:
                break
            if item.id not in self._active_items:  # the lease expired while the machine slept, and a task still works on it
                self._active_items.add(item.id)
                self._working.start(self._process(item))
        sweep = await self._tables.run(self._tables.jobs.claim, SWEEP, LEASE_S)
        if sweep is not None:
            self._working.start(self._sweep(sweep))
        due = await self._tables.run(self._tables.outbox.next_due, reach)
        if due is None or len(self._working) >= AT_ONCE:
            return IDLE_S
        return min(max((due - self._tables.clock()).total_seconds(), 0.01), IDLE_S)

    async def _process(self, item: OutboxItem) -> None:
        """Carries out one leased item until it rests or has to wait."""
        try:
            performer = await self._performer(item)
            while performer is not None and item.state not in RESTING:
                outcome = await performer.advance(item)
                if isinstance(outcome, RetryLater):
                    await self._retry(item, outcome.wait_s)
                    return
                item = outcome
            if performer is not None:
                self._pauses.pop(item.id, None)
                self._sent()
        except ExpectedError as error:
            log.info("outbox %d waits in %s: %s", item.id, item.state, error.code)
            await self._retry(item, error.retry_after_s if isinstance(error, QuotaReached) else None)
        except Exception as error:
            log.exception("outbox %d failed", item.id)
            self._announcer.bug(f"outbox {item.id}", error)
            await self._release(item, LONGEST_PAUSE_S)
        finally:
            self._active_items.discard(item.id)

    async def _performer(self, item: OutboxItem) -> Performer | None:
        """The performer for an item, None if there is none now.

        Then the item is released, or held if its account no longer has a calendar.
        """
        server = self._connections.server(item.account_id)
        if server is None:  # just signed out, or the account is paused, and its calendar with it
            await self._release(item, UNCONNECTED_S)
            return None
        calendar = self._services.calendars.get(item.account_id)
        if item.kind is OutboxKind.CALENDAR and calendar is not None:
            return MeetingSender(calendar, self._services.busy, self.steps)
        if item.kind is OutboxKind.RSVP and calendar is not None:
            return InvitationSender(calendar, self.steps)
        if item.kind in (OutboxKind.CALENDAR, OutboxKind.RSVP) and item.state is not OutboxState.DRAFTING:
            await self.steps.hold(item, HoldReason.NO_CALENDAR)
            return None
        if item.kind is OutboxKind.CALENDAR:
            await self._release(item, UNCONNECTED_S)
            return None
        if item.kind in (OutboxKind.MODIFY, OutboxKind.CREATE_LABEL):
            return LabelSender(server, self.steps, self._tables, self._announcer)
        return MailSender(server, self.steps)

    async def _retry(self, item: OutboxItem, wait_s: float | None) -> None:
        """Releases the item. It is due again after `wait_s`, but not before a pause that doubles each time. A server may ask for
        no wait at all, or lose each answer.
        """
        self._pauses[item.id] += 1
        await self._release(item, max(wait_s or 0.0, doubled_s(FIRST_PAUSE_S, self._pauses[item.id], LONGEST_PAUSE_S)))

    async def _release(self, item: OutboxItem, wait_s: float) -> None:
        """Releases the item and tells the window."""
        retry_at = self._tables.clock() + timedelta(seconds=wait_s)
        await self._tables.run(self._tables.outbox.release, item.id, retry_at)
        self._announcer.tell(OutboxChanged((item.id,)))

    async def _sweep(self, job: Job) -> None:
        """Deletes leftover drafts with the marker of a sent or cancelled item."""
        retry_s: float | None = 30.0 * job.attempts if job.attempts < SWEEP_ATTEMPTS else None
        try:
            sweep = msgspec.json.decode(job.payload, type=DraftSweep)
            server = self._connections.server(AccountId(sweep.account_id))
            if server is not None:
                drafts = [one for one in await server.find_drafts(sweep.marker) if sweep.takes(one)]
                if count := await delete_others(server, drafts, GmailDraftId(sweep.keep)):
                    log.info("deleted %d drafts that lost requests left behind", count)
                    self._sent()
                await self._tables.run(self._tables.jobs.done, job.id)
                return
            retry_s = UNCONNECTED_S
        except ExpectedError as error:
            log.info("sweep %s failed: %s", job.id, error.code)
        except Exception as error:
            log.exception("sweep %s failed", job.id)
            self._announcer.bug("sweep of drafts", error)
        retry_at = None if retry_s is None else self._tables.clock() + timedelta(seconds=retry_s)
        await self._tables.run(self._tables.jobs.fail, job.id, "not swept", retry_at)
