"""The guide to connect Gmail in four steps: make a project, publish the app, load the client file, sign in."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

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
CLIENTS = "https://console.cloud.google.com/auth/clients"
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
        self.sign_in = button(self.tr("Sign in to Google"), "primary", self._sign_in)
        self.back = button(self.tr("Back"), "", back)
        self._add_steps()
        self.client.line.textChanged.connect(lambda text: self.sign_in.setEnabled(bool(text.strip())))
        self.client.line.textChanged.connect(lambda _text: self.show_error(""))
        self.client.line.returnPressed.connect(self._sign_in)
        self.client.asked.connect(self.sign_in.setFocus)
        self.sign_in.setEnabled(False)

    def _add_steps(self) -> None:
        card = frame("card")
        lines = column(card, Space.LARGE, Space.LARGE)
        project, library = self._link(self.tr("Create a project"), PROJECT), self._link(self.tr("Enable the Gmail API"), LIBRARY)
        words = self.tr("In Google Cloud, create a project and enable the Gmail API. It's free.")
        self._add(lines, 1, self.tr("Create a project"), words, [project, library])
        lines.addWidget(rule())
        words = self.tr(
            "Set up the consent screen for external users and press “Publish app”. In testing mode, Google signs you "
            "out every 7 days."
        )
        self._add(lines, 2, self.tr("Publish it"), words, [self._link(self.tr("Open the consent screen"), AUDIENCE)])
        lines.addWidget(rule())
        words = self.tr("Create an OAuth client of the type “Desktop app” and download its JSON file.")
        self._add(
            lines,
            3,
            self.tr("Create credentials and choose the file"),
            words,
            [self._link(self.tr("Open the credentials page"), CLIENTS)],
            self.client,
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
        made = button(words, "link", lambda: self._context.open_link(address))
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
