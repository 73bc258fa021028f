"""How long this process has lived, the interpreter's start included."""

import os
import sys
import time
from pathlib import Path

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
