"""A throttle for repeated calls, and exponential backoff."""

import asyncio
from collections.abc import Callable


class Throttle:
    """Calls `tell` at most once in `rest_s` seconds. Use it on the loop's thread and call `stop` at the end."""

    def __init__(self, tell: Callable[[], None], rest_s: float) -> None:
        self._tell = tell
        self._rest_s = rest_s
        self._resting: asyncio.TimerHandle | None = None
        self._asked = False

    def ask(self) -> None:
        """Calls `tell` now, or once after the current rest."""
        if self._resting is not None:
            self._asked = True
            return
        self._resting = asyncio.get_running_loop().call_later(self._rest_s, self._rested)
        self._tell()

    def stop(self) -> None:
        """Cancels a pending call."""
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
        self._asked = False

    def _rested(self) -> None:
        self._resting = None
        if self._asked:
            self._asked = False
            self.ask()


DOUBLINGS = 30
"""Enough for any wait to reach its bound; 2.0 ** 1024 would overflow."""


def doubled_s(first_s: float, failures: int, longest_s: float) -> float:
    """Seconds to wait after `failures` in a row.

    `first_s` after one failure, doubled with each more, at most `longest_s`.
    """
    return min(first_s * 2.0 ** min(max(failures - 1, 0), DOUBLINGS), longest_s)
