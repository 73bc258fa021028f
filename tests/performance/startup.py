"""What starting costs: process start to first frame and to a window that can be used, memory, engine.

    python3 packaging/dev.py bench startup [--messages 100000] [--rounds 5] --json

Medians of the rounds. The first paint is the window's shape with the first rows of the inbox; usable is when every widget
stands and the event loop runs. Both are taken when the painting is out, and begin before the process does. CPU seconds are the
window process's own. The store is filled once (half a minute for 100,000 messages) and kept in the folder for temporary files.
Offscreen unless a display is chosen through QT_QPA_PLATFORM.
"""

import argparse
import compileall
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copyfile, rmtree
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

if TYPE_CHECKING:
    from app.domain.protocol.views import Glance

PAGE = 500
GIVE_UP_S = 60.0
SETTLE_MS = 500


def main() -> int:
    """Fill a store, start the window, print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--data", type=Path, help="measure one start of the window over this folder")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if options.data:
        return window_child(options.data)
    compileall.compile_dir(str(ROOT / "app"), quiet=2)
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-", ignore_cleanup_errors=True) as name:
        copyfile(kept_store(options.messages), Path(name, "mail.db"))
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        rounds = [start(Path(name)) for _ in range(options.rounds)]
    result = {key: round(statistics.median(one[key] for one in rounds), 3) for key in rounds[0]}
    result |= {"mails_in_store": options.messages, "rounds": options.rounds, "load_before": round(load, 2)}
    print(json.dumps(result, indent=None if options.json else 2))
    return 0


def start(data: Path) -> dict[str, float]:
    """Start one window and read what it measured; times count from just before its process was made."""
    command = [sys.executable, __file__, "--data", str(data)]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, timeout=GIVE_UP_S, check=True)
    said: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return {key: (value - began) * 1000 if key.endswith("_ms") else value for key, value in said.items()}


def kept_store(count: int) -> Path:
    """The database with `count` messages, made now or in an earlier run."""
    from app.config.paths import resource

    made = zlib.crc32(resource("schema.sql").read_bytes())  # a store of another schema is of no use
    folder = Path(tempfile.gettempdir(), f"replyroom-bench-{count}-{made:08x}")
    done = folder / "done"
    if not done.exists():
        rmtree(folder, ignore_errors=True)
        fill(folder, count)
        done.touch()
    return folder / "mail.db"


def fill(folder: Path, count: int) -> None:
    """A store with `count` messages in threads of three, an account in it."""
    from app.config.paths import DataFolder
    from app.store.accounts import Accounts
    from app.store.db.database import Database
    from app.store.mail.messages import Messages
    from app.store.mail.sync_page import SyncPage
    from fakes.engine.store.values import remote

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


def window_child(folder: Path) -> int:
    """The real window with its real engine, begun as the program begins it; quits when the engine is ready and the first page
    has settled."""
    gc.disable()
    import psutil

    from app.config.paths import DataFolder
    from app.main import engine_command, open_mailbox
    from app.store.reader.glance import glance
    from app.ui.startup.application import make_application, run_window
    from app.ui.startup.options import WindowOptions
    from app.ui.window.first_frame import ROWS

    from PySide6.QtCore import QTimer  # isort: skip  # the program's own modules come first, as they do in the program

    data = DataFolder(folder)
    said: dict[str, float] = {}

    def glanced(page: str) -> "Glance":
        found = glance(data.database, page, ROWS)
        said["rows_in_first_paint"] = len(found.rows)
        return found

    def first_paint(at: float) -> None:
        said.update(first_paint_ms=at, first_paint_cpu_s=time.process_time())

    def ready() -> None:
        said.update(usable_ms=time.perf_counter(), usable_cpu_s=time.process_time())

    def measure() -> None:
        said["rss_mb"] = float(psutil.Process().memory_info().rss / 1e6)
        next(one for one in make_application().topLevelWidgets() if one.isVisible()).close()
        QTimer.singleShot(0, make_application().quit)

    def hear(event: object) -> None:
        if type(event).__name__ == "EngineReady":
            said["engine_ready_ms"] = time.perf_counter()
            QTimer.singleShot(SETTLE_MS, measure)

    options = WindowOptions(
        page="inbox", glance=glanced, first_paint=first_paint, ready=ready, prepared=lambda link: link.subscribe(hear) and None
    )
    code = run_window(data, lambda: open_mailbox(data), engine_command(data), options)
    print(json.dumps(said))
    return code


if __name__ == "__main__":
    raise SystemExit(main())
