"""Allows one engine per data folder. The operating system releases the lock when the process ends, even after a crash."""

import os
import sys
from pathlib import Path

from app.domain.errors import AlreadyRunning


class FolderLock:
    """Locks a file by its descriptor. The file itself stays and means nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def take(self) -> None:
        """Takes the lock. Raises `AlreadyRunning`."""
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
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _lock(descriptor: int) -> None:
    """Locks without waiting. Raises `OSError` when the file is locked."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
