"""Starting and ending: first paint before the engine, one window per folder, settings and language, an orderly end."""

import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.events import EngineReady, OutboxChanged, ReviewReady
from app.main import main
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.services.files import SettingsReader
from app.ui.startup.application import WindowOptions, build_window
from app.ui.window.desktop import NewMail, TrayNews, announce, looked_at, make_tray, news
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine

ROOT = Path(__file__).resolve().parents[4]
PROGRAM = """
import json, sys, time
from pathlib import Path
from app.config.paths import DataFolder
from app.store.reader.glance import glance
from app.ui.startup.application import WindowOptions, run_window
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

LATER = (
    "app.domain.protocol.commands",
    "app.store.reader.mailbox_reader",
    "app.ui.services.engine_bridge",
    "msgspec",
    "asyncio",
    "PySide6.QtNetwork",
    "argparse",  # with what Shiboken says about wrong arguments
)
data = DataFolder(Path(sys.argv[1]))
seen, asked = {}, []

def the_window():
    return next(one for one in QApplication.topLevelWidgets() if type(one).__name__ == "MainWindow")

def glanced(page):
    found = glance(data.database, page, 5)
    seen["rows"] = len(found.rows)
    return found

def painted(at):
    seen["early"] = [name for name in LATER if name in sys.modules]
    seen["first"] = type(the_window().centralWidget()).__name__
    seen["visible"] = the_window().isVisible()
    seen["style"] = QApplication.style().name()
    seen["engine_before_paint"] = Path(sys.argv[2]).exists()

def open_reader():
    from app.store.reader.mailbox_reader import SqliteMailboxReader
    return SqliteMailboxReader(data.database)

def ready():
    window = the_window()
    seen["heavy"] = [name for name in ("PySide6.QtWebEngineCore", "app.link.server") if name in sys.modules]
    seen["page"] = window.name
    try:
        QTimer().start("soon")
    except TypeError as wrong:
        seen["wrong"] = [line.strip() for line in str(wrong).splitlines()][1:4:2]
    window_font = next(one for one in QApplication.allWidgets() if type(one).__name__ == "KeyButton").font().pointSizeF()
    seen["same_font"] = abs(window_font - QApplication.font().pointSizeF()) < 0.01 and QApplication.font().pointSizeF() > 9.5
    def end():
        seen["title"] = window.windowTitle()
        window.close()
        QTimer.singleShot(300, quit)  # mail is on its way: who asks twice means it
    def quit():
        import asyncio
        asked.append(asyncio.ensure_future(asyncio.Event().wait()))
        window.quitting.emit()
    def wait():
        if Path(sys.argv[2]).exists():
            end()
        else:
            QTimer.singleShot(20, wait)
    wait()

echo = "runpy.run_module('fakes.engine.echo_engine', run_name='__main__')"
code = f"import pathlib, runpy, sys; pathlib.Path(sys.argv[1]).touch(); {echo}"
engine = [sys.executable, "-c", code, sys.argv[2]]
options = WindowOptions(glance=glanced, first_paint=painted, ready=ready)
seen["code"] = run_window(data, open_reader, engine, options)
seen["given_up"] = [one.cancelled() for one in asked]
print(json.dumps(seen))
"""


