"""Sync of one account, for ever: poll, fetch what is due, list on, rest; and what to do when the server says no.

One loop does one small thing at a time, so that new mail is never behind the backfill. Refuses to hide trouble: every state of
the connection is told, and progress counts what is really there.
"""

import logging
from collections.abc import Callable

from app.domain.errors import (
    CursorExpired,
    ExpectedError,
    LoginNeeded,
    PermissionMissing,
    QuotaReached,
    RejectedByServer,
)
from app.domain.events import ConnectionState, SyncPhase, Trouble
from app.domain.ids import HistoryId
from app.domain.ports.gmail import MailServer
from app.engine.announcer import Announcer
from app.engine.bell import Bell
from app.engine.sync.backfill import Backfill
from app.engine.sync.fetching import Fetcher
from app.engine.sync.health import Health
from app.engine.sync.mirror import Mirror
from app.engine.sync.polling import poll
from app.engine.sync.progress import ProgressMeter
from app.engine.sync.rebuilding import rebuild
from app.store.pages import SyncPage

log = logging.getLogger(__name__)

LABELS_EVERY_S = 300.0
BUG_PAUSE_S = 30.0
QUOTA_PAUSE_S = 15.0
SIGNED_OUT_PAUSE_S = 300.0
RECHECK_AFTER_S = (4.0, 30.0, 120.0, 900.0)


class Syncer:
    """`poll_s` gives the seconds between polls; `now_s` is monotonic; `fetched` is called after mail came in."""

    def __init__(
        self,
        server: MailServer,
        mirror: Mirror,
        announcer: Announcer,
        bell: Bell,
        poll_s: Callable[[], float],
        now_s: Callable[[], float],
        fetched: Callable[[], None],
    ) -> None:
        self._server = server
        self._mirror = mirror
        self._announcer = announcer
        self._bell = bell
        self._poll_s = poll_s
        self._now_s = now_s
        self._fetched = fetched
        self._fetcher = Fetcher(server, mirror, now_s)
        self._backfill = Backfill(server, mirror)
        self._meter = ProgressMeter(mirror, announcer, now_s)
        self._health = Health(mirror.account_id, announcer)
        self._cursor: HistoryId | None = None
        self._polled_at = float("-inf")
        self._labels_at = float("-inf")
        self._phase: SyncPhase | None = None
        self._recheck_at: float | None = None
        self._rechecks = 0

    @property
    def recent_done(self) -> bool:
        """Whether the recent mail and the owner's answers are mirrored: enough to draft from."""
        return self._backfill.recent_done

    async def run(self) -> None:
        """Sync until cancelled."""
        await self._mirror.load()
        self._cursor = (await self._mirror.state()).cursor
        while True:
            wait_s = await self._guarded()
            if wait_s > 0 and await self._bell.wait(wait_s):
                self._polled_at = float("-inf")

    async def _guarded(self) -> float:
        """One thing done; seconds to rest, after trouble longer."""
        try:
            wait_s = await self._advance()
        except CursorExpired:
            log.info("account %d: the history cursor expired, rebuilding from lists", self._mirror.account_id)
            return await self._rebuilt()
        except QuotaReached as error:
            return self._health.failed(ConnectionState.QUOTA, error, error.retry_after_s or QUOTA_PAUSE_S)
        except LoginNeeded as error:
            return self._health.failed(ConnectionState.LOGIN_NEEDED, error, SIGNED_OUT_PAUSE_S)
        except (PermissionMissing, RejectedByServer) as error:
            self._announcer.tell(Trouble(error.code, error.detail, error.remedy))
            return SIGNED_OUT_PAUSE_S
        except ExpectedError as error:
            return self._health.failed(ConnectionState.OFFLINE, error)
        except Exception as error:
            log.exception("sync of account %d failed", self._mirror.account_id)
            self._announcer.tell(Trouble("bug", f"sync: {type(error).__name__}", "", bug=True))
            return BUG_PAUSE_S
        self._health.worked()
        return wait_s

    async def _rebuilt(self) -> float:
        """The lists instead of the history."""
        try:
            await rebuild(self._server, self._mirror)
        except ExpectedError as error:
            return self._health.failed(ConnectionState.OFFLINE, error)
        self._cursor = (await self._mirror.state()).cursor
        return 0.0

    async def _advance(self) -> float:
        """The most urgent thing; seconds to rest after it (0: there is more)."""
        if self._cursor is None:
            self._cursor = await self._backfill.begin()
        if self._now_s() - self._polled_at >= self._poll_s():
            await self._poll(self._cursor)
            return 0.0
        if await self._fetcher.drain():
            self._fetched()
            await self._meter.tell(self._backfill.progress)
            return 0.0
        if not await self._backfill.advance():
            return 0.0 if await self._rechecked() else await self._rest()
        await self._meter.tell(self._backfill.progress)
        return 0.0

    async def _poll(self, cursor: HistoryId) -> None:
        if self._now_s() - self._labels_at >= LABELS_EVERY_S:
            await self._mirror.apply(SyncPage(labels=await self._server.labels()))
            self._labels_at = self._now_s()
        self._polled_at = self._now_s()
        await poll(self._server, self._mirror, cursor)
        self._cursor = (await self._mirror.state()).cursor

    async def _rechecked(self) -> bool:
        """Whether it was time to list the newest mail again: soon after the listing ended, then more and more seldom."""
        now = self._now_s()
        if self._recheck_at is None:
            self._recheck_at = now + RECHECK_AFTER_S[0]
        if now < self._recheck_at:
            return False
        self._rechecks += 1
        self._recheck_at = now + RECHECK_AFTER_S[min(self._rechecks, len(RECHECK_AFTER_S) - 1)]
        await self._backfill.recheck()
        return True

    async def _rest(self) -> float:
        """Everything is done for now: say so once, and rest until the next poll or retry."""
        if self._phase is not SyncPhase.CURRENT:
            self._phase = SyncPhase.CURRENT
            await self._mirror.set_phase(SyncPhase.CURRENT)
            await self._meter.done()
        due = [self._polled_at + self._poll_s() - self._now_s()]
        if self._recheck_at is not None:
            due.append(self._recheck_at - self._now_s())
        retry_s = self._fetcher.next_due_s()
        return max(min([*due, retry_s] if retry_s is not None else due), 0.05)
