"""Runs a window after its first frame. Event loop, engine, tray, second starts, garbage collection and shutdown."""

import asyncio
import gc
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

import qasync
from PySide6.QtCore import QObject, QProcess, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder
from app.domain.errors import ExpectedError
from app.domain.ports.window import MailboxReader
from app.domain.protocol.events import ErrorReported
from app.ui.message.body import web_refused
from app.ui.services.async_task import end_all
from app.ui.services.engine_bridge import EngineBridge
from app.ui.services.files import SettingsReader
from app.ui.services.notices import may_have_account, watch_exceptions
from app.ui.startup.assembly import PagePreloader, assemble
from app.ui.startup.options import PROGRAM, WindowOptions
from app.ui.startup.single_instance import QtProgram, listen
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.window.desktop import Badge, QuitPrompt, WindowActivityReporter, ends_when_closed, make_tray
from app.ui.window.main_window import MainWindow

LOOK_MS = 500


def collect_due() -> int | None:
    """Collects the oldest generation whose threshold is passed. Returns its number, or None when none is due."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
    # Older generations count collections of the younger ones, so there is nothing new in them unless the youngest is due.
    if not due or due[0] != 0:
        return None
    gc.collect(due[-1])
    return due[-1]


class GarbageCollection(QObject):
    """Collects garbage on the window's thread only, on a timer between `start` and `stop`.

    Python collects on whichever thread passes a threshold. Qt objects may be destroyed only on their own thread, so a collection
    on another one (an import, the pipe to the engine, the keyring) could stop their timers from there or crash. Automatic
    collection is therefore off, and a timer collects between two events at Python's own thresholds.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, timerType=Qt.TimerType.CoarseTimer, interval=LOOK_MS)
        self._timer.timeout.connect(collect_due)

    def start(self) -> None:
        """Turns automatic collection off and freezes existing objects. Modules and the first page are not scanned again."""
        gc.disable()
        gc.freeze()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()


WARM_AFTER_MS = 1500
"""Delay that leaves a core to the starting engine."""
WARM_PAGES = ("review", "mail", "outbox", "assistant", "activity", "memory", "compose", "settings")
WARM_MODULES = ("app.ui.pages.outbox", *(f"app.ui.pages.{page}.page" for page in WARM_PAGES if page != "outbox"))
WEB_MODULE = "app.ui.message.web_view"


def run(
    app: QApplication,
    window: MainWindow,
    data: DataFolder,
    reader: MailboxReader,
    engine_command: Sequence[str],
    looks: tuple[Appearance, Icons],
    options: WindowOptions,
    engine: QProcess,
) -> int:
    """Fills the window, runs the event loop, then stops the engine. `engine` is the process spawned behind the first frame.
    Returns the exit code.
    """
    bridge = EngineBridge(engine_command, os.environ, PROGRAM, data.undelivered, engine)
    assemble(window, data, reader, bridge, *looks, options)
    if isinstance(app, QtProgram):  # addresses to write to, also those received before the window was complete
        app.opened.connect(window.asked_to_write)
        for address in app.hear():
            window.asked_to_write.emit(address)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    stop_watching = watch_exceptions(lambda code, text: window.hear(ErrorReported(code, text)), loop)
    settings = SettingsReader(data.settings).read
    tray = make_tray(window, app, bridge, reader, settings, options.clock)
    badge = Badge(app, tray, looks[0].colour("accent"), window)
    window.counted.connect(badge.show_counts)
    leaving = QuitPrompt(window, reader, bridge, options.clock)

    def closed() -> None:
        if options.sample or ends_when_closed(tray, settings()):
            QTimer.singleShot(0, leaving, lambda: leaving.ask(loop.stop))

    window.quitting.connect(lambda: leaving.ask(loop.stop))
    window.closing.connect(closed)
    _begin(app, window, bridge, options)
    rest = begin_idle_work(window)
    servers = []
    # Later, because QtNetwork takes 20 ms to import. Until then a second start tries again.
    QTimer.singleShot(
        WARM_AFTER_MS, window, lambda: servers.append(listen(data.root, window.bring_to_front, window.asked_to_write.emit))
    )
    try:
        loop.run_forever()
    finally:
        rest()
        window.hide()
        window.ended.emit()
        window.state.sync()
        end_all(loop)
        badge.show_counts(0, 0, 0)
        for server in servers:
            server.close()
        stop_watching()
        bridge.stop()
        reader.close()
        loop.close()
    return window.exit_code


def _begin(app: QApplication, window: MainWindow, bridge: EngineBridge, options: WindowOptions) -> None:
    """Starts the engine with the first turn of the loop. A window that was closed during its start is closed now."""
    bridge.down.connect(window.status.engine_down)
    bridge.repairs.connect(window.status.engine_repairs)
    bridge.started.connect(window.status.engine_starting)
    WindowActivityReporter(app, bridge, window)
    if options.prepared is not None:
        options.prepared(bridge)
    QTimer.singleShot(0, bridge.start)
    if options.ready is not None:
        QTimer.singleShot(0, window, options.ready)
    if window.was_closed:
        window.closing.emit()


def begin_idle_work(window: MainWindow) -> Callable[[], None]:
    """Starts garbage collection, and soon page preloading, between events. Returns a function that stops both."""
    collecting, context = GarbageCollection(window), window.context
    collecting.start()
    steps: list[Callable[[], object]] = []
    for page in WARM_PAGES:
        steps += [partial(step, page) for step in (window.make_ahead, window.page, window.steps_ahead)]
    steps.append(gc.freeze)  # the pages stay, and searching them for garbage stops the window for 30 ms
    read = partial(read_waiting, context.reader.apart(), context.clock())
    warming = PagePreloader(warm_modules(may_have_account(window.accounts)), steps, window, read)
    QTimer.singleShot(WARM_AFTER_MS, warming, warming.start)

    def stop() -> None:
        warming.stop()
        collecting.stop()

    return stop


def warm_modules(there_is_mail: bool) -> tuple[str, ...]:
    """Modules to import ahead. With mail this includes the HTML view, which nearly every mailbox needs: 30 MB, 9 of them our own,
    and two thirds of the time for which the first HTML mail blocks the window. The rest of Chromium (100 MB here, plus
    processes) is loaded with that mail.
    """
    return (*WARM_MODULES, WEB_MODULE) if there_is_mail and not web_refused() else WARM_MODULES


def read_waiting(reader: MailboxReader, now: datetime) -> None:
    """Reads the list of Waiting once, for a thread. What it finds in sent mail is kept, so Today and Waiting need 35 ms for what
    stopped the window for half a second.
    """
    from app.ui.pages.overview.waiting import LONGEST_AGO

    with suppress(ExpectedError):
        reader.waiting(now, now - LONGEST_AGO)
    reader.close()
