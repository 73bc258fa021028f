"""The guide to connect Gmail in four steps: make a project, publish the app, load the client file, sign in.

Each step has a drawing of the Google page, simplified, with the control to press marked. Drawings are painted, so that they
follow theme, language and text size.
"""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QFileSystemWatcher, QObject, QRect, QSize, QStandardPaths, Qt
from PySide6.QtGui import QFontMetrics, QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.record import Record
from app.ui.context import Context
from app.ui.editor.client_file import ClientFileField
from app.ui.pages.welcome.screens import WIDTH as SCREEN_WIDTH
from app.ui.pages.welcome.screens import Screen
from app.ui.services.async_task import single_shot
from app.ui.services.files import is_file
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type, at_text_size, is_large_text
from app.ui.widgets.factory import RoleFrame, button, chip, column, label, named, put, row, rule

WIDTH, HEIGHT = 216, 118
TOP = 16
"""Height of the drawn browser's title bar. All lengths here are pixels at 100 % text size."""
WORDS, FIELD, PLAIN, MARKED = "words", "field", "plain", "marked"
LOOKS = {
    WORDS: ("", "", "text", Qt.AlignmentFlag.AlignLeft, 0),
    FIELD: ("sunken", "line_strong", "text", Qt.AlignmentFlag.AlignLeft, Space.SMALL),
    PLAIN: ("", "", "text_soft", Qt.AlignmentFlag.AlignHCenter, 0),
    MARKED: ("accent", "", "on_accent", Qt.AlignmentFlag.AlignHCenter, 0),
}
"""Ground, outline and colour of the words by kind of part, and where the words stand with which padding."""


class DrawnPart(Record):
    """One element and its position. A marked element is the one to press."""

    kind: str
    x: int
    y: int
    width: int
    words: str


class GuidePictures(QObject):
    def scenes(self) -> tuple[tuple[str, tuple[DrawnPart, ...]], ...]:
        """The drawn pages: their accessible descriptions and their elements."""
        project = (
            DrawnPart(WORDS, 14, 22, 180, self.tr("New project")),
            DrawnPart(FIELD, 14, 48, 150, "Replyroom"),
            DrawnPart(MARKED, 14, 82, 84, self.tr("Create")),
            DrawnPart(PLAIN, 106, 82, 84, self.tr("Cancel")),
        )
        publish = (
            DrawnPart(WORDS, 14, 34, 190, self.tr("Publishing status: Testing")),
            DrawnPart(MARKED, 14, 70, 128, self.tr("Publish app")),
        )
        client = (
            DrawnPart(WORDS, 14, 18, 190, self.tr("Application type")),
            DrawnPart(FIELD, 14, 44, 150, self.tr("Desktop app")),
            DrawnPart(MARKED, 14, 82, 128, self.tr("Download JSON")),
        )
        sign_in = (
            DrawnPart(WORDS, 14, 18, 190, self.tr("Google hasn’t verified this app")),
            DrawnPart(MARKED, 14, 47, 90, self.tr("Advanced")),
            DrawnPart(PLAIN, 14, 82, 90, "✓  ✓  ✓"),
            DrawnPart(MARKED, 118, 82, 86, self.tr("Continue")),
        )
        spoken = self.tr(
            "Picture: Google's warning with Advanced and the link to continue, then checked permissions and the button Continue."
        )
        return (
            (self.tr("Picture: a form with the project's name and the button Create."), project),
            (self.tr("Picture: the publishing status “Testing”, and below it the button Publish app."), publish),
            (self.tr("Picture: the application type “Desktop app” is chosen; below it the button Download JSON."), client),
            (spoken, sign_in),
        )


class StepPicture(QWidget):
    """Paints one scene; takes no focus."""

    def __init__(self, appearance: Appearance, spoken: str, parts: tuple[DrawnPart, ...]) -> None:
        super().__init__()
        self._appearance, self._parts = appearance, parts
        self.setAccessibleName(spoken)
        self.setFixedSize(QSize(at_text_size(WIDTH), at_text_size(HEIGHT)))

    def paintEvent(self, event: QPaintEvent) -> None:
        colour, painter = self._appearance.colour, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        frame, under = self.rect().adjusted(1, 1, -1, -1), at_text_size(TOP)
        painter.setPen(QPen(colour("line_strong"), 1))
        painter.setBrush(colour("surface"))
        painter.drawRoundedRect(frame, Radius.CONTROL, Radius.CONTROL)
        painter.drawLine(frame.left(), under, frame.right(), under)
        for part in self._parts:
            ground, outline, ink, side, padding = LOOKS[part.kind]
            high = QFontMetrics(painter.font()).height() + 2 * Space.TIGHT
            place = QRect(at_text_size(part.x), at_text_size(part.y), at_text_size(part.width), high)
            if ground:
                painter.setPen(QPen(colour(outline or ground), 1))
                painter.setBrush(colour(ground))
                painter.drawRoundedRect(place, Radius.CHIP, Radius.CHIP)
            if part.kind == MARKED:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colour("accent"), 2))
                painter.drawRoundedRect(place.adjusted(-4, -4, 4, 4), Radius.CARD, Radius.CARD)
            painter.setPen(colour(ink))
            painter.drawText(place.adjusted(padding, 0, -padding, 0), int(side | Qt.AlignmentFlag.AlignVCenter), part.words)
        painter.end()


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


