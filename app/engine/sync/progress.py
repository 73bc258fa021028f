"""How far a first sync is, in real counts of messages, with an estimate only when there is ground for one."""

from collections import deque
from collections.abc import Callable

from app.domain.events import SyncPhase, SyncProgress
from app.engine.announcer import Announcer
from app.engine.sync.listing import Progress
from app.engine.sync.mirror import Mirror

WINDOW_S = 60.0
EVERY_S = 0.5
LEAST_S = 3.0


class ProgressMeter:
    """`now_s` is monotonic."""

    def __init__(self, mirror: Mirror, announcer: Announcer, now_s: Callable[[], float]) -> None:
        self._mirror = mirror
        self._announcer = announcer
        self._now_s = now_s
        self._seen: deque[tuple[float, int]] = deque()
        self._told_at = float("-inf")

    async def tell(self, progress: Progress) -> bool:
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

    async def paused(self, progress: Progress) -> None:
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
