"""One window per folder: the lock tells, a second start raises the first, a dead window's lock is nobody's."""

import subprocess
import sys

import pytest
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.ui import only_one
from app.ui.only_one import OnlyOne
from app.ui.single import listen

SECOND = """
import sys
from pathlib import Path
from app.config.paths import DataFolder
from app.ui.only_one import OnlyOne
only = OnlyOne(DataFolder(Path(sys.argv[1])))
print(only.raised_other())
"""
DYING = SECOND + "import os\nos._exit(0)\n"


def test_a_second_start_raises_the_window_that_has_the_lock(qtbot: QtBot, data: DataFolder) -> None:
    first = OnlyOne(data)
    assert not first.raised_other()
    calls: list[int] = []
    server = listen(data.root, lambda: calls.append(1))
    second = subprocess.Popen([sys.executable, "-c", SECOND, str(data.root)], stdout=subprocess.PIPE, text=True)
    qtbot.waitUntil(lambda: calls == [1], timeout=30_000)
    assert second.communicate(timeout=30)[0].strip() == "True"
    server.close()
    first.release()


def test_a_window_that_does_not_answer_keeps_nobody_out(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(only_one, "TRIES", 2)
    monkeypatch.setattr(only_one, "PAUSE_S", 0.0)
    first, second = OnlyOne(data), OnlyOne(data)
    assert not first.raised_other()
    assert not second.raised_other()
    first.release()
    assert not second.raised_other()
    second.release()


def test_the_lock_of_a_window_that_died_is_taken_over(data: DataFolder) -> None:
    subprocess.run([sys.executable, "-c", DYING, str(data.root)], check=True, timeout=60)
    assert data.window_lock.exists()
    only = OnlyOne(data)
    assert not only.raised_other()
    only.release()
    assert not data.window_lock.exists()
