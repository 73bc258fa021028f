"""Making and running the window: looks, language, context, one instance, the engine behind it, an orderly end.

The window paints from the file first; asyncio, the event loop and the engine come after that. Nothing heavy is imported here.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEventLoop, QSettings, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder, resource
from app.domain.events import Trouble
from app.domain.ids import MessageId, ReviewId
from app.domain.letter import Letter
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.routing import Rule
from app.ui.actions import build_actions
from app.ui.appearance import Appearance
from app.ui.bridge import Bridge
from app.ui.collecting import Collecting
from app.ui.compose.keeping import Kept
from app.ui.context import Context
from app.ui.faults import watch_faults
from app.ui.icons import Icons, icon_font_file, read_glyphs
from app.ui.leaving import Leaving
from app.ui.main_window import MainWindow
from app.ui.pages import FACTORIES
from app.ui.palette.keys import KeyTable
from app.ui.settings_file import SettingsFile
from app.ui.single import listen, raise_first
from app.ui.theme import load_theme
from app.ui.toast import Toast
from app.ui.translation import load_language
from app.ui.tray import make_tray
from app.ui.warming import Warming

if TYPE_CHECKING:
    from app.ui.settings.page import SettingsPage

PROGRAM = "Replyroom"
FRAME_LIMIT_MS = 1000
"""A window that starts hidden or covered may not paint at all."""
WARM_AFTER_MS = 1500
"""The engine starts first; it has a core to itself then."""
WARM_PAGES = ("review", "mail", "outbox", "activity", "memory", "compose", "settings")
WARM_MODULES = tuple(f"app.ui.{page}.page" for page in WARM_PAGES)


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """`sample_command` starts the demo on the sample mailbox; `first_paint` is told `time.perf_counter()` at the first
    painting; `page` opens there instead of where the user left; `clock` is the time that lists show; `prepared` is handed
    the window's link before the engine starts."""

    sample_command: tuple[str, ...] = ()
    first_paint: Callable[[float], None] | None = None
    page: str = ""
    prepared: Callable[[EngineLink], None] | None = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    open_link: Callable[[str], object] = lambda address: QDesktopServices.openUrl(QUrl(address))


class Shell:
    """Notices and navigation before and after the window exists: pages are handed this, the window is put in."""

    def __init__(self) -> None:
        self.window: MainWindow | None = None
        self.toast: Toast | None = None
        self._came_from = ""

    def tell(self, words: str, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000) -> None:
        """Show a notice."""
        if self.toast is not None:
            self.toast.tell(words, action, act, for_ms)

    def show_page(self, name: str) -> None:
        """Open a page."""
        if self.window is not None:
            self.window.show_page(name)

    def show_message(self, message_id: MessageId) -> None:
        """Open a message."""
        if self.window is not None:
            self.window.show_message(message_id)

    def show_review(self, review_id: ReviewId) -> None:
        """Open a review."""
        if self.window is not None:
            self.window.show_review(review_id)

    def show_letter(self, letter: Letter) -> None:
        """Write a letter."""
        if self.window is None:
            return
        if self.window.name != "compose":
            self._came_from = self.window.name
        self.window.compose_page.open(letter)
        self.window.show_page("compose")

    def leave_letter(self) -> None:
        """Back to where writing began."""
        self.show_page(self._came_from or "review")

    def make_rule(self, rule: Rule) -> None:
        """Write a routing rule."""
        if self.window is not None:
            self.window.show_page("settings")
            cast("SettingsPage", self.window.page("settings")).begin_rule(rule)

    def search(self, text: str) -> None:
        """Show what a search finds."""
        if self.window is not None:
            self.window.show_page("search")
            self.window.search_page.look_for(text)

    def open_link(self, address: str, elsewhere: Callable[[str], object]) -> None:
        """A mail address begins a letter; anything else is shown by the system."""
        accounts = self.window.accounts() if self.window is not None else ()
        if address.lower().startswith("mailto:") and accounts:
            from app.ui.compose.starting import from_mailto

            self.show_letter(from_mailto(address, accounts[0].id))
        else:
            elsewhere(address)


