"""The guide to connect Gmail in four steps: make a project, publish the app, load the client file, sign in.

Each step has a drawing of the Google page, simplified, with the control to press marked. Drawings are painted, so that they
follow theme, language, text size and reading direction.
"""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QRect, QSize, QStandardPaths, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.domain.record import Record
from app.ui.context import Context
from app.ui.editor.client_file import ClientFileField
from app.ui.pages.welcome.screens import Screen
from app.ui.services.async_task import single_shot
from app.ui.services.files import is_file
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type, at_text_size, is_large_text
from app.ui.theme.painting import visual_rect
from app.ui.widgets.factory import RoleFrame, button, chip, column, label, named, put, row, rule

WIDTH, HEIGHT = 216, 118
TOP = 16
"""Height of the drawn browser's title bar. All lengths here are pixels at 100 % text size."""


class PagePart(Enum):
    LINE = "line"
    WORDS = "words"
    FIELD = "field"
    PLAIN = "plain"
    MARKED = "marked"
    TICK = "tick"


class DrawnPart(Record):
    """One element and its position. A marked element is the one to press."""

    part: PagePart
    x: int
    y: int
    width: int
    words: str = ""


class Scene(Record):
    """A drawn page: its accessible description and its elements."""

    spoken: str
    parts: tuple[DrawnPart, ...]


def scenes() -> tuple[Scene, ...]:
    project = Scene(
        QCoreApplication.translate("GuidePictures", "Picture: a form with the project's name and the button Create."),
        (
            DrawnPart(PagePart.WORDS, 14, 26, 180, QCoreApplication.translate("GuidePictures", "New project")),
            DrawnPart(PagePart.FIELD, 14, 48, 150, "Replyroom"),
            DrawnPart(PagePart.MARKED, 14, 82, 84, QCoreApplication.translate("GuidePictures", "Create")),
            DrawnPart(PagePart.PLAIN, 106, 82, 84, QCoreApplication.translate("GuidePictures", "Cancel")),
        ),
    )
    publish = Scene(
        QCoreApplication.translate(
            "GuidePictures", "Picture: the publishing status “Testing”, and below it the button Publish app."
        ),
        (
            DrawnPart(PagePart.LINE, 14, 30, 90),
            DrawnPart(PagePart.WORDS, 14, 44, 190, QCoreApplication.translate("GuidePictures", "Publishing status: Testing")),
            DrawnPart(PagePart.MARKED, 14, 70, 128, QCoreApplication.translate("GuidePictures", "Publish app")),
            DrawnPart(PagePart.LINE, 14, 104, 150),
        ),
    )
    client = Scene(
        QCoreApplication.translate(
            "GuidePictures", "Picture: the application type “Desktop app” is chosen; below it the button Download JSON."
        ),
        (
            DrawnPart(PagePart.WORDS, 14, 24, 190, QCoreApplication.translate("GuidePictures", "Application type")),
            DrawnPart(PagePart.FIELD, 14, 44, 150, QCoreApplication.translate("GuidePictures", "Desktop app")),
            DrawnPart(PagePart.MARKED, 14, 82, 128, QCoreApplication.translate("GuidePictures", "Download JSON")),
        ),
    )
    return project, publish, client, _sign_in()


def _sign_in() -> Scene:
    return Scene(
        QCoreApplication.translate(
            "GuidePictures",
            "Picture: Google's warning with Advanced and the link to continue, then checked permissions and the button Continue.",
        ),
        (
            DrawnPart(
                PagePart.WORDS, 14, 22, 190, QCoreApplication.translate("GuidePictures", "Google hasn’t verified this app")
            ),
            DrawnPart(PagePart.MARKED, 14, 47, 90, QCoreApplication.translate("GuidePictures", "Advanced")),
            DrawnPart(PagePart.TICK, 14, 80, 92),
            DrawnPart(PagePart.TICK, 14, 98, 76),
            DrawnPart(PagePart.MARKED, 118, 82, 86, QCoreApplication.translate("GuidePictures", "Continue")),
        ),
    )


