"""Whoever presses twice gets one sample mailbox."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from app.ui.pages.welcome.page import SampleProgram

WAITS = "import sys, time, pathlib; pathlib.Path(sys.argv[1], str(time.time_ns())).touch(); time.sleep(300)"


def test_it_is_started_once_while_it_runs(tmp_path: Path) -> None:
    sample = SampleProgram([sys.executable, "-c", WAITS, str(tmp_path)])
    try:
        for _ in range(3):
            assert sample.start()
        first = sample.pid
        assert first
        until(lambda: len(list(tmp_path.iterdir())) == 1)
        psutil.Process(first).kill()
        until(lambda: not psutil.pid_exists(first))
        sample.start()
        assert sample.pid not in (0, first)
        until(lambda: len(list(tmp_path.iterdir())) == 2)
    finally:
        if psutil.pid_exists(sample.pid):
            psutil.Process(sample.pid).kill()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_cannot_be_started_is_tried_again(tmp_path: Path) -> None:
    sample = SampleProgram([str(tmp_path / "nothing")])
    assert not sample.start()
    assert not sample.start()
    assert sample.pid == 0
