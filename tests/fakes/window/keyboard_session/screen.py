"""A real screen without a person: Xvfb, a window manager, and a user who only has keys (xdotool)."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fakes.engine.engine_process import ROOT

TOOLS = ("Xvfb", "openbox", "xdotool")
PATIENCE_S = 90
AGAIN_S = 5
GRAB = (
    "import sys; from PySide6.QtGui import QGuiApplication; app = QGuiApplication(sys.argv); "
    "app.primaryScreen().grabWindow(0).save(sys.argv[1])"
)


def until(holds: Callable[[], bool], what: str) -> None:
    """Waits for a condition."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what} never happened"
        time.sleep(0.1)


@contextmanager
def real_screen() -> Iterator[dict[str, str]]:
    """A screen with a window manager and without key repeat. Yields the environment for it."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-r"], pass_fds=[write]
    )
    os.close(write)
    with os.fdopen(read) as told:
        display = f":{told.readline().strip()}"
    inherited = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")}
    environment = {**inherited, "DISPLAY": display, "PYTHONPATH": str(ROOT), "QTWEBENGINE_DISABLE_SANDBOX": "1"}
    manager = subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL)
    try:
        yield environment
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(timeout=30)


class Hands:
    """Presses keys."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    def press(self, *keys: str) -> None:
        """Presses keys one after the other, by xdotool's names."""
        for key in keys:
            self._do("key", "--clearmodifiers", key)

    def type(self, text: str) -> None:
        """Types letter by letter."""
        self._do("type", "--delay", "40", text)

    def window(self, pid: int = 0) -> None:
        """Waits until the window (of process `pid`, if given) exists and has the focus."""
        whose = ["--all", "--pid", str(pid)] if pid else []
        self._do("search", "--sync", *whose, "--onlyvisible", "--name", "Replyroom", "windowactivate", "--sync")

    def press_until(self, key: str, holds: Callable[[], bool], what: str) -> None:
        """Presses a key until a condition holds, as a user does when a window was not ready."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, f"{what} never happened"
            self.press(key)
            until_next = time.monotonic() + AGAIN_S
            while not holds() and time.monotonic() < until_next:
                time.sleep(0.1)

    def picture(self, file: Path) -> None:
        """Saves a screenshot, for failures."""
        subprocess.run([sys.executable, "-c", GRAB, str(file)], env=self._environment, check=True, timeout=PATIENCE_S)

    def _do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, timeout=PATIENCE_S, stdout=subprocess.DEVNULL)