def make_application(arguments: Sequence[str] = ()) -> QApplication:
    """The QApplication, ready for a browser view that is made later."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication([PROGRAM, *arguments])
    app.setApplicationName(PROGRAM)
    app.setDesktopFileName("replyroom")
    app.setStyle("Fusion")
    app.setQuitOnLastWindowClosed(False)
    return app


def build_window(
    data: DataFolder, reader: MailboxReader, link: EngineLink, options: WindowOptions = WindowOptions()
) -> MainWindow:
    """A window over any reader and link, not shown yet. Needs `make_application` before."""
    app = make_application()
    settings = SettingsFile(data.settings)
    looks = settings.read().appearance
    load_language(app, looks.language)
    themes = [load_theme(resource("themes", f"{name}.toml")) for name in ("light", "dark")]
    appearance = Appearance(themes[0], themes[1], app)
    appearance.choose(looks.theme, looks.text_percent / 100)
    icons = Icons(appearance, read_glyphs(resource("icons", "icons.toml")), icon_font_file())
    shell = Shell()
    actions: dict[str, QAction] = build_actions(icons.icon, app)
    context = Context(
        reader=reader,
        link=link,
        appearance=appearance,
        icons=icons,
        actions=actions,
        notices=shell,
        navigator=shell,
        settings=settings.read,
        state=QSettings(str(data.window_state), QSettings.Format.IniFormat),
        clock=options.clock,
        open_link=lambda address: shell.open_link(address, options.open_link),
        save_folder=Path.home(),
        sample_command=options.sample_command,
    )
    window = MainWindow(context, FACTORIES)
    shell.window, shell.toast = window, Toast(window)
    for action in actions.values():
        action.setParent(window)
    window.destroyed.connect(link.subscribe(window.hear))
    Kept(context.state).resend(link)
    KeyTable(context.state, actions).apply()
    window.show_page(options.page or first_page(context))
    appearance.apply(looks.theme, looks.text_percent / 100)
    return window


def first_page(context: Context) -> str:
    """Where to begin: welcome without an account, else where the user left, else Review."""
    if not context.reader.accounts():
        return "welcome"
    return str(context.state.value("window/page", "review"))


def run_window(
    data: DataFolder, reader: MailboxReader, engine_command: Sequence[str], options: WindowOptions = WindowOptions()
) -> int:
    """Show the window and run until the user quits; the engine is ended in order."""
    app = make_application()
    if raise_first(data.root):
        return 0
    bridge = Bridge(engine_command, os.environ, PROGRAM, data.undelivered)
    window = build_window(data, reader, bridge, options)
    if options.prepared is not None:
        options.prepared(bridge)
    bridge.down.connect(window.status.engine_down)
    bridge.started.connect(window.status.engine_starting)
    server = listen(data.root, window.come_forward)
    _paint_first(window, options)
    import asyncio

    import qasync

    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    stop_watching = watch_faults(lambda code, detail: window.hear(Trouble(code, detail, "", bug=True)), loop)
    tray = make_tray(window, app, bridge, reader, SettingsFile(data.settings).read, options.clock)
    leaving = Leaving(window, reader, bridge, options.clock)
    window.quitting.connect(lambda: leaving.ask(loop.stop))
    if tray is None:
        window.closing.connect(lambda: QTimer.singleShot(0, leaving, lambda: leaving.ask(loop.stop)))
    QTimer.singleShot(0, bridge.start)
    rest = begin_idle_work(window)
    try:
        loop.run_forever()
    finally:
        rest()
        window.hide()
        server.close()
        stop_watching()
        bridge.stop()
        reader.close()
        loop.close()
    return 0


def begin_idle_work(window: MainWindow) -> Callable[[], None]:
    """Garbage and pages are seen to between two events; returns the way to stop."""
    collecting = Collecting(window)
    collecting.start()
    warming = warm_pages(window)

    def stop() -> None:
        warming.stop()
        collecting.stop()

    return stop


def warm_pages(window: MainWindow) -> Warming:
    """Have the pages ready soon after the start; to be stopped before the window ends."""
    warming = Warming(WARM_MODULES, WARM_PAGES, window.page, window)
    QTimer.singleShot(WARM_AFTER_MS, warming, warming.start)
    return warming


def _paint_first(window: MainWindow, options: WindowOptions) -> None:
    """Show the window and see its first frame out, before the rest is imported; what is pressed meanwhile waits."""
    if options.first_paint is not None:
        tell = options.first_paint
        window.first_painted.connect(lambda: tell(time.perf_counter()))
    frame = QEventLoop()
    window.first_painted.connect(frame.quit)
    QTimer.singleShot(FRAME_LIMIT_MS, frame.quit)
    window.show()
    frame.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    sys.stdout.flush()
