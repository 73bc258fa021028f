"""A window that is made once, and one with a real engine behind it.

Each test of the first runs in a fork of the process that made it: to make and paint a window costs 0.3 s of processor time, a
fork 0.03 s.
"""

import asyncio
import gc
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder
from app.store.db.database import Database
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.services.engine_bridge import EngineBridge
from app.ui.startup.application import WindowOptions, build_window
from app.ui.startup.single_instance import QtProgram
from app.ui.window.main_window import MainWindow
from fakes.engine.engine_process import environment
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.page_setup import bare_fusion
from fakes.window.recorded_engine import RecordedEngine


def shown_window(
    app: QApplication, data: DataFolder, store: LivelyStore, link: RecordedEngine
) -> tuple[MainWindow, SqliteMailboxReader]:
    """The whole window on screen, at Review."""
    bare_fusion(app)  # a window is built bare and dressed once
    reader = SqliteMailboxReader(data.database)
    options = WindowOptions(page="review", clock=store.clock, open_link=lambda address: None)
    window = build_window(data, reader, link, options)
    window.resize(1280, 820)
    window.show()
    assert QTest.qWaitForWindowExposed(window, 30_000)
    return window, reader


@dataclass
class ReadyWindow:
    """A window, what it stands on, and a copy of its folder."""

    window: MainWindow
    reader: SqliteMailboxReader
    link: RecordedEngine
    store: LivelyStore
    data: DataFolder
    loop: asyncio.AbstractEventLoop
    copy: Path

    def renewed_data(self) -> DataFolder:
        shutil.rmtree(self.data.root)
        shutil.copytree(self.copy, self.data.root)
        return self.data

    def opened_store(self) -> LivelyStore:
        """Its store, opened again."""
        self.store.db = Database.open(self.data.database)
        return self.store


SETTLE_MS = 300
"""For the timers that a new window starts."""
READY: list[ReadyWindow] = []
"""The ready window of this process, if it has one."""


def make_ready(folder: Path) -> None:
    """Makes the ready window of this process."""
    gc.disable()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    app = QtProgram(["pytest"])
    data, link = DataFolder(folder / "data"), RecordedEngine()
    data.prepare()
    store = lively_store(data.database)
    with patch("app.ui.message.body.web_refused", return_value=True):  # Chromium does not survive a fork
        window, reader = shown_window(app, data, store, link)
        QTest.qWait(SETTLE_MS)
    for timer in window.findChildren(QTimer):
        if timer.isSingleShot():  # else it would be due in every fork at once
            timer.stop()
    window.state.sync()  # ends its thread
    reader.close()
    store.close()
    shutil.copytree(data.root, folder / "copy")
    READY.append(ReadyWindow(window, reader, link, store, data, loop, folder / "copy"))
    gc.collect()
    gc.freeze()


NOWHERE = "http://127.0.0.1:9"
"""Nobody answers there: nothing can leave."""


@dataclass(frozen=True)
class EngineWindow:
    window: MainWindow
    bridge: EngineBridge
    reader: SqliteMailboxReader
    loop: qasync.QEventLoop


@contextmanager
def engine_window(app: QApplication, data: DataFolder, options: WindowOptions) -> Iterator[EngineWindow]:
    """A shown window over a data folder; `bridge.start` starts its engine. Both are ended in order."""
    app.setStyle("Fusion")
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader = SqliteMailboxReader(data.database)
    command = [sys.executable, "-m", "app", "engine", "--data", str(data.root)]
    bridge = EngineBridge(command, environment(NOWHERE, "x"), "tests")
    window = build_window(data, reader, bridge, options)
    window.resize(1280, 820)
    window.show()
    try:
        yield EngineWindow(window, bridge, reader, loop)
    finally:
        for one in QApplication.topLevelWidgets():
            one.close()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        bridge.stop()
        reader.close()
        loop.close()
