"""Makes and runs the window. A start has two steps: the first frame, painted with few imports, and everything else after it.

Importing this module must stay cheap: what the first frame does not need is imported later.
"""

import os
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.config.appearance import first_looks
from app.config.paths import DataFolder, resource
from app.ui.i18n.translation import load_language
from app.ui.navigation.places import places
from app.ui.session.ini_file import WindowState
from app.ui.session.session_store import last_page
from app.ui.startup.options import PROGRAM as PROGRAM
from app.ui.startup.options import WindowOptions as WindowOptions
from app.ui.startup.single_instance import QtProgram, SingleInstance, start_again
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons, icon_font_file, read_glyphs
from app.ui.window.first_frame import FirstFrame
from app.ui.window.main_window import RESTART, MainWindow

if TYPE_CHECKING:
    from app.domain.ports.window import EngineLink, MailboxReader

FRAME_LIMIT_MS = 1000
"""A window that starts hidden or covered may never paint, so the start goes on after this time."""
BEHIND = (
    "app.domain.mail.message",
    "app.domain.protocol.events",
    "app.domain.agents.tools",
    "app.domain.policy.policy",
    "app.domain.protocol.commands",
    "app.domain.ports.window",
    "app.config.settings",
    "app.ui.actions",
    "app.ui.navigation.view",
    "app.ui.window.event_handler",
    "app.ui.window.window_actions",
    "asyncio",
    "app.ui.pages.mail.page",
    "app.ui.startup.assembly",
    "qasync",
    "app.ui.startup.run_window",
)
"""Modules imported after the first frame, dependencies first. Between two of them the window answers the desktop."""


def make_application() -> QApplication:
    """Makes the QApplication, or returns the existing one. It shares OpenGL contexts, so that a web view can be made later."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    # The style is an argument because calling setStyle loads all of QStyle into Python: 10 ms before the first frame.
    app = QtProgram([PROGRAM, "-style", "Fusion"])
    app.setApplicationName(PROGRAM)
    app.setDesktopFileName("replyroom")
    app.setQuitOnLastWindowClosed(False)
    return app


def tell_failure(words: str) -> None:
    """Says in a window why the program cannot start: one started from the desktop has no terminal."""
    from PySide6.QtWidgets import QMessageBox

    make_application()
    QMessageBox.critical(None, "Replyroom", words)


def build_window(
    data: DataFolder, reader: "MailboxReader", link: "EngineLink", options: WindowOptions | None = None
) -> MainWindow:
    """Makes a complete window over any reader and link, not shown yet. Call `make_application` first."""
    from app.ui.startup.assembly import assemble

    appearance, icons = wear(make_application(), data)
    window = MainWindow(WindowState(data.window_state))
    assemble(window, data, reader, link, appearance, icons, options or WindowOptions())
    return window


def wear(app: QApplication, data: DataFolder) -> tuple[Appearance, Icons]:
    """Applies language, theme and fonts from the settings. Call it before widgets are made."""
    looks = first_looks(data.settings)
    load_language(app, looks.language)
    appearance = Appearance(app)
    appearance.choose(looks.theme, looks.text_size)
    return appearance, Icons(appearance, read_glyphs(resource("icons", "icons.toml")), icon_font_file())


def run_window(
    data: DataFolder,
    open_reader: "Callable[[], MailboxReader]",
    engine_command: Sequence[str],
    options: WindowOptions | None = None,
) -> int:
    """Shows the window, runs until the user quits, stops the engine. Returns the exit code, 0 also when another window of this
    folder was brought to the front instead. A sample window that must start again returns `RESTART`.
    """
    options = options or WindowOptions()
    app = make_application()
    only_one = SingleInstance(data)
    if only_one.raised_other(options.mailto):
        return 0
    looks = wear(app, data)
    window = MainWindow(WindowState(data.window_state))
    page = options.page or last_page(window.state)
    compact = first_looks(data.settings).compact
    first = FirstFrame(*looks, places(), page, window.state, options.glance(page), options.clock(), compact)
    window.setCentralWidget(first)
    frame = QEventLoop()
    window.first_painted.connect(frame.quit)
    QTimer.singleShot(FRAME_LIMIT_MS, frame.quit)
    window.show()
    frame.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)  # user input is kept until the widgets exist
    if options.first_paint is not None:
        options.first_paint(time.perf_counter())
    from app.ui.services.engine_process import spawn

    engine = spawn(engine_command, os.environ)
    for name in BEHIND:
        import_module(name)
        turn = QEventLoop()
        QTimer.singleShot(0, turn.quit)
        turn.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    from app.ui.startup.run_window import run

    try:
        code = run(app, window, data, open_reader(), engine_command, looks, options, engine)
    finally:
        only_one.release()
    if code == RESTART and not options.sample:
        start_again()
        return 0
    return code
