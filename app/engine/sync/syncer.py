"""The sync loop of one account: polls, fetches what is due, lists more and rests. Handles the server's errors.

Each turn of the loop is one small step, so that new mail never waits for the backfill. A poll stores labels, deletions,
what is to be fetched and the new cursor in one transaction: a new message is on the to-fetch list before the cursor passes it.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from app.domain.error_texts import ErrorText
from app.domain.errors import CursorExpired, ExpectedError, LoginNeeded, RejectedByServer, ServerError
from app.domain.ids import AccountId, HistoryId
from app.domain.ports.gmail import MailServer
from app.domain.protocol.events import ErrorReported, SyncPhase
from app.domain.sync import HistoryChange, Listed, plan_sync
from app.engine.runtime.workers import WakeUp, doubled_s
from app.engine.sync.backfill import RECHECK_PRIORITY, Backfill
from app.engine.sync.fetching import NEW_PRIORITY, Fetcher
from app.engine.sync.listing import NEW, RECENT_PRIORITY, RECENT_STEPS, SyncPace, terms_of
from app.engine.sync.mirror import MailboxMirror
from app.engine.sync.rebuilding import rebuild
from app.engine.sync.status import ConnectionHealth, ProgressMeter
from app.store.mail.sync_page import Applied, SyncPage, ToFetch

log = logging.getLogger(__name__)

LABELS_EVERY_S = 300.0
BUG_PAUSE_S = 30.0
MOST_FAILED_POLLS = 5
"""Failures in a row after which the history counts as lost. Each is five tries."""
RECHECK_AFTER_S = (4.0, 30.0, 120.0, 900.0)
"""When the newest mail is listed again after the first listing, because the server's lists lag behind. The last one repeats."""
FIRST_REBUILD_S, LONGEST_REBUILD_S = 60.0, 900.0
"""Pauses between two rebuilds. One lists the whole mailbox several times."""


class SyncListener(Protocol):
    """Follows what sync does."""

    def fetched(self) -> None:
        """Called after mail came in."""

    def signed_out(self, account_id: AccountId) -> None:
        """Called when the server rejects the account's sign-in."""

    def paged(self, account_id: AccountId, page: SyncPage, applied: Applied) -> None:
        """Called with each page after it was written."""


