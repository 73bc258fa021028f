"""Taking the pictures of one language and theme: for each state a data folder, a window over it, and every place in turn."""

import argparse
import asyncio
import json
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from app.config.paths import DataFolder
from app.config.settings_file import change
from app.domain.errors import BadFile, ExpectedError
from app.domain.ids import AccountId, ReviewId
from app.domain.protocol.events import ErrorReported
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.startup.application import WindowOptions, build_window, make_application
from app.ui.window.main_window import MainWindow
from end_to_end.screenshots.places import BARE, PLACES
from end_to_end.screenshots.staged_link import StagedLink
from end_to_end.screenshots.states import State, staging, trouble, write_folder
from fakes.engine.store.sample_store import NOW

SYSTEM = {"en": "en_GB.UTF-8", "cs": "cs_CZ.UTF-8"}
"""The desktop's language: it counts where the settings cannot be read."""
CALM_S, LONGEST_S = 0.15, 2.5
BROWSER_S = 3.0
"""The browser view is made for the first HTML mail, and tells nobody when it has painted."""
COUNTED_S = 0.3
"""After this the numbers beside the pages were read."""


def take(options: argparse.Namespace, language: str, theme: str) -> None:
    """Every chosen state and place of one language and theme."""
    os.environ["LC_ALL"] = SYSTEM[language]
    app = make_application()
    app.setCursorFlashTime(0)
    if options.mirrored:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with loop:
        for name in options.states:
            loop.run_until_complete(_state(Taker(app, options, State(name), language, theme)))


@dataclass(frozen=True, slots=True)
class Taker:
    app: QApplication
    options: argparse.Namespace
    state: State
    language: str
    theme: str

    @property
    def folder(self) -> Path:
        """Where its pictures go."""
        return Path(self.options.folder) / self.language / self.theme / str(self.state)

    def appearance(self) -> list[tuple[str, str]]:
        """The settings that make the window look so."""
        looks = {"theme": self.theme, "language": self.language, "text_percent": self.options.text}
        return [(f"appearance.{key}", json.dumps(value)) for key, value in looks.items()]


async def _state(taker: Taker) -> None:
    """All places of one state, in a window before there is an account and in one with it."""
    pages = taker.options.pages
    taker.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="replyroom-shots-", ignore_cleanup_errors=True) as name:
        bare, used = DataFolder(Path(name) / "bare"), DataFolder(Path(name) / "used")
        bare.prepare()
        before = tuple(page for page in pages if page in BARE)
        if before:
            await _window(taker, bare, AccountId(0), before)
        if len(before) < len(pages):
            account = write_folder(taker.state, used)
            await _window(taker, used, account, tuple(page for page in pages if page not in BARE))


async def _window(taker: Taker, data: DataFolder, account: AccountId, pages: tuple[str, ...]) -> None:
    """One window over a data folder, and a picture of each place in it."""
    with suppress(BadFile):
        change(data.settings, taker.appearance())
    staged = staging(taker.state, account)
    link, reader = StagedLink(data, lambda: NOW, staged.alive, staged.model), SqliteMailboxReader(data.database)
    if any(page.startswith("search") for page in pages):
        link.compare(0.5 if taker.state is State.BUSY else 1.0)
    first = "review" if account else "welcome"
    window = build_window(data, reader, link, WindowOptions(("sample",), page=first, clock=lambda: NOW, open_link=lambda _: None))
    window.appearance.apply(taker.theme, taker.options.text / 100)
    window.resize(*taker.options.size)
    window.show()
    if staged.alive:
        for event in staged.events:
            link.tell(event)
    else:
        window.status.engine_down(4.0)
    await asyncio.sleep(COUNTED_S)
    reviews = _reviews(reader)
    for page in pages:
        told = trouble(taker.state, page)
        try:
            PLACES[page](window, reviews)
        except ExpectedError as error:  # as the window does with trouble that a click meets
            told = ErrorReported.of(error)
        if told is not None:
            link.tell(told)
        if page.endswith("html"):
            await asyncio.sleep(BROWSER_S)
        elif page.startswith("profiles"):
            await asyncio.sleep(2 * COUNTED_S)
        (await _calm(taker.app, window, link)).save(str(taker.folder / f"{page}.png"))
        for over in (*window.findChildren(QDialog), *window.findChildren(QMenu)):
            over.close()
        window.actions_by_id["window.back"].trigger()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    reader.close()
    await link.close()


def _reviews(reader: SqliteMailboxReader) -> dict[str, ReviewId]:
    """Reviews by the lively store's short names, which their runs are called by."""
    try:
        found = [reader.review(ReviewId(key)) for key in reader.review_ids()]
    except ExpectedError:
        return {}
    return {str(one.proposal.run_id).removeprefix("run-"): one.id for one in found if one is not None}


async def _calm(app: QApplication, window: MainWindow, link: StagedLink) -> QPixmap:
    """The window once nothing is asked and two pictures in a row are the same."""
    deadline, before = time.monotonic() + LONGEST_S, _picture(app, window).toImage()
    while True:
        await asyncio.sleep(CALM_S)
        now = _picture(app, window)
        if (not link.asking and now.toImage() == before) or time.monotonic() > deadline:
            return now
        before = now.toImage()


def _picture(app: QApplication, window: MainWindow) -> QPixmap:
    """The window with what lies over it."""
    made: QPixmap = window.grab()
    painter = QPainter(made)
    painter.setPen(Qt.GlobalColor.gray)
    for over in app.topLevelWidgets():
        if over.isVisible() and over is not window and over.parentWidget() is not None:
            at = over.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint())
            painter.drawPixmap(at, over.grab())
            if isinstance(over, QDialog) and not over.windowFlags() & Qt.WindowType.FramelessWindowHint:
                painter.drawRect(QRect(at, over.size()))  # the window manager's frame, which nobody draws here
    painter.end()
    return made
