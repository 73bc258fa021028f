"""Runs the window offscreen with its engine for the scripted session, and takes screenshots of every page and theme."""

import asyncio
import os
from pathlib import Path

import qasync
from PySide6.QtCore import QEventLoop, QTimer

from app.config.paths import DataFolder
from app.demo.local_server import LocalServer
from app.demo.report import Report
from app.demo.script import DemoSession, DemoStage, EventWatcher
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.navigation.places import PAGES
from app.ui.services.engine_bridge import EngineBridge
from app.ui.startup.application import PROGRAM, WindowOptions, build_window, make_application
from app.ui.window.main_window import MainWindow

SETTLE_MS = 350


def take(window: MainWindow, folder: Path, pages: tuple[str, ...] = (*PAGES, "welcome")) -> list[Path]:
    """Writes `page-theme.png` for each page and theme into `folder` and returns the files. Restores the theme and the page."""
    folder.mkdir(parents=True, exist_ok=True)
    appearance = window.appearance
    before = (appearance.choice, appearance.text_size)
    page_before = window.name
    written: list[Path] = []
    for theme in ("light", "dark"):
        appearance.apply(theme, before[1])
        for page in pages:
            window.show_page(page)
            written.append(shoot(window, folder / f"{page}-{theme}.png"))
    appearance.apply(*before)
    window.show_page(page_before)
    return written


def shoot(window: MainWindow, file: Path) -> Path:
    """Grabs the window after it has settled. Runs a nested event loop: never call it inside a coroutine."""
    settle(SETTLE_MS)
    window.grab().save(str(file))
    return file


def settle(ms: int) -> None:
    """Runs timers and repaints for `ms` milliseconds."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


SIZE = (1440, 900)


def play(data: DataFolder, server: LocalServer, engine: list[str], days: int, limit_s: float, shots: Path | None) -> Report:
    """Plays the session in an offscreen window and ends the engine.

    With `shots` also writes screenshots there.
    """
    app = make_application()
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader = SqliteMailboxReader(data.database)
    bridge = EngineBridge(engine, os.environ, PROGRAM)
    watcher = EventWatcher(bridge, limit_s)
    window = build_window(data, reader, bridge, WindowOptions(page="review", sample=True))
    window.resize(*SIZE)
    window.first_painted.connect(bridge.start)
    window.show()
    try:
        report: Report = loop.run_until_complete(
            DemoSession(DemoStage(data, server, bridge, reader, window, watcher, days)).play()
        )
        if shots is not None:
            take(window, shots)
        return report
    finally:
        watcher.close()
        window.close()
        bridge.stop()
        reader.close()
        loop.close()
