"""Drawings for the guide: each Google page simplified, with the control to press marked.

They are painted, so that they follow theme, language, text size and reading direction.
"""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type, at_text_size
from app.ui.theme.painting import visual_rect

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


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """One element and its position. A marked element is the one to press."""

    part: PagePart
    x: int
    y: int
    width: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
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
            "Picture: Google's warning with Advanced and the way on, then ticked permissions and the button Continue.",
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
