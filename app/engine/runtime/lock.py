"""One engine per data folder: a lock the operating system gives back when the process ends, however it ends."""

import os
import sys
from pathlib import Path

from app.domain.errors import AlreadyRunning


class FolderLock:
    """Holds the lock file's descriptor. The file stays; only the lock on it means anything."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def take(self) -> None:
        """Take the lock. Raises `AlreadyRunning`."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            raise AlreadyRunning(
                f"Another Replyroom already works in {self._path.parent}.", "Use its window, or quit it first."
            ) from error
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back; without one, nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _lock(descriptor: int) -> None:
    """Lock or raise `OSError` at once."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
