"""Something told at most so often: at once after a rest, else when the rest is over, and then as things stand by then.

How long to wait before the next try: longer after each failure in a row, up to a bound. Pure.
"""

import asyncio
from collections.abc import Callable


class Throttle:
    """Calls `tell` at most once in `rest_s` seconds. Use it on the loop's thread; `stop` it when nobody listens any more."""

    def __init__(self, tell: Callable[[], None], rest_s: float) -> None:
        self._tell = tell
        self._rest_s = rest_s
        self._resting: asyncio.TimerHandle | None = None
        self._asked = False

    def ask(self) -> None:
        """There may be something new."""
        if self._resting is not None:
            self._asked = True
            return
        self._resting = asyncio.get_running_loop().call_later(self._rest_s, self._rested)
        self._tell()

    def stop(self) -> None:
        """Tell nothing more of what was asked for."""
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
"""More than any wait here needs to reach its bound; 2.0 ** 1024 is no float any more."""


def doubled_s(first_s: float, failures: int, longest_s: float) -> float:
    """Seconds to wait after so many `failures` in a row (1: `first_s`), doubled with each, at most `longest_s`."""
    return min(first_s * 2.0 ** min(max(failures - 1, 0), DOUBLINGS), longest_s)
