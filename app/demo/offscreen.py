"""The window offscreen with its engine behind it, for the session that plays by itself and for screenshots."""

import asyncio
import os
from pathlib import Path

import qasync

from app.config.paths import DataFolder
from app.demo.local_server import LocalServer
from app.demo.report import Report
from app.demo.script import Session, Stage
from app.demo.watching import Watcher
from app.store.mailbox import SqliteMailbox
from app.ui.application import PROGRAM, WindowOptions, build_window, make_application
from app.ui.bridge import Bridge
from app.ui.shots import take

SIZE = (1440, 900)


def play(data: DataFolder, server: LocalServer, engine: list[str], days: int, limit_s: float, shots: Path | None) -> Report:
    """Build the window, play the session, take screenshots if asked for, end the engine in order."""
    app = make_application()
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader = SqliteMailbox(data.database)
    bridge = Bridge(engine, os.environ, PROGRAM)
    watcher = Watcher(bridge, limit_s)
    window = build_window(data, reader, bridge, WindowOptions(page="review"))
    window.resize(*SIZE)
    window.first_painted.connect(bridge.start)
    window.show()
    try:
        report: Report = loop.run_until_complete(Session(Stage(data, server, bridge, reader, window, watcher, days)).play())
        if shots is not None:
            take(window, shots)
        return report
    finally:
        watcher.close()
        window.close()
        bridge.stop()
        reader.close()
        loop.close()