def environment() -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    return {**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"}


def test_a_run_paints_first_starts_the_engine_then_and_ends_it(data: DataFolder, store: LivelyStore, tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(data.root), str(tmp_path / "engine")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment(), check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen == {
        "rows": 5,
        "early": [],
        "first": "FirstFrame",
        "visible": True,
        "engine_before_paint": False,
        "heavy": [],
        "page": "review",
        "wrong": ["PySide6.QtCore.QTimer.start(str)", "PySide6.QtCore.QTimer.start()"],
        "same_font": True,
        "style": "fusion",
        "title": "Replyroom",
        "code": 0,
        "given_up": [True],
    }
    assert "in order" in done.stderr


def test_settings_are_read_again_when_the_file_changes(data: DataFolder) -> None:
    file = SettingsReader(data.settings)
    assert file.read().sending.undo_s == 10
    data.settings.write_text("[sending]\nundo_s = 30\n", encoding="utf-8")
    assert file.read().sending.undo_s == 30
    data.settings.write_text("[sending]\nundo_s = 'x'\n", encoding="utf-8")
    assert file.read().sending.undo_s == 30
    assert file.error.line == 2
    data.settings.write_text("[sending]\nundo_s = 31\n", encoding="utf-8")
    assert file.read().sending.undo_s == 31
    assert file.error is None


def build(data: DataFolder, page: str = "") -> tuple[object, SqliteMailboxReader]:
    reader = SqliteMailboxReader(data.database)
    return build_window(data, reader, RecordedEngine(), WindowOptions(page=page)), reader


def test_the_window_opens_where_the_user_left(qtbot: QtBot, qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    data.session.write_text('{"window": {"page": "outbox"}}')
    window, reader = build(data)
    qtbot.addWidget(window)
    assert window.name == "outbox"  # type: ignore[attr-defined]
    reader.close()


def test_theme_and_language_follow_the_settings(qtbot: QtBot, qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    data.settings.write_text('[appearance]\ntheme = "dark"\nlanguage = "cs"\ntext_percent = 125\n', encoding="utf-8")
    before = QLocale()
    window, reader = build(data, "review")
    qtbot.addWidget(window)
    assert window.appearance.theme.dark  # type: ignore[attr-defined]
    assert window.appearance.text_size == 1.25  # type: ignore[attr-defined]
    assert QLocale().language() is QLocale.Language.Czech
    assert QCoreApplication.translate("Views", "Inbox") == "Doručená pošta"
    reader.close()
    QLocale.setDefault(before)
    data.settings.unlink()
    window, reader = build(data, "review")
    qtbot.addWidget(window)
    reader.close()


def test_the_desktop_is_told_only_while_nobody_looks(
    qtbot: QtBot, qapp: QApplication, data: DataFolder, store: LivelyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, reader = build(data, "review")
    qtbot.addWidget(window)
    ready = ReviewReady(store.reviews["meeting"], "reply")
    assert news(ready, reader) is TrayNews.REVIEW
    assert news(EngineReady(1.0, ""), reader) is None
    held = next(row.item.id for row in reader.outbox() if row.item.state is OutboxState.HELD)
    sent = next(row.item.id for row in reader.outbox() if row.item.state is OutboxState.SENT)
    assert news(OutboxChanged((held, sent)), reader) is TrayNews.STOPPED
    assert news(OutboxChanged((sent,)), reader) is None
    assert not looked_at(window)  # type: ignore[arg-type]
    window.show()  # type: ignore[attr-defined]
    window.activateWindow()  # type: ignore[attr-defined]
    qtbot.waitUntil(window.isActiveWindow)  # type: ignore[attr-defined]
    assert looked_at(window)  # type: ignore[arg-type]
    monkeypatch.setattr(type(window), "isActiveWindow", lambda _self: True)  # as openbox leaves it where no other window is
    window.showMinimized()  # type: ignore[attr-defined]
    assert not looked_at(window), "nobody sees new mail there"  # type: ignore[arg-type]
    waiting = {TrayNews.REVIEW, TrayNews.STOPPED}
    mail = NewMail(reader, store.clock, lambda: "never")
    announce(QSystemTrayIcon(window), mail, waiting)  # type: ignore[arg-type]
    assert not waiting
    reader.close()


def test_without_a_tray_there_is_no_tray_icon(qtbot: QtBot, qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    window, reader = build(data, "review")
    qtbot.addWidget(window)
    settings = SettingsReader(data.settings).read
    assert make_tray(window, qapp, RecordedEngine(), reader, settings, store.clock) is None  # type: ignore[arg-type]
    reader.close()


@pytest.fixture(autouse=True)
def fusion(qapp: QApplication) -> None:
    qapp.setStyle("Fusion")


def test_a_folder_that_cannot_be_used_is_told_in_a_window(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who starts the program from the desktop sees no terminal."""
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")  # as for a user; this process has its platform already
    (tmp_path / "file").touch()
    told: list[str] = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        told.append(box.text())
        box.accept()

    QTimer.singleShot(100, look)
    try:
        assert main(["--data", str(tmp_path / "file" / "data")]) == 2
    finally:
        gc.enable()
    assert str(tmp_path / "file" / "data") in told[0]
