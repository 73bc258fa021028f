"""A whole window as a child process that reads orders: `python -m fakes.window.driven_window DATA real|echo`.

Each line of standard input is a JSON list; each answer is one line of JSON. `["press", keys...]` and `["type", text]` send real
key events to the focused widget, `["look"]` returns what is on screen, `["page", name]` opens a page. It may be killed.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 180


class DrivenWindow:
    """The process as seen by a test. `ask` waits for the answer; `kill` sends SIGKILL."""

    def __init__(self, data: Path, engine: str, environment: dict[str, str]) -> None:
        paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
        whole = {**environment, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "fakes.window.driven_window", str(data), engine]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=whole)
        assert self._answer() == "ready"

    def ask(self, *words: str) -> Any:
        """Sends an order and returns its answer."""
        self.tell(*words)
        answer = self._answer()
        assert not (isinstance(answer, dict) and "failed" in answer), answer
        return answer

    def tell(self, *words: str) -> None:
        """Sends an order without waiting for its answer."""
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()

    def until(self, order: str, holds: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """Gives an order again and again until its answer holds, and returns that."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            seen: dict[str, Any] = self.ask(order)
            if holds(seen):
                return seen
            assert time.monotonic() < deadline, f"{what} never happened: {seen}"
            time.sleep(0.05)

    def kill(self) -> None:
        """Ends the process as a crash would."""
        self._process.kill()
        self._process.communicate(timeout=60)

    def _answer(self) -> Any:
        line = self._process.stdout.readline()
        assert line, "the window ended"
        return json.loads(line)


@contextmanager
def driven(data: Path, engine: str, environment: Mapping[str, str]) -> Iterator[DrivenWindow]:
    """A window that is killed at the end."""
    made = DrivenWindow(data, engine, {**os.environ, **environment})
    try:
        yield made
    finally:
        made.kill()


def main() -> None:
    """The window's side."""
    from PySide6.QtCore import QSocketNotifier

    from app.config.paths import DataFolder
    from app.main import open_mailbox
    from app.ui.startup.application import WindowOptions, run_window

    data = DataFolder(Path(sys.argv[1]))
    real = [sys.executable, "-m", "app", "engine", "--data", str(data.root)]
    engine = real if sys.argv[2] == "real" else [sys.executable, "-m", "fakes.engine.echo_engine"]
    waiting: list[QSocketNotifier] = []

    def ready() -> None:
        from fakes.window.window_commands import obey

        lines = os.fdopen(0, "rb", buffering=0)
        rest = bytearray()

        def read(_socket: int) -> None:
            got = lines.read(65536)
            if not got:
                os._exit(3)
            rest.extend(got)
            while b"\n" in rest:
                line, _, after = bytes(rest).partition(b"\n")
                rest[:] = after
                try:
                    say(obey(json.loads(line)))
                except Exception as error:
                    say({"failed": repr(error)})
                    raise

        waiting.append(QSocketNotifier(0, QSocketNotifier.Type.Read))
        waiting[0].activated.connect(read)
        say("ready")

    say = _sayer()
    run_window(data, lambda: open_mailbox(data), engine, WindowOptions(ready=ready))


def _sayer() -> Callable[[object], None]:
    """Writes answers to the original standard output; later prints go to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: object) -> None:
        out.write(json.dumps(answer) + "\n")
        out.flush()

    return say


if __name__ == "__main__":
    main()
