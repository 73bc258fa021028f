"""The engine's priority is lowered once, and a second time changes nothing."""

import subprocess
import sys

import pytest

from app.engine.runtime.process_control import NICER

CODE = """
import os
from app.engine.runtime.process_control import step_back
before = os.nice(0)
step_back()
once = os.nice(0)
step_back()
print(before, once, os.nice(0))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has classes of priority, not niceness")
def test_the_engine_steps_back_once() -> None:
    """In a process of its own: niceness cannot be taken back."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, timeout=60)
    before, once, twice = map(int, done.stdout.split())
    assert once == twice == max(before, NICER)


BATCH = """
import os, threading
from app.engine.runtime.process_control import step_back
step_back()
seen = []
one = threading.Thread(target=lambda: seen.append(os.sched_getscheduler(0)))
one.start()
one.join()
print(os.sched_getscheduler(0) == os.SCHED_BATCH == seen[0])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this kind of process")
def test_the_engine_and_its_threads_interrupt_nobody() -> None:
    done = subprocess.run([sys.executable, "-c", BATCH], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "True\n"
