"""The engine as a process: one for each data folder, its priority, its end, and whether the window starts it again.

Also measures the age of this process, including the interpreter's start.
"""

import asyncio
import contextlib
import logging
import os
import sys
import time
from pathlib import Path

from app.domain.errors import AlreadyRunning
from app.link.frames import EXIT_RESTART

log = logging.getLogger(__name__)


class FolderLock:
    """Locks a file by its descriptor, for a `with` block. The file itself stays and means nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Takes the lock. Raises `AlreadyRunning`."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise AlreadyRunning(
                f"Another Replyroom already works in {self._path.parent}.", "Use its window, or quit it first."
            ) from error
        self._descriptor = descriptor

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


class EngineExit:
    """Ends the engine. What a restart has to repair is noted in the data folder before."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._code: asyncio.Future[int] = self._loop.create_future()

    def stop(self) -> None:
        self._end(0)

    def restart(self, why: str) -> None:
        """Ends the engine with the code that makes the window start it again. May be called from any thread."""
        log.warning("the engine restarts: %s", why)
        self._loop.call_soon_threadsafe(self._end, EXIT_RESTART)

    async def wait(self) -> int:
        """Waits until one of them is called. Returns the exit code of the first call."""
        return await asyncio.shield(self._code)

    def _end(self, code: int) -> None:
        if not self._code.done():
            self._code.set_result(code)


NICER = 15
"""Niceness. On the core of a busy window the engine gets a thirtieth instead of a half; it never starves. With 7, a turn of the
window that takes 12 ms of CPU took 15 ms by the clock beside it.
"""


def step_back() -> None:
    """Lowers the priority of this process for good. Child processes inherit it."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    elif os.nice(0) < NICER:
        os.nice(NICER - os.nice(0))
    never_interrupt(0)


def never_interrupt(task: int) -> None:
    """Sets SCHED_BATCH on Linux, so that a waking `task` does not preempt another. 0 is the calling thread.

    Each answer of the server woke the engine, which then delayed a window that had just begun to paint. The share of CPU time
    stays the same.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setscheduler(task, os.SCHED_BATCH, os.sched_param(0))


START_TIME_FIELD = 19
"""Index in /proc/self/stat, counted after the program's name."""


def age_ms() -> float:
    """Milliseconds since the operating system started this process."""
    if sys.platform != "linux":
        import psutil  # takes 100 ms; these systems offer nothing cheaper

        return (time.time() - psutil.Process().create_time()) * 1000
    fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    started_s = int(fields[START_TIME_FIELD]) / os.sysconf("SC_CLK_TCK")
    return (time.clock_gettime(time.CLOCK_BOOTTIME) - started_s) * 1000
