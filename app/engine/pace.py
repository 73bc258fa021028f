"""Something told at most so often: at once after a rest, else when the rest is over, and then as things stand by then.

Refuses to lose the last change: whatever was asked for during a rest is told at its end.
"""

import asyncio
from collections.abc import Callable


class Pace:
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