class Syncer:
    """Syncs one account. `now_s` is monotonic."""

    def __init__(
        self,
        server: MailServer,
        mirror: MailboxMirror,
        pace: SyncPace,
        listener: SyncListener,
        wake_up: WakeUp,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server, self._mirror = server, mirror
        self._announcer = mirror.announcer
        self._pace, self._listener, self._wake_up, self._now_s = pace, listener, wake_up, now_s
        self._fetcher = Fetcher(server, mirror, now_s, self._tell_stubborn)
        self._limits = pace.limits
        self._backfill = Backfill(server, mirror, pace.limits)
        self._meter = ProgressMeter(mirror, mirror.announcer, now_s)
        self._health = ConnectionHealth(mirror.account_id, mirror.announcer)
        self._cursor: HistoryId | None = None
        self._polled_at = float("-inf")
        self._labels_at = float("-inf")
        self._phase: SyncPhase | None = None
        self._recheck_at: float | None = None
        self._rechecks = 0
        self._expired = False
        self._failed_polls = self._rebuilds = 0
        self._rebuild_from = float("-inf")
        self._answered = True
        """Whether the server answered since the last error. A step without a call says nothing about the connection."""
        self.recent_done = False
        """Whether the recent mail and the owner's answers are stored, which is enough to draft from."""

    def retry(self) -> None:
        """Makes messages that could not be fetched, and the names of labels, due now."""
        self._fetcher.retry()
        self._labels_at = float("-inf")

    async def run(self) -> None:
        """Syncs until cancelled."""
        await self._mirror.load()
        self._cursor = (await self._mirror.state()).cursor
        await self._backfill.load()
        while True:
            wait_s = await self._guarded()
            if wait_s > 0 and await self._wake_up.wait(wait_s):
                self._polled_at = float("-inf")

    async def _guarded(self) -> float:
        """Does one step. Returns the seconds to rest, more after an error."""
        try:
            wait_s = await self._advance()
        except CursorExpired:
            self._expired = self._now_s() >= self._rebuild_from
            return 0.0
        except ExpectedError as error:
            self._answered = False
            if isinstance(error, LoginNeeded):
                self._listener.signed_out(self._mirror.account_id)
            return self._health.met(error)
        except Exception as error:
            log.exception("sync of account %d failed", self._mirror.account_id)
            self._announcer.bug("sync", error)
            return BUG_PAUSE_S
        if self._answered:
            self._health.worked()
        return wait_s

    async def _advance(self) -> float:
        """Does the most urgent step. Returns the seconds to rest after it, 0 if there is more to do."""
        if self._cursor is None:
            self._cursor = await self._backfill.begin()
        if self._expired:
            await self._rebuild()
        if self._until_poll_s() <= 0:
            await self._poll(self._cursor)
            return 0.0
        if self._mirror.names_missing:
            await self._list_labels()
        if await self._backfill.follow_limits():
            self._phase = None
        paused = self._limits().older_paused
        if not paused and self._backfill.comes_first():
            return await self._list_on()
        wait_s = await self._fetcher.fetch(self._backfill.progress.finished, RECHECK_PRIORITY if paused else 0)
        listed = self._backfill.progress.step >= RECENT_STEPS
        self.recent_done |= listed and self._fetcher.top_priority < RECENT_PRIORITY
        if wait_s is None:
            older_waits = not self._backfill.progress.finished or await self._mirror.fetch_count() > 0
            return await self._rest_paused() if paused and older_waits else await self._everything_fetched()
        if wait_s == 0:
            self._answered = True
            self._listener.fetched()
            await self._tell_progress()
        return min(wait_s, max(self._until_poll_s(), 0.0))

    async def _rebuild(self) -> None:
        """Rebuilds the local copy from lists, ever less often while the server rejects each new cursor too."""
        log.info("account %d: the history cursor expired, rebuilding from lists", self._mirror.account_id)
        all_listed = self._backfill.progress.finished
        self._cursor = await rebuild(self._server, self._mirror, self._limits(), all_listed=all_listed)
        self._expired, self._rebuilds = False, self._rebuilds + 1
        self._rebuild_from = self._now_s() + doubled_s(FIRST_REBUILD_S, self._rebuilds, LONGEST_REBUILD_S)

    async def _list_on(self) -> float:
        await self._backfill.advance()
        self._answered = True
        await self._tell_progress()
        return 0.0

    async def _tell_progress(self) -> None:
        """Reports progress. After that the end of the fetch is reported again."""
        if await self._meter.tell(self._backfill.progress):
            self._phase = None

    async def _everything_fetched(self) -> float:
        """Nothing on the list is due: lists more, rechecks the newest mail, or rests."""
        if not self._backfill.progress.finished:
            return await self._list_on()
        if self._recheck_at is None:
            self._recheck_at = self._now_s() + RECHECK_AFTER_S[0]
        if self._recheck_at > self._now_s():
            return await self._rest(self._recheck_at)
        await self._backfill.recheck()
        self._rechecks += 1
        self._recheck_at = self._now_s() + RECHECK_AFTER_S[min(self._rechecks, len(RECHECK_AFTER_S) - 1)]
        return 0.0

    async def _poll(self, cursor: HistoryId) -> None:
        """Reads the history, then the labels now and then. A failure of one does not stop the other for ever."""
        self._polled_at = self._now_s()
        try:
            await poll(self._server, self._mirror, cursor, limited=bool(terms_of(self._limits())))
        except ServerError as error:
            self._failed_polls += 1
            if self._failed_polls < MOST_FAILED_POLLS:
                raise
            await self._server.profile()  # raises if more than the history fails
            raise CursorExpired(error.detail) from error
        self._answered, self._failed_polls, self._rebuilds, self._rebuild_from = True, 0, 0, float("-inf")
        self._cursor = (await self._mirror.state()).cursor
        if self._now_s() - self._labels_at >= LABELS_EVERY_S:
            await self._list_labels()

    async def _list_labels(self) -> None:
        self._mirror.names_missing = False
        await self._mirror.apply(SyncPage(labels=await self._server.labels()))
        self._labels_at = self._now_s()

    async def _rest_paused(self) -> float:
        """Rests while the user has paused older mail. Reports the pause once."""
        if self._phase is not SyncPhase.PAUSED:
            self._phase = SyncPhase.PAUSED
            await self._meter.paused(self._backfill.progress)
        return max(self._until_poll_s(), 0.05)

    async def _rest(self, recheck_at: float) -> float:
        """Everything is done: reports that once and returns the seconds until the next poll, recheck or retry."""
        if self._phase is not SyncPhase.CURRENT:
            self._phase = SyncPhase.CURRENT
            await self._mirror.set_phase(SyncPhase.CURRENT)
            await self._meter.done()
        retry_s = self._fetcher.next_due_s()
        due_s = min(self._until_poll_s(), recheck_at - self._now_s())
        return max(due_s if retry_s is None else min(due_s, retry_s), 0.05)

    def _until_poll_s(self) -> float:
        """Seconds until the next poll is due, negative if it is overdue."""
        return self._polled_at + self._pace.poll_s() - self._now_s()

    def _tell_stubborn(self, count: int, code: str) -> None:
        """Reports the first, tenth, hundredth ... message that keeps failing. They stay on the list."""
        log.info("account %d: %d messages keep failing, the last with %s", self._mirror.account_id, count, code)
        if f"{count}".strip("0") == "1":
            text = ErrorText.of(f"messages not fetched after several attempts: {count} ({code})")
            self._announcer.tell(ErrorReported("trouble", text))


OLDER = "changed"
"""Reason of a message that is known only from a change of its labels."""


async def poll(server: MailServer, mirror: MailboxMirror, cursor: HistoryId, *, limited: bool = False) -> bool:
    """Reads the history from `cursor` and stores it. Returns whether anything changed.

    With `limited`, changed messages that are neither stored nor on the to-fetch list are not fetched. Raises `CursorExpired` and
    the errors of the Gmail port.
    """
    changes, newest = await _read(server, cursor)
    if newest == cursor and not changes:
        return False
    plan = plan_sync(changes, mirror.have)
    older = () if limited else plan.fetch_older
    await mirror.apply(
        SyncPage(
            add_labels=plan.add_labels,
            remove_labels=plan.remove_labels,
            delete=plan.delete,
            to_fetch=(*_rows(plan.fetch, NEW, NEW_PRIORITY), *_rows(older, OLDER, 0)),
            fetched=plan.forget,
            cursor=newest,
        )
    )
    return bool(changes)


async def _read(server: MailServer, cursor: HistoryId) -> tuple[list[HistoryChange], HistoryId]:
    """Reads all pages. A page token may expire, so the read starts again once. A second refusal counts as an expired cursor."""
    with suppress(RejectedByServer):
        return await _pages(server, cursor)
    try:
        return await _pages(server, cursor)
    except RejectedByServer as error:
        raise CursorExpired(error.detail) from error


async def _pages(server: MailServer, cursor: HistoryId) -> tuple[list[HistoryChange], HistoryId]:
    """Returns the changes, oldest first, and the next cursor. It is the first page's, since later pages may not contain what came
    after it. Pages may repeat old changes.
    """
    page = await server.history(cursor)
    changes, newest = list(page.changes), max(cursor, page.history_id)
    while page.next_page_token:
        page = await server.history(cursor, page.next_page_token)
        changes += page.changes
    return sorted(changes, key=lambda one: one.number), newest


def _rows(wanted: tuple[Listed, ...], reason: str, priority: int) -> tuple[ToFetch, ...]:
    return tuple(ToFetch(one.gmail_id, one.gmail_thread_id, reason, priority) for one in wanted)
