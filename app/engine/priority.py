"""The engine steps back: whatever the user does, in this window or another, comes before mail that is fetched and thought about.

On an idle machine this changes nothing. Refuses to fail: where the system does not allow it the engine works as before.
"""

import contextlib
import os
import sys

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
