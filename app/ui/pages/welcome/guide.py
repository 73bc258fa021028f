"""The guide to connect Gmail in four steps: make a project, publish the app, load the client file, sign in."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QFileSystemWatcher, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.ui.context import Context
from app.ui.editor.client_file import ClientFileField
from app.ui.pages.welcome.pictures import StepPicture, scenes
from app.ui.pages.welcome.screens import Screen
from app.ui.services.files import is_file
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.factory import button, chip, column, frame, label, put, row, rule

PROJECT = "https://console.cloud.google.com/projectcreate"
LIBRARY = "https://console.cloud.google.com/apis/library/gmail.googleapis.com"
AUDIENCE = "https://console.cloud.google.com/auth/audience"
CLIENTS = "https://console.cloud.google.com/auth/clients/create"
NAMED = re.compile(r"client_secret.*\.json|client.*\.json", re.IGNORECASE)
FRESH_S = 3600.0
SETTLE_MS = 300
"""A browser renames a file once it is whole."""
LARGEST = 100_000


def new_client_file(folder: Path, since_s: float) -> Path | None:
    """The newest client file for desktop programs that came into a folder since a time."""
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in folder.iterdir():
            if NAMED.fullmatch(path.name) and is_file(path):
                facts = path.stat()
                if facts.st_mtime >= since_s and facts.st_size < LARGEST and '"installed"' in path.read_text("utf-8", "replace"):
                    found.append((facts.st_mtime, path))
    return max(found)[1] if found else None


WORDS_WIDTH = 220
"""Pixels that the text of a step needs beside its picture."""


class GuideStep(QWidget):
    """Text with a picture.

    The picture is beside the text, below it with large text, or hidden if there is no room.
    """

    def __init__(self, picture: StepPicture) -> None:
        super().__init__()
        self.picture = picture

    def fill(self, words: QHBoxLayout) -> None:
        layout = column(self, 0, Space.SMALL) if is_large_text() else row(self, 0, Space.MEDIUM)
        layout.addLayout(words)
        layout.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        if not is_large_text():
            layout.setStretch(0, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides the picture if the text would get too narrow."""
        super().resizeEvent(event)
        room = event.size().width() - (0 if is_large_text() else at_text_size(WORDS_WIDTH))
        self.picture.setVisible(room >= self.picture.width())


class GuideScreen(Screen):
    """Calls `connect(path)` with the client file, which the engine checks."""

    def __init__(self, context: Context, connect: Callable[[Path], object], back: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Connect Gmail"),
            self.tr("Replyroom runs without a server, so you sign in with your own Google credentials."),
        )
        self._context = context
        self._connect = connect
        self.client = ClientFileField()
        self.downloads = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation))
        self._since_s = time.time() - FRESH_S
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._look)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(lambda _path: self._soon.start(SETTLE_MS))
        self.project = QLineEdit()
        self.project.setPlaceholderText(self.tr("Project ID, for example replyroom-123456"))
        self.project.setAccessibleName(self.tr("Project ID"))
        self.found = label("", Type.BODY, "positive", wrap=True)
        self.found.hide()
        self.sign_in = button(self.tr("Sign in to Google"), "primary", self._sign_in)
        self.back = button(self.tr("Back"), "", back)
        self._add_steps()
        self.client.line.textChanged.connect(lambda text: self.sign_in.setEnabled(bool(text.strip())))
        self.client.line.textChanged.connect(lambda _text: self.show_error(""))
        self.client.line.returnPressed.connect(self._sign_in)
        self.client.asked.connect(self.sign_in.setFocus)
        self.sign_in.setEnabled(False)

    def showEvent(self, event: QShowEvent) -> None:
        """Looks for the client file in the downloads while the guide is open."""
        super().showEvent(event)
        if self.downloads.is_dir():
            self._watcher.addPath(str(self.downloads))
            self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._watcher.directories():
            self._watcher.removePaths(self._watcher.directories())

    def _look(self) -> None:
        """Takes a client file that was just downloaded, unless the user has chosen one."""
        found = new_client_file(self.downloads, self._since_s)
        if found is None or self.client.line.text().strip():
            return
        self.client.line.setText(str(found))
        self.found.setText(self.tr("Found %1 in your downloads.").replace("%1", found.name))
        self.found.show()
        if self.isVisible():
            self.sign_in.setFocus()

    def _open(self, address: str) -> None:
        """Opens a page of Google's console in the project that was named."""
        project = self.project.text().strip()
        self._context.open_link(f"{address}?project={quote(project)}" if project and address != PROJECT else address)

    def _add_steps(self) -> None:
        card = frame("card")
        lines = column(card, Space.LARGE, Space.LARGE)
        project, library = self._link(self.tr("Create a project"), PROJECT), self._link(self.tr("Enable the Gmail API"), LIBRARY)
        words = self.tr("In Google Cloud, create a project and enable the Gmail API. It's free.")
        self._add(lines, 1, self.tr("Create a project"), words, [project, library], self.project)
        lines.addWidget(rule())
        words = self.tr(
            "Set up the consent screen for external users and press “Publish app”. In testing mode, Google signs you "
            "out every 7 days."
        )
        self._add(lines, 2, self.tr("Publish it"), words, [self._link(self.tr("Open the consent screen"), AUDIENCE)])
        lines.addWidget(rule())
        words = self.tr(
            "Create an OAuth client of the type “Desktop app” and download its JSON file. Replyroom finds it in your downloads."
        )
        file = QWidget()
        column(file, 0, Space.TIGHT, self.client, self.found)
        self._add(
            lines,
            3,
            self.tr("Create credentials and choose the file"),
            words,
            [self._link(self.tr("Open the credentials page"), CLIENTS)],
            file,
        )
        lines.addWidget(rule())
        words = self.tr(
            "Your browser opens. Google will warn that the app isn't verified. It's yours, so choose Advanced › "
            "Continue and allow access."
        )
        self._add(lines, 4, self.tr("Sign in"), words, [])
        self.lines.addWidget(card)
        self.lines.addLayout(put(row(), self.sign_in, self.back, 1))
        self.start = project

    def _add(
        self, lines: QVBoxLayout, number: int, title: str, words: str, links: list[QWidget], extra: QWidget | None = None
    ) -> None:
        holder = GuideStep(StepPicture(self._context.appearance, scenes()[number - 1]))
        beside = put(
            column(None, 0, Space.TIGHT), label(title, Type.STRONG, wrap=True), label(words, Type.BODY, "soft", wrap=True)
        )
        if links:
            beside.addLayout(put(row(None, 0, Space.MEDIUM), *links, 1))
        if extra is not None:
            beside.addWidget(extra)
        beside.addStretch(1)  # aligns text and picture at the top
        across = put(row(None, 0, Space.MEDIUM), (chip(str(number), "accent"), Qt.AlignmentFlag.AlignTop), (beside, 1))
        holder.fill(across)
        lines.addWidget(holder)

    def _link(self, words: str, address: str) -> QWidget:
        made = button(words, "link", lambda: self._open(address))
        made.setAccessibleDescription(address)
        return made

    def refuse_file(self, words: str) -> None:
        """Says why the file was rejected and offers to choose another one."""
        self.show_error(words, self.tr("Choose another file…"), self.client.ask)
        self.client.line.selectAll()

    def _sign_in(self) -> None:
        path = self.client.path
        if not self.client.line.text().strip():
            return
        if not is_file(path):
            words = self.tr("File not found: %1.").replace("%1", str(path))
            self.show_error(words, self.tr("Choose file…"), self.client.ask)
            return
        self.show_error("")
        self._connect(path)
