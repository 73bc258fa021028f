"""What a page of the window needs: real theme, icons and actions, a reader over a real file, a recorded engine."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLabel, QLineEdit, QScrollBar, QWidget

from app.config.paths import DataFolder, resource
from app.config.settings import load
from app.domain.agents.routing import RoutingRule
from app.domain.ids import MessageId, ReviewId, RunId
from app.domain.mail.letter import Letter
from app.domain.mail.message import Account
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.actions import build_actions
from app.ui.context import Context
from app.ui.pages.base import Page
from app.ui.session.pending_requests import RequestSession
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons, icon_font_file, read_glyphs
from fakes.window.recorded_engine import RecordedEngine

NOW = datetime(2026, 3, 12, 15, 30, tzinfo=UTC)


@dataclass
class Neighbours:
    """Records notices, what they offer, and navigation."""

    told: list[str] = field(default_factory=list)
    offers: list[Callable[[], object]] = field(default_factory=list)
    went: list[object] = field(default_factory=list)
    mine: Account | None = None

    def tell(
        self, words: str, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000, *, leads: bool = False
    ) -> None:
        self.told.append(words)
        if act is not None:
            self.offers.append(act)

    def show_page(self, name: str) -> None:
        self.went.append(name)

    def show_message(self, message_id: MessageId) -> None:
        self.went.append(("message", message_id))

    def show_review(self, review_id: ReviewId) -> None:
        self.went.append(("review", review_id))

    def show_run(self, run_id: RunId) -> None:
        self.went.append(("run", run_id))

    def account(self) -> Account | None:
        return self.mine

    def show_letter(self, letter: Letter) -> None:
        self.went.append(letter)

    def leave_letter(self) -> None:
        self.went.append("back")

    def make_rule(self, rule: RoutingRule) -> None:
        self.went.append(("rule", rule))

    def show_guide(self) -> None:
        self.went.append("guide")

    def search(self, text: str) -> None:
        self.went.append(("search", text))

    def ask(self, text: str) -> None:
        self.went.append(("ask", text))

    def show_settings(self, section: str, key: str = "") -> None:
        self.went.append(section)

    def restart(self) -> None:
        self.went.append("restart")

    def forget_words(self) -> None:
        self.went.append("forgotten")


def bare_fusion(app: QApplication) -> None:
    """Fusion without a style sheet, as in a fresh program. Styling again what is styled so already costs 0.1 s a test."""
    if app.styleSheet():
        app.setStyleSheet("")
    if app.style().objectName().lower() != "fusion":
        app.setStyle("Fusion")


class Stage:
    """A data folder and the context of a page."""

    def __init__(self, root: Path, app: QApplication, theme: str = "light", text_size: float = 1.0) -> None:
        self.data = DataFolder(root)
        self.data.prepare()
        self.engine = RecordedEngine()
        self.neighbours = Neighbours()
        self.opened: list[str] = []
        bare_fusion(app)
        self.appearance = Appearance(app)
        self.appearance.apply(theme, text_size)
        self.reader = SqliteMailboxReader(self.data.database)
        self._pages: list[Page] = []
        icons = Icons(self.appearance, read_glyphs(resource("icons", "icons.toml")), icon_font_file())
        self.context = Context(
            reader=self.reader,
            link=self.engine,
            appearance=self.appearance,
            icons=icons,
            actions=build_actions(icons.icon, app),
            notices=self.neighbours,
            navigator=self.neighbours,
            settings=lambda: load(self.data.settings),
            state=QSettings(str(self.data.window_state), QSettings.Format.IniFormat),
            clock=lambda: NOW,
            requests=RequestSession(self.engine),
            open_link=self.opened.append,
            save_folder=root,
            search_line=QLineEdit(),
        )

    def show(self, page: Page, width: int = 1000, height: int = 760, wait: bool = True) -> None:
        """Shows a page and subscribes it to engine events. A coroutine must pass `wait=False`, because waiting runs the event
        loop inside it.
        """
        self.engine.subscribe(page.hear)
        self._pages.append(page)
        page.resize(width, height)
        page.setProperty("role", "window")
        self.dress(page)
        page.show()
        page.activateWindow()
        if wait:
            QTest.qWaitForWindowActive(page, 30_000)

    def dress(self, wearer: QWidget | QApplication) -> None:
        """Gives a page, or all widgets of the application, the style sheet. The application's makes pages slow to build."""
        self.appearance.dress(wearer)
        self.appearance.apply(self.appearance.choice, self.appearance.text_size)

    def close(self) -> None:
        """Closes pages, appearance and reader."""
        for page in self._pages:
            page.close()
            page.deleteLater()
        self.appearance.deleteLater()  # so that a later test's change of system colours does not reach it
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self.reader.close()


def nameless(page: Page) -> list[str]:
    """Focusable controls without text and without an accessible name."""
    found = []
    for widget in page.findChildren(QWidget):
        unreachable = widget.focusPolicy() is Qt.FocusPolicy.NoFocus or widget.focusProxy() is not None
        if not widget.isVisible() or unreachable or isinstance(widget, QScrollBar):
            continue
        inner = isinstance(widget.parent(), QComboBox | QAbstractItemView) or widget.objectName().startswith("qt_")
        words = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
        if not words and not inner:
            found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found


def cut(page: Page) -> list[str]:
    """Visible labels and buttons that are smaller than their text."""
    found = []
    for widget in page.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QLabel | QAbstractButton) or not widget.text():
            continue
        room, words = widget.size(), widget.sizeHint()
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        tall = widget.heightForWidth(room.width()) if wraps else words.height()
        if room.height() + 1 < tall or (not wraps and room.width() + 1 < words.width()):
            found.append(f"{widget.text()!r} has {room.toTuple()}, wants {words.toTuple()}")
    return found


def drive(scenario: Coroutine[None, None, None]) -> None:
    """Runs a coroutine on a qasync event loop."""
    app = QApplication.instance()
    loop = qasync.QEventLoop(app)
    with loop:
        loop.run_until_complete(asyncio.wait_for(scenario, 60))


async def until(holds: Callable[[], bool]) -> None:
    """Runs the event loop until a condition holds."""
    while not holds():
        await asyncio.sleep(0.005)
