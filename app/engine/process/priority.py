"""Lowers the engine's priority, so that the user's programs come before sync and agents. Costs nothing on an idle machine.

Also measures the age of this process, including the interpreter's start.
"""

import contextlib
import os
import sys
import time
from pathlib import Path

NICER = 7
"""Niceness. Beside a busy window the engine gets a sixth of a core instead of a half; it never starves."""


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
    return _age_by_kernel_ms() if sys.platform == "linux" else _age_by_psutil_ms()


def _age_by_psutil_ms() -> float:
    import psutil  # takes 100 ms; these systems offer nothing cheaper

    return (time.time() - psutil.Process().create_time()) * 1000


def _age_by_kernel_ms() -> float:
    fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    started_s = int(fields[START_TIME_FIELD]) / os.sysconf("SC_CLK_TCK")
    return (time.clock_gettime(time.CLOCK_BOOTTIME) - started_s) * 1000
