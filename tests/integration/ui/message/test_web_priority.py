"""Chromium's work is done at a lower priority than the window's own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.engine.process.priority import NICER as ENGINE
from app.ui.message.web_view import CHROMIUM, NICER, WebBody, step_back

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives each thread a niceness of its own")


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[WebBody]:
    """A view that has drawn its first mail."""
    made = WebBody(lambda _link: None)
    made.resize(500, 400)
    made.show()
    with qtbot.waitSignal(made.loadFinished, timeout=30_000):
        made.show_page("<p>Hello</p>", QColor("#FFFFFF"))
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def niceness(pid: int) -> dict[str, set[int]]:
    """Of the threads of a process, by name."""
    found: dict[str, set[int]] = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text(encoding="utf-8").strip()
        found.setdefault(name, set()).add(os.getpriority(os.PRIO_PROCESS, int(task.name)))
    return found


@LINUX
def test_what_draws_html_stands_behind_the_window_and_before_the_engine(view: WebBody) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    renderer = niceness(view.page().renderProcessPid())
    assert renderer
    assert all(one >= NICER for each in renderer.values() for one in each), renderer
    mine = niceness(os.getpid())
    drawing = {name: each for name, each in mine.items() if name.startswith(CHROMIUM)}
    assert any(name.startswith("Viz") for name in drawing), "the thread that puts a page together"
    assert all(one >= NICER for each in drawing.values() for one in each), drawing
    assert os.getpriority(os.PRIO_PROCESS, 0) == own
    assert NICER < ENGINE


@pytest.mark.skipif(sys.platform == "win32", reason="there it does nothing")
def test_a_renderer_that_has_ended_is_no_fault() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(timeout=60)
    step_back(ended.pid)
