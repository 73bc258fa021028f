"""The engine steps back: whatever the user does, in this window or another, comes before mail that is fetched and thought about.

On an idle machine this changes nothing.

How long this process has lived, the interpreter's start included.
"""

import contextlib
import os
import sys
import time
from pathlib import Path

NICER = 7
"""Beside a busy window the engine gets a sixth of a core instead of a half; it never starves."""


def step_back() -> None:
    """Lower this process's priority, once, for good; those it starts inherit it."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    elif os.nice(0) < NICER:
        os.nice(NICER - os.nice(0))
    never_interrupt(0)


def never_interrupt(task: int) -> None:
    """Let a process or thread of Linux, 0 for the calling one, take no core from another in the moment it wakes up.

    Each answer of the server woke the engine, which then held up a window that had just begun to paint. Its share of a core is
    the same as before.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setscheduler(task, os.SCHED_BATCH, os.sched_param(0))


START_TIME_FIELD = 19
"""Of /proc/self/stat, counted from after the program's name."""


def age_ms() -> float:
    """Milliseconds since the operating system started this process."""
    return _age_by_kernel_ms() if sys.platform == "linux" else _age_by_psutil_ms()


def _age_by_psutil_ms() -> float:
    import psutil  # 100 ms of imports, where there is no cheaper way

    return (time.time() - psutil.Process().create_time()) * 1000


def _age_by_kernel_ms() -> float:
    fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    started_s = int(fields[START_TIME_FIELD]) / os.sysconf("SC_CLK_TCK")
    return (time.clock_gettime(time.CLOCK_BOOTTIME) - started_s) * 1000
