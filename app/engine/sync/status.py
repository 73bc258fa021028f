"""Progress of a first sync, with an estimate of the time left where possible, and the connection state of an account."""

import logging
import time
from collections import deque
from collections.abc import Callable

from app.domain.errors import ExpectedError, Intercepted, LoginNeeded, PermissionMissing, QuotaReached, RejectedByServer
from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState, ErrorReported, SyncPhase, SyncProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import doubled_s
from app.engine.sync.listing import ListingProgress
from app.engine.sync.mirror import MailboxMirror

log = logging.getLogger(__name__)

WINDOW_S = 60.0
EVERY_S = 0.5
LEAST_S = 50.0
"""A first sync goes in bursts, as the quota of a minute allows. After 3 s the window said 1 minute where 14 were left."""


class ProgressMeter:
    """Reports the sync progress of one account. `now_s` is monotonic."""

    def __init__(self, mirror: MailboxMirror, announcer: EventBus, now_s: Callable[[], float]) -> None:
        self._mirror, self._announcer, self._now_s = mirror, announcer, now_s
        self._seen: deque[tuple[float, int]] = deque()
        self._told_at = float("-inf")

    async def tell(self, progress: ListingProgress) -> bool:
        """Reports progress while a listing runs or mail waits to be fetched. Returns whether it did.

        At most twice a second, since counting is not free.
        """
        if self._now_s() - self._told_at < EVERY_S:
            return False
        self._told_at = self._now_s()
        done = len(self._mirror.have)
        waiting = await self._mirror.fetch_count()
        if progress.finished and not waiting:
            return False
        total = done + waiting if progress.finished else max(progress.total, done + waiting)
        phase = SyncPhase.BACKFILL if done else SyncPhase.LISTING
        eta_s = self._eta_s(done, total)
        known = progress.finished or progress.total > 0  # within limits the total is unknown until it is listed
        self._announcer.tell(SyncProgress(self._mirror.account_id, phase, done, total, eta_s if known else -1.0))
        return True

    async def paused(self, progress: ListingProgress) -> None:
        """Reports that older mail is paused, and how much of it is known."""
        done = len(self._mirror.have)
        total = max(0 if progress.finished else progress.total, done + await self._mirror.fetch_count())
        self._announcer.tell(SyncProgress(self._mirror.account_id, SyncPhase.PAUSED, done, total, -1.0))

    async def done(self) -> None:
        """Reports that everything is fetched. The total includes messages that keep failing."""
        done = len(self._mirror.have)
        total = done + await self._mirror.fetch_count()
        self._announcer.tell(SyncProgress(self._mirror.account_id, SyncPhase.CURRENT, done, total, 0.0))

    def _eta_s(self, done: int, total: int) -> float:
        """Seconds left at the rate of the last minute, negative while there is no sound estimate."""
        now = self._now_s()
        self._seen.append((now, done))
        while self._seen[0][0] < now - WINDOW_S:
            self._seen.popleft()
        elapsed, gained = now - self._seen[0][0], done - self._seen[0][1]
        if elapsed < LEAST_S or gained <= 0:
            return -1.0
        return (total - done) * elapsed / gained


FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
QUOTA_PAUSE_S = 15.0
REFUSED_PAUSE_S = 300.0
"""Only the user or an administrator can end such an error."""


class ConnectionHealth:
    """The connection state of one account. Changes are reported, including the first success."""

    def __init__(self, account_id: AccountId, announcer: EventBus) -> None:
        self._account_id, self._announcer = account_id, announcer
        self._state: ConnectionState | None = None
        self._failures = 0
        self._refusal = ""

    def worked(self) -> None:
        """Notes a successful call."""
        self._failures = 0
        self._refusal = ""
        self._change(ConnectionState.ONLINE, "")

    def met(self, error: ExpectedError) -> float:
        """Notes an error and returns the seconds to rest. A refusal that only a person can end is reported once."""
        if isinstance(error, QuotaReached):
            self._failed(ConnectionState.QUOTA, error)
            return error.retry_after_s or QUOTA_PAUSE_S
        if isinstance(error, LoginNeeded):
            self._failed(ConnectionState.LOGIN_NEEDED, error)
            return REFUSED_PAUSE_S
        if not isinstance(error, PermissionMissing | RejectedByServer):
            self._failed(ConnectionState.OFFLINE, error)
            return doubled_s(FIRST_PAUSE_S, self._failures, LONGEST_PAUSE_S)
        if error.code != self._refusal:
            self._refusal = error.code
            self._announcer.tell(ErrorReported.of(error))
        return REFUSED_PAUSE_S

    def _failed(self, state: ConnectionState, error: ExpectedError) -> None:
        self._failures += 1
        if isinstance(error, Intercepted) and state is not self._state:
            self._announcer.tell(ErrorReported.of(error))
        self._change(state, error.detail)

    def _change(self, state: ConnectionState, detail: str) -> None:
        if state is self._state:
            return
        self._state = state
        log.info("account %d is %s: %s", self._account_id, state, detail)
        self._announcer.tell(ConnectionChanged(self._account_id, state, int(time.time() * 1000), detail))
