"""How far a first sync is, in real counts of messages, with an estimate only when there is ground for one.

How the account's server answers, told when it changes, and how long to rest after trouble.
"""

import logging
import time
from collections import deque
from collections.abc import Callable

from app.domain.errors import ExpectedError, Intercepted, LoginNeeded, PermissionMissing, QuotaReached, RejectedByServer
from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState, ErrorReported, SyncPhase, SyncProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.throttle import doubled_s
from app.engine.sync.listing import ListingProgress
from app.engine.sync.mirror import MailboxMirror

WINDOW_S = 60.0
EVERY_S = 0.5
LEAST_S = 3.0


class ProgressMeter:
    """`now_s` is monotonic."""

    def __init__(self, mirror: MailboxMirror, announcer: EventBus, now_s: Callable[[], float]) -> None:
        self._mirror = mirror
        self._announcer = announcer
        self._now_s = now_s
        self._seen: deque[tuple[float, int]] = deque()
        self._told_at = float("-inf")

    async def tell(self, progress: ListingProgress) -> bool:
        """Say how many messages are mirrored of how many, while a listing goes on or mail waits to be fetched; twice a second
        at most, since counting is not free. Whether anything was said."""
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
        known = progress.finished or progress.total > 0  # within limits nobody knows how much there is before it is listed
        self._announcer.tell(SyncProgress(self._mirror.account_id, phase, done, total, eta_s if known else -1.0))
        return True

    async def paused(self, progress: ListingProgress) -> None:
        """Say that older mail waits, and how much of it is known."""
        done = len(self._mirror.have)
        total = max(0 if progress.finished else progress.total, done + await self._mirror.fetch_count())
        self._announcer.tell(SyncProgress(self._mirror.account_id, SyncPhase.PAUSED, done, total, -1.0))

    async def done(self) -> None:
        """Say that everything is here; what could not be fetched yet still counts into the total."""
        done = len(self._mirror.have)
        total = done + await self._mirror.fetch_count()
        self._announcer.tell(SyncProgress(self._mirror.account_id, SyncPhase.CURRENT, done, total, 0.0))

    def _eta_s(self, done: int, total: int) -> float:
        """Seconds left at the pace of the last minute, negative while there is no honest estimate."""
        now = self._now_s()
        self._seen.append((now, done))
        while self._seen[0][0] < now - WINDOW_S:
            self._seen.popleft()
        elapsed, gained = now - self._seen[0][0], done - self._seen[0][1]
        if elapsed < LEAST_S or gained <= 0:
            return -1.0
        return (total - done) * elapsed / gained


log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
QUOTA_PAUSE_S = 15.0
REFUSED_PAUSE_S = 300.0
"""Until the user or an administrator has done something."""


class ConnectionHealth:
    """The connection of one account. The first success is told too."""

    def __init__(self, account_id: AccountId, announcer: EventBus) -> None:
        self._account_id = account_id
        self._announcer = announcer
        self._state: ConnectionState | None = None
        self._failures = 0
        self._refusal = ""

    def worked(self) -> None:
        """The server answered."""
        self._failures = 0
        self._refusal = ""
        self._change(ConnectionState.ONLINE, "")

    def met(self, error: ExpectedError) -> float:
        """What came instead of an answer; seconds to rest. A refusal that only a human can end is told once, in words."""
        if isinstance(error, QuotaReached):
            return self.failed(ConnectionState.QUOTA, error, error.retry_after_s or QUOTA_PAUSE_S)
        if isinstance(error, LoginNeeded):
            return self.failed(ConnectionState.LOGIN_NEEDED, error, REFUSED_PAUSE_S)
        if not isinstance(error, PermissionMissing | RejectedByServer):
            return self.failed(ConnectionState.OFFLINE, error)
        if error.code != self._refusal:
            self._refusal = error.code
            self._announcer.tell(ErrorReported.of(error))
        return REFUSED_PAUSE_S

    def failed(self, state: ConnectionState, error: ExpectedError, pause_s: float | None = None) -> float:
        """The server did not; seconds to rest: as given, else growing with each failure."""
        self._failures += 1
        if isinstance(error, Intercepted) and state is not self._state:
            self._announcer.tell(ErrorReported.of(error))
        self._change(state, error.detail)
        if pause_s is not None:
            return pause_s
        return doubled_s(FIRST_PAUSE_S, self._failures, LONGEST_PAUSE_S)

    def _change(self, state: ConnectionState, detail: str) -> None:
        if state is self._state:
            return
        self._state = state
        log.info("account %d is %s: %s", self._account_id, state, detail)
        self._announcer.tell(ConnectionChanged(self._account_id, state, int(time.time() * 1000), detail))
