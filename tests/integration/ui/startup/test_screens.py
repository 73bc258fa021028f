"""The window on screens of several sizes: each start is a real program with that screen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from fakes.engine.store.sample_store import LivelyStore

ROOT = Path(__file__).resolve().parents[4]
PROGRAM = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication
from app.config.paths import DataFolder
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.startup.application import WindowOptions, build_window, make_application
from fakes.window.recorded_engine import RecordedEngine

app = make_application()
data = DataFolder(Path(sys.argv[1]))
window = build_window(data, SqliteMailboxReader(data.database), RecordedEngine(), WindowOptions(page="review"))
window.show()
window.activateWindow()
for _ in range(40):
    app.processEvents()
free = window.screen().availableGeometry()

def rect(widget):
    place = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    return {"shown": widget.isVisible(), "inside": free.contains(place), "place": place.getRect()}

approve = next(
    one
    for one in window.review_page.findChildren(QAbstractButton)
    if one.isVisible() and (window.actions_by_id["review.approve"] in one.actions() or "pprove" in one.text())
)
seen = {
    "screen": window.screen().name(),
    "window": rect(window),
    "status": rect(window.status),
    "approve": rect(approve),
}
window.close()
print(json.dumps(seen))
"""


def started(data: DataFolder, tmp_path: Path, screens: list[tuple[int, int, int]]) -> dict[str, dict[str, object]]:
    """What a program saw that opened its window on these screens: width, height and factor, side by side."""
    left, made = 0, []
    for number, (width, height, factor) in enumerate(screens):
        made.append(
            {"name": f"screen{number}", "x": left, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": factor}
        )
        left += width
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": made}), encoding="utf-8")
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests"))),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(data.root)], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, object]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("screen", [(1366, 768, 1), (1280, 720, 2), (900, 600, 1)])
def test_the_first_window_fits_the_screen(
    data: DataFolder, store: LivelyStore, tmp_path: Path, screen: tuple[int, int, int]
) -> None:
    seen = started(data, tmp_path, [screen])
    for name in ("window", "status", "approve"):
        assert seen[name]["shown"] and seen[name]["inside"], (name, seen)


def test_a_window_of_a_lost_screen_comes_back_on_the_one_that_is_left(
    data: DataFolder, store: LivelyStore, tmp_path: Path
) -> None:
    started(data, tmp_path, [(2560, 1440, 1)])
    seen = started(data, tmp_path, [(1280, 720, 1)])
    for name in ("window", "status", "approve"):
        assert seen[name]["inside"], (name, seen)
