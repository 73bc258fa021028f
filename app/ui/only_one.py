"""One window per data folder, told by a lock file: cheap for the start that is alone, which is nearly every one.

A second start brings the first window to the front (`app.ui.single`). Refuses to wait long for a window that does not answer.
"""

import time

from PySide6.QtCore import QLockFile

from app.config.paths import DataFolder

TRIES = 12
PAUSE_S = 0.25
"""A window that is just starting does not listen yet."""


class OnlyOne:
    """Holds the lock from its making until `release` or the end of the process, however it comes."""

    def __init__(self, data: DataFolder) -> None:
        self._root = data.root
        self._lock = QLockFile(str(data.window_lock))
        self._lock.setStaleLockTime(0)

    def raised_other(self, mailto: str = "") -> bool:
        """Whether another window has this folder and was brought forward, to write to `mailto` if there is such an address."""
        if self._lock.tryLock(0):
            return False
        from app.ui.single import raise_first

        for _ in range(TRIES):
            if raise_first(self._root, mailto):
                return True
            if self._lock.tryLock(0):
                return False
            time.sleep(PAUSE_S)
        return False

    def release(self) -> None:
        """Let the next one in."""
        self._lock.unlock()
