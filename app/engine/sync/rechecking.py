"""When the newest mail is listed again after a first listing: the server's lists lag behind what has just come.

Pure. Refuses to decide by anything but time: soon after the listing ended, then more and more seldom.
"""

RECHECK_AFTER_S = (4.0, 30.0, 120.0, 900.0)


class Rechecks:
    """Times are seconds of a monotonic clock. Nothing is due before `begin`."""

    def __init__(self) -> None:
        self._at: float | None = None
        self._done = 0

    def begin(self, now_s: float) -> None:
        """The listing has ended; again is the same."""
        if self._at is None:
            self._at = now_s + RECHECK_AFTER_S[0]

    def due_in_s(self, now_s: float) -> float:
        """Seconds until the next one, negative when it is late."""
        return float("inf") if self._at is None else self._at - now_s

    def done(self, now_s: float) -> None:
        """One was made."""
        self._done += 1
        self._at = now_s + RECHECK_AFTER_S[min(self._done, len(RECHECK_AFTER_S) - 1)]
