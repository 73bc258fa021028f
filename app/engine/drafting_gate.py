"""When drafting may start: after the owner's own answers are indexed, since good drafts are made from them; but not for ever."""

from collections.abc import Callable

LONGEST_WAIT_S = 90.0


class DraftingGate:
    """Opens once and stays open. `now_s` is monotonic; the wait is counted from the first question."""

    def __init__(self, recent_done: Callable[[], bool], indexed: Callable[[], bool], now_s: Callable[[], float]) -> None:
        self._recent_done = recent_done
        self._indexed = indexed
        self._now_s = now_s
        self._asked_at: float | None = None
        self._open = False

    def __call__(self) -> bool:
        """Whether runs may start."""
        if self._open:
            return True
        if self._asked_at is None:
            self._asked_at = self._now_s()
        waited_s = self._now_s() - self._asked_at
        self._open = waited_s > LONGEST_WAIT_S or (self._recent_done() and self._indexed())
        return self._open
