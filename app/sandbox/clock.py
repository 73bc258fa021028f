"""The sandbox's clock: follows the machine, or is set, advanced and frozen by a test. It never sleeps."""

import time
from datetime import UTC, datetime


class Clock:
    """Seconds since 1970 as every part of the sandbox sees them."""

    def __init__(self) -> None:
        self._offset_s = 0.0
        self._frozen_at_s: float | None = None

    def now_s(self) -> float:
        """The present moment in seconds since 1970."""
        if self._frozen_at_s is not None:
            return self._frozen_at_s
        return time.time() + self._offset_s

    def now_ms(self) -> int:
        """The present moment in milliseconds since 1970."""
        return int(self.now_s() * 1000)

    def moment(self) -> datetime:
        """The present moment, aware, in UTC."""
        return datetime.fromtimestamp(self.now_s(), UTC)

    def set(self, moment_s: float) -> None:
        """Jump to a moment; the clock goes on from there unless it is frozen."""
        self._offset_s = moment_s - time.time()
        if self._frozen_at_s is not None:
            self._frozen_at_s = moment_s

    def advance(self, seconds: float) -> None:
        """Move on (or back, when negative) by some seconds."""
        self.set(self.now_s() + seconds)

    def freeze(self, frozen: bool) -> None:
        """Stop the clock where it is, or let it run on from there."""
        now_s = self.now_s()
        self._offset_s = now_s - time.time()
        self._frozen_at_s = now_s if frozen else None
