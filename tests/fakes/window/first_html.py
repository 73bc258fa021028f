"""Opens the first HTML mail with `j` on a real screen, presses more keys meanwhile, then uses a notice that covers the mail.

Run as a script with a folder for the store; prints the result as one line of JSON.
"""

import asyncio
import gc
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import qasync
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QWidget

from app.config.paths import DataFolder
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.startup.application import WindowOptions, build_window, make_application
from app.ui.startup.run_window import begin_idle_work
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import lively_store
from fakes.window.recorded_engine import RecordedEngine

SUBJECT = "Invoice for the accountant"
DIGITS = [str(number % 10) for number in range(40)]
PATIENCE_S = 60.0


class Arrived(QObject):
    """Records the digit keys that reach the list."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.keys: list[str] = []
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Records digits and passes all events on."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.text() in DIGITS:
            self.keys.append(event.text())
        return False


async def until(holds: Callable[[], bool]) -> None:
    """Runs the event loop until a condition holds or the time is over."""
    end = asyncio.get_running_loop().time() + PATIENCE_S
    while not holds() and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(0.02)


async def hands(*words: object) -> None:
    """Sends real keys and pointer events with xdotool."""
    process = await asyncio.to_thread(os.spawnlp, os.P_WAIT, "xdotool", "xdotool", *map(str, words))
    assert process == 0


def web_of(window: MainWindow) -> QWidget | None:
    """Chromium's view, once it exists."""
    return window.mail_page.reading.body.web


def shown(window: MainWindow) -> bool:
    """Whether HTML mail is visible."""
    web = web_of(window)
    return web is not None and web.isVisible()


def seen(one: QWidget) -> QImage:
    """A screenshot of the top of a widget."""
    at = one.mapToGlobal(QPoint(10, 10))
    return one.screen().grabWindow(0, at.x(), at.y(), 200, 300).toImage()


async def opened(window: MainWindow) -> dict[str, object]:
    """Which keys arrived, and whether the window was replaced."""
    mail = window.mail_page
    await until(lambda: window.isActiveWindow() and len(mail.model.ids) > 1)
    rows = [mail.model.record(row) for row in range(len(mail.model.ids))]
    mail.list.select_row(next(row for row, one in enumerate(rows) if one is not None and one.subject == SUBJECT) - 1)
    mail.list.setFocus()
    await until(lambda: mail.reading.settled and mail.list.hasFocus())
    arrived, before = Arrived(mail.list), int(window.winId())
    first = web_of(window) is None
    await hands("key", "--delay", 50, "j", *DIGITS)
    await until(lambda: shown(window) and len(arrived.keys) == len(DIGITS))
    acted: list[int] = []
    (toast,) = window.findChildren(Toast)
    toast.tell("Archived", "Undo", lambda: acted.append(1), for_ms=600_000)
    web = web_of(window)
    toast.move(web.mapTo(window, QPoint(60, 60)))
    at = toast.action.mapToGlobal(toast.action.rect().center())
    await hands("mousemove", at.x(), at.y(), "sleep", 0.2, "click", 1)
    await until(lambda: bool(acted))
    list_seen = seen(mail.list)
    window.showMinimized()
    await until(lambda: not window.windowHandle().isExposed())
    window.showNormal()
    await until(lambda: window.windowHandle().isExposed() and seen(mail.list) == list_seen)
    return {
        "painted_again": seen(mail.list) == list_seen,
        "arrived": "".join(arrived.keys),
        "same_window": int(window.winId()) == before,
        "shown": first and shown(window),
        "clicked_over_it": bool(acted),
    }


def main() -> None:
    """Opens a window over a new store with a recorded engine."""
    gc.disable()
    data = DataFolder(Path(sys.argv[1]))
    data.prepare()
    made = lively_store(data.database)
    made.close()
    loop = qasync.QEventLoop(make_application())
    asyncio.set_event_loop(loop)
    reader = SqliteMailboxReader(data.database)
    window = build_window(data, reader, RecordedEngine(), WindowOptions(page="inbox", clock=made.clock))
    window.show()
    rest = begin_idle_work(window)
    print(json.dumps(loop.run_until_complete(opened(window))), flush=True)
    rest()
    window.close()
    reader.close()
    loop.close()


if __name__ == "__main__":
    main()
