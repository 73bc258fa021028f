"""The sandbox's clock: follows the machine's, or is set, advanced and frozen by tests. It never sleeps."""

import time
from datetime import UTC, datetime


class Clock:
    """Time source of every part of the sandbox."""

    def __init__(self) -> None:
        self._offset_s = 0.0
        self._frozen_at_s: float | None = None

    def now_s(self) -> float:
        """Seconds since 1970."""
        if self._frozen_at_s is not None:
            return self._frozen_at_s
        return time.time() + self._offset_s

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        return int(self.now_s() * 1000)

    def moment(self) -> datetime:
        """Current time in UTC."""
        return datetime.fromtimestamp(self.now_s(), UTC)

    def set(self, moment_s: float) -> None:
        """Sets the time; the clock runs on from there unless it is frozen."""
        self._offset_s = moment_s - time.time()
        if self._frozen_at_s is not None:
            self._frozen_at_s = moment_s

    def advance(self, seconds: float) -> None:
        """Moves the time forward, or back if negative."""
        self.set(self.now_s() + seconds)

    def freeze(self, frozen: bool) -> None:
        """Stops the clock, or lets it run on."""
        now_s = self.now_s()
        self._offset_s = now_s - time.time()
        self._frozen_at_s = now_s if frozen else None