class StepPicture(QWidget):
    """Paints one scene; takes no focus."""

    def __init__(self, appearance: Appearance, scene: Scene) -> None:
        super().__init__()
        self._appearance, self._scene = appearance, scene
        self.setAccessibleName(scene.spoken)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(at_text_size(WIDTH), at_text_size(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        frame = self.rect().adjusted(1, 1, -1, -1)
        painter.setPen(QPen(self._colour("line_strong"), 1))
        painter.setBrush(self._colour("surface"))
        painter.drawRoundedRect(frame, Radius.CONTROL, Radius.CONTROL)
        under = at_text_size(TOP)
        painter.drawLine(frame.left(), under, frame.right(), under)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour("line_strong"))
        for number in range(3):
            painter.drawEllipse(self._visual(QRect(Space.SMALL + number * 10, under // 2 - 2, 5, 5)))
        for drawn in self._scene.parts:
            self._paint(painter, drawn)
        painter.end()

    def _paint(self, painter: QPainter, drawn: DrawnPart) -> None:
        line = QFontMetrics(painter.font()).height()
        high = {PagePart.LINE: at_text_size(6), PagePart.WORDS: line, PagePart.TICK: at_text_size(14)}.get(
            drawn.part, line + 2 * Space.TIGHT
        )
        place = self._visual(QRect(at_text_size(drawn.x), at_text_size(drawn.y), at_text_size(drawn.width), high))
        if drawn.part is PagePart.LINE:
            self._rounded_rect(painter, place, "neutral_soft", "")
        elif drawn.part is PagePart.TICK:
            self._tick(painter, place)
        elif drawn.part is PagePart.WORDS:
            self._text(painter, place, drawn.words, "text", Qt.AlignmentFlag.AlignLeading)
        elif drawn.part is PagePart.FIELD:
            self._rounded_rect(painter, place, "sunken", "line_strong")
            self._text(
                painter, place.adjusted(Space.SMALL, 0, -Space.SMALL, 0), drawn.words, "text", Qt.AlignmentFlag.AlignLeading
            )
        elif drawn.part is PagePart.PLAIN:
            self._text(painter, place, drawn.words, "text_soft", Qt.AlignmentFlag.AlignHCenter)
        else:
            self._rounded_rect(painter, place, "accent", "")
            self._text(painter, place, drawn.words, "on_accent", Qt.AlignmentFlag.AlignHCenter)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._colour("accent"), 2))
            painter.drawRoundedRect(place.adjusted(-4, -4, 4, 4), Radius.CARD, Radius.CARD)

    def _tick(self, painter: QPainter, place: QRect) -> None:
        """A ticked check box with a line beside it."""
        box = visual_rect(place, QRect(place.left(), place.top(), place.height(), place.height()))
        self._rounded_rect(painter, box, "accent", "")
        painter.setPen(QPen(self._colour("on_accent"), 2))
        third = box.height() // 3
        painter.drawLine(box.left() + third - 1, box.center().y(), box.center().x(), box.bottom() - third + 1)
        painter.drawLine(box.center().x(), box.bottom() - third + 1, box.right() - third + 2, box.top() + third)
        rest = QRect(
            place.left() + place.height() + Space.SMALL, place.top() + 4, place.width() - place.height() - Space.SMALL, 6
        )
        self._rounded_rect(painter, visual_rect(place, rest), "neutral_soft", "")

    def _rounded_rect(self, painter: QPainter, place: QRect, ground: str, line: str) -> None:
        painter.setPen(QPen(self._colour(line), 1) if line else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(self._colour(ground))
        painter.drawRoundedRect(place, Radius.CHIP, Radius.CHIP)

    def _text(self, painter: QPainter, place: QRect, words: str, tone: str, side: Qt.AlignmentFlag) -> None:
        painter.setPen(self._colour(tone))
        shown = QFontMetrics(painter.font()).elidedText(words, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, int(side | Qt.AlignmentFlag.AlignVCenter), shown)

    def _visual(self, part: QRect) -> QRect:
        return visual_rect(self.rect(), part)

    def _colour(self, token: str) -> QColor:
        return self._appearance.colour(token)


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
        self._add_steps()
        self.client.line.textChanged.connect(
            lambda text: self.sign_in.setEnabled(bool(text.strip()) and is_file(self.client.path))
        )
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
        card = RoleFrame("card")
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
