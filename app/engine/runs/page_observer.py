"""Reacts to each page that sync writes: closes reviews that the owner answered elsewhere and deletes vectors of deleted mail."""

import logging
from collections.abc import Awaitable, Callable, Sequence

from app.domain.drafting.review import ReviewStatus
from app.domain.ids import AccountId, GmailId, MessageId, OutboxId, ReviewId
from app.domain.mail.message import SystemLabel
from app.domain.protocol.events import ReviewDecided
from app.engine.runs.run_repository import RunRepository
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet
from app.store.mail.sync_page import Applied, SyncPage

log = logging.getLogger(__name__)

Forget = Callable[[AccountId, Sequence[MessageId]], Awaitable[None]]


class PageObserver:
    """Called with each page. `forget` deletes vectors and is set once they are open. `woken` is called when runs were woken."""

    def __init__(self, tables: Tables, announcer: EventBus, woken: Callable[[], None]) -> None:
        self._tables, self._announcer, self._woken = tables, announcer, woken
        self._rows = RunRepository(tables)
        self._tasks = TaskSet()
        self.forget: Forget | None = None

    def __call__(self, account_id: AccountId, page: SyncPage, applied: Applied) -> None:
        """Starts the work that the page needs."""
        sent = [one.gmail_id for one in page.messages if SystemLabel.SENT in one.labels and SystemLabel.DRAFT not in one.labels]
        if sent and applied.new_ids:
            self._start(self._answered(account_id, sent))
        if applied.gone_ids and self.forget is not None:
            self._start(self.forget(account_id, applied.gone_ids))

    async def close(self) -> None:
        """Waits for the started work."""
        await self._tasks.finish()

    def _start(self, work: Awaitable[None]) -> None:
        async def guarded() -> None:
            try:
                await work
            except Exception:
                log.exception("watching a page failed")

        self._tasks.start(guarded())

    async def _answered(self, account_id: AccountId, sent: Sequence[GmailId]) -> None:
        """Closes older pending reviews in conversations where the owner's own mail arrived."""
        superseded = await self._tables.run(self._supersede, account_id, sent)
        for review_id in superseded:
            self._announcer.tell(ReviewDecided(review_id, ReviewStatus.SUPERSEDED, OutboxId(0), 0))
        if superseded:
            self._woken()

    def _supersede(self, account_id: AccountId, sent: Sequence[GmailId]) -> list[ReviewId]:
        closed: list[ReviewId] = []
        if not self._tables.reviews.pending_count():
            return closed  # always so during a first sync
        for gmail_id in sent:
            message = self._tables.messages.by_gmail_id(account_id, gmail_id)
            if message is None:
                continue
            pending = self._tables.reviews.pending_for_thread(message.thread_id)
            if pending and all(self._tables.reviews.review(one).created_at < message.date for one in pending):
                closed += self._tables.reviews.supersede(message.thread_id)
                self._rows.wake_superseded(message.thread_id)
        return closed
