"""How soon a key changes the window: from the key press to the end of the painting that brought the first changed pixel.

    python3 packaging/dev.py bench keys [--rounds 6] --json

The window is real, over the mailbox of the screenshots; label changes are made in the same process. Offscreen unless
QT_QPA_PLATFORM says otherwise. Only the window's own turns count: the pictures that tell whether a pixel changed are taken
between them. p50 and p95 in milliseconds for each key and over all; `cpu` is the CPU time of the window's thread in the same
stretch, which a busy machine changes little.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from app.config.paths import DataFolder  # noqa: E402
from app.store.reader.mailbox_reader import SqliteMailboxReader  # noqa: E402
from app.ui.startup.application import WindowOptions, build_window, make_application  # noqa: E402
from app.ui.window.main_window import MainWindow  # noqa: E402
from end_to_end.screenshots.mailbox import filled  # noqa: E402
from fakes.window.answering_engine import AnsweringEngine  # noqa: E402

GIVE_UP_MS = 1000.0
REST_MS = 120
NONE, CTRL, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEYS: tuple[tuple[str, Qt.Key, Qt.KeyboardModifier], ...] = (
    ("J", Qt.Key.Key_J, NONE),
    ("J again", Qt.Key.Key_J, NONE),
    ("K", Qt.Key.Key_K, NONE),
    ("X", Qt.Key.Key_X, NONE),
    ("Escape", Qt.Key.Key_Escape, NONE),
    ("S", Qt.Key.Key_S, NONE),
    ("E", Qt.Key.Key_E, NONE),
    ("Z", Qt.Key.Key_Z, NONE),
    (";", Qt.Key.Key_Semicolon, NONE),
    (":", Qt.Key.Key_Colon, SHIFT),
    ("R", Qt.Key.Key_R, NONE),
    ("Escape R", Qt.Key.Key_Escape, NONE),
    ("Ctrl+F", Qt.Key.Key_F, CTRL),
    ("Escape F", Qt.Key.Key_Escape, NONE),
    ("`", Qt.Key.Key_QuoteLeft, NONE),
    ("~", Qt.Key.Key_AsciiTilde, SHIFT),
    ("Ctrl+K", Qt.Key.Key_K, CTRL),
    ("Escape K", Qt.Key.Key_Escape, NONE),
    ("Ctrl+1 Review", Qt.Key.Key_1, CTRL),
    ("J in Review", Qt.Key.Key_J, NONE),
    ("Ctrl+8 Waiting", Qt.Key.Key_8, CTRL),
    ("Ctrl+5 Activity", Qt.Key.Key_5, CTRL),
    ("Ctrl+2 Inbox", Qt.Key.Key_2, CTRL),
)


Taken = tuple[float, float]
"""Wall time and the thread's CPU time in milliseconds."""


def now() -> Taken:
    return time.perf_counter() * 1000, time.thread_time() * 1000


class Paints(QObject):
    """Notes when the first painting ended: the first event that is not part of it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = False
        self.ended: Taken | None = None

    def start(self) -> None:
        self.seen, self.ended = False, None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.Paint:
            self.seen = True
        elif self.seen and self.ended is None:
            self.ended = now()
        return False


@dataclass
class Bench:
    app: QApplication
    window: MainWindow
    paints: Paints

    def picture(self) -> list[QImage]:
        """The window and what lies over it."""
        tops = [one for one in self.app.topLevelWidgets() if one.isVisible()]
        return [one.grab().toImage() for one in sorted(tops, key=lambda one: one is not self.window)]

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier) -> Taken | None:
        """The time to the first changed pixel; None if nothing changed."""
        before, wall, cpu = self.picture(), 0.0, 0.0
        target: QWidget = self.app.focusWidget() or self.window
        pressed = False
        while wall < GIVE_UP_MS:
            self.paints.start()
            began = now()
            if not pressed:
                QTest.keyClick(target, key, held)
                pressed = True
            self.app.processEvents()
            ended = now()
            painted = self.paints.ended or ended
            if self.paints.seen and self.picture() != before:
                return wall + painted[0] - began[0], cpu + painted[1] - began[1]
            wall, cpu = wall + ended[0] - began[0], cpu + ended[1] - began[1]
        return None


def shares(taken: list[Taken]) -> dict[str, float]:
    """The values that half and 95 % of the samples stay under."""
    found = {}
    for which, name in enumerate(("ms", "cpu_ms")):
        ordered = sorted(one[which] for one in taken)
        for part in (50, 95):
            found[f"p{part}_{name}"] = round(ordered[min(len(ordered) - 1, part * len(ordered) // 100)], 1)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-", ignore_cleanup_errors=True) as name:
        data = DataFolder(Path(name))
        data.prepare()
        app, store = make_application(), filled(data.database)
        reader = SqliteMailboxReader(data.database)
        window = build_window(data, reader, AnsweringEngine(store), WindowOptions(page="inbox", clock=store.clock))
        window.resize(1440, 900)
        window.show()
        window.activateWindow()
        QTest.qWait(1500)
        taken = _measured(Bench(app, window, Paints()), options.rounds)
        window.close()
        reader.close()
        store.close()
    every = [one for found in taken.values() for one in found]
    result = {
        "rounds": options.rounds,
        **shares(every),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
        "keys": {name: shares(found) for name, found in taken.items() if found},
        "nothing_changed": [name for name, found in taken.items() if not found],
    }
    print(json.dumps(result, indent=None if options.json else 2))
    return 0


def _measured(bench: Bench, rounds: int) -> dict[str, list[Taken]]:
    """Presses all keys in turn; the first round builds the pages and does not count."""
    bench.window.mail_page.take_focus()
    taken: dict[str, list[Taken]] = {name: [] for name, _key, _held in KEYS}
    for number in range(rounds + 1):
        for name, key, held in KEYS:
            bench.app.installEventFilter(bench.paints)
            found = bench.press(key, held)
            bench.app.removeEventFilter(bench.paints)  # not while views are deleted: PySide would wrap half of one
            if number and found is not None:
                taken[name].append(found)
            QTest.qWait(REST_MS)
    return taken


if __name__ == "__main__":
    sys.stdout.flush()
    code = main()
    sys.stdout.flush()
    os._exit(code)  # what Qt still holds need not be taken apart
