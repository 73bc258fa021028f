"""What starting costs: process start to first frame, memory, engine; beside a bare QMainWindow in the same run.

    python3 packaging/dev.py bench startup [--messages 2000] [--rounds 5] --json

Medians of the rounds. first_paint_cpu_s is the window process's own CPU time up to its first frame. Offscreen unless a
display is chosen through QT_QPA_PLATFORM.
"""

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

PAGE = 200
GIVE_UP_S = 60.0


def main() -> int:
    """Fill a store, start window and bare window in turn, print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", choices=("window", "bare"))
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if options.child == "bare":
        return bare_child()
    if options.child == "window":
        return window_child(options.data)
    compileall.compile_dir(str(ROOT / "app"), quiet=2)
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-", ignore_cleanup_errors=True) as name:
        mails = fill(Path(name), options.messages)
        rounds = [(start("window", Path(name)), start("bare", Path(name))) for _ in range(options.rounds)]
    windows, bares = [one for one, _ in rounds], [one for _, one in rounds]
    result = {
        "first_paint_ms": median(windows, "first_paint_ms"),
        "first_paint_cpu_s": median(windows, "cpu_s"),
        "rss_mb": median(windows, "rss_mb"),
        "engine_ready_ms": median(windows, "engine_ready_ms"),
        "mails_in_store": mails,
        "bare_first_paint_ms": median(bares, "first_paint_ms"),
        "bare_first_paint_cpu_s": median(bares, "cpu_s"),
        "bare_rss_mb": median(bares, "rss_mb"),
        "first_paint_times_bare": round(median(windows, "first_paint_ms") / median(bares, "first_paint_ms"), 2),
        "rounds": options.rounds,
    }
    print(json.dumps(result, indent=None if options.json else 2))
    return 0


def median(rounds: list[dict[str, float]], key: str) -> float:
    """The median of one figure."""
    return round(statistics.median(one[key] for one in rounds), 3)


def start(child: str, data: Path) -> dict[str, float]:
    """Start one child and read what it measured; times count from just before its process was made."""
    command = [sys.executable, __file__, "--child", child, "--data", str(data)]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, timeout=GIVE_UP_S, check=True)
    said: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return {key: (value - began) * 1000 if key.endswith("_ms") else value for key, value in said.items()}


def fill(folder: Path, count: int) -> int:
    """A store with `count` messages in threads of three, an account in it."""
    from app.config.paths import DataFolder
    from app.store.accounts import Accounts
    from app.store.database import Database
    from app.store.messages import Messages
    from app.store.pages import SyncPage
    from fakes.stored_mail import remote

    data = DataFolder(folder)
    data.prepare()
    database = Database.open(data.database)
    try:
        account = Accounts(database).add("me@example.org", "Me", ("me@example.org",), "", "#3366cc")
        messages = Messages(database)
        minutes_to_now = int((datetime.now(UTC) - datetime(2026, 3, 10, 12, 0, tzinfo=UTC)) / timedelta(minutes=1))
        for first in range(0, count, PAGE):
            numbers = range(first, min(first + PAGE, count))
            batch = tuple(
                remote(
                    f"m{n}", f"t{n // 3}", subject=f"Order {n // 3}", minutes=minutes_to_now - count + n, text=f"Text {n}. " * 20
                )
                for n in numbers
            )
            messages.apply(account, SyncPage(messages=batch))
    finally:
        database.close()
    return count


def rss_mb() -> float:
    """This process's resident memory."""
    import psutil

    return float(psutil.Process().memory_info().rss / 1e6)


def bare_child() -> int:
    """The smallest Qt window: what the same Python and Qt cost without us."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    said: dict[str, float] = {}

    class Bare(QMainWindow):
        def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
            super().paintEvent(event)
            if not said:
                said.update(first_paint_ms=time.perf_counter(), cpu_s=time.process_time())
                QTimer.singleShot(0, app.quit)

    window = Bare()
    window.resize(1280, 820)
    window.show()
    app.exec()
    print(json.dumps({**said, "rss_mb": rss_mb()}))
    return 0


def window_child(folder: Path) -> int:
    """The real window with its real engine; quits when the engine is ready and the first page has settled."""
    from PySide6.QtCore import QTimer

    from app.config.paths import DataFolder
    from app.domain.events import EngineReady, Event
    from app.domain.ports.window import EngineLink
    from app.main import engine_command
    from app.store.mailbox import SqliteMailbox
    from app.ui.application import WindowOptions, make_application, run_window

    data = DataFolder(folder)
    said: dict[str, float] = {}

    def first_paint(at: float) -> None:
        said.update(first_paint_ms=at, cpu_s=time.process_time())

    def measure() -> None:
        said["rss_mb"] = rss_mb()
        next(one for one in make_application().topLevelWidgets() if one.isVisible()).close()
        QTimer.singleShot(0, make_application().quit)

    def hear(event: Event) -> None:
        if isinstance(event, EngineReady):
            said["engine_ready_ms"] = time.perf_counter()
            QTimer.singleShot(500, measure)

    def prepared(link: EngineLink) -> None:
        link.subscribe(hear)

    options = WindowOptions(page="inbox", first_paint=first_paint, prepared=prepared)
    code = run_window(data, SqliteMailbox(data.database), engine_command(data), options)
    print(json.dumps(said))
    return code


if __name__ == "__main__":
    raise SystemExit(main())