class GuideScreen(Screen):
    """Calls `connect(path)` with the client file, which the engine checks."""

    def __init__(self, context: Context, connect: Callable[[Path], object], back: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Connect Gmail"), self.tr("Replyroom runs without a server, so you sign in with your own Google credentials.")
        )
        self._context, self._connect = context, connect
        self.client = ClientFileField()
        self.downloads = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation))
        self._since_s = time.time() - FRESH_S
        self._soon = single_shot(self, self._look)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(lambda _path: self._soon.start(SETTLE_MS))
        self.project = named(QLineEdit(), self.tr("Project ID"))
        self.project.setPlaceholderText(self.tr("Project ID, for example replyroom-123456"))
        self.found = label("", Type.BODY, "positive", wrap=True)
        self.found.hide()
        self.sign_in = button(self.tr("Sign in to Google"), "primary", self._sign_in)
        self.back = button(self.tr("Back"), "", back)
        self.pictures = [StepPicture(context.appearance, *scene) for scene in GuidePictures(self).scenes()]
        self._add_steps()
        self.client.line.textChanged.connect(self._typed)
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

    def _typed(self, text: str) -> None:
        self.sign_in.setEnabled(bool(text.strip()) and is_file(self.client.path))
        self.show_error("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides the pictures if the text beside them would get too narrow."""
        super().resizeEvent(event)
        room = min(event.size().width() - 2 * Space.XLARGE, at_text_size(SCREEN_WIDTH)) - 2 * Space.LARGE
        for picture in self.pictures:
            picture.setVisible(room >= picture.width() + (0 if is_large_text() else at_text_size(WORDS_WIDTH)))

    def _add_steps(self) -> None:
        project, library = self._link(self.tr("Create a project"), PROJECT), self._link(self.tr("Enable the Gmail API"), LIBRARY)
        file = QWidget()
        column(file, 0, Space.TIGHT, self.client, self.found)
        steps: tuple[tuple[str, str, tuple[QWidget, ...], tuple[QWidget, ...]], ...] = (
            (
                self.tr("Create a project"),
                self.tr("In Google Cloud, create a project and enable the Gmail API. It's free."),
                (project, library),
                (self.project,),
            ),
            (
                self.tr("Publish it"),
                self.tr(
                    "Set up the consent screen for external users and press “Publish app”. In testing mode, Google signs you "
                    "out every 7 days."
                ),
                (self._link(self.tr("Open the consent screen"), AUDIENCE),),
                (),
            ),
            (
                self.tr("Create credentials and choose the file"),
                self.tr(
                    "Create an OAuth client of the type “Desktop app” and download its JSON file. Replyroom finds it in your "
                    "downloads."
                ),
                (self._link(self.tr("Open the credentials page"), CLIENTS),),
                (file,),
            ),
            (
                self.tr("Sign in"),
                self.tr(
                    "Your browser opens. Google will warn that the app isn't verified. It's yours, so choose Advanced › "
                    "Continue and allow access."
                ),
                (),
                (),
            ),
        )
        card = RoleFrame("card")
        lines = column(card, Space.LARGE, Space.LARGE)
        for number, ((title, words, links, extra), picture) in enumerate(zip(steps, self.pictures, strict=True), 1):
            if number > 1:
                lines.addWidget(rule())
            texts = label(title, Type.STRONG, wrap=True), label(words, Type.BODY, "soft", wrap=True)
            across = [put(row(None, 0, Space.MEDIUM), *links, 1)] if links else []
            beside = column(None, 0, Space.TIGHT, *texts, *across, *extra, 1)  # aligns text and picture at the top
            step = row(None, 0, Space.MEDIUM, (chip(str(number), "accent"), Qt.AlignmentFlag.AlignTop), (beside, 1))
            if is_large_text():
                put(lines, column(None, 0, Space.SMALL, step, picture))
            else:
                put(lines, row(None, 0, Space.MEDIUM, (step, 1), (picture, Qt.AlignmentFlag.AlignTop)))
        put(self.lines, card, put(row(), self.sign_in, self.back, 1))
        self.start = project

    def _link(self, words: str, address: str) -> QWidget:
        """A button that opens a page of Google's console in the project that was named."""

        def follow() -> None:
            project = self.project.text().strip()
            self._context.open_link(f"{address}?project={quote(project)}" if project and address != PROJECT else address)

        made = button(words, "link", follow)
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
