"""A place of the navigation and how it is painted. Does not depend on the view, so that the first frame can use it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from app.ui.i18n.formatting import number_words
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Radius, Space, Type, text_factor
from app.ui.theme.painting import visual_rect, visual_side

WIDE = 208
NARROW = 56
ICON = 18


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of the navigation; an empty name makes a gap. A `strong` count needs attention."""

    name: str
    title: str = ""
    icon: str = ""
    count: int = 0
    strong: bool = False


def places_width(narrow: bool) -> int:
    """Width of the navigation in pixels. With titles it grows with the text size."""
    return NARROW if narrow else round(WIDE * (1 + text_factor()) / 2)


def titles_width(appearance: Appearance, places: Sequence[Place]) -> int:
    """Width in pixels at which no title is cut, also where it is selected."""
    widest = max(QFontMetrics(appearance.fonts[Type.STRONG]).horizontalAdvance(place.title) for place in places)
    return icon_size(appearance) + Space.MEDIUM + widest + 4 * Space.SMALL + Space.HAIR


def icon_size(appearance: Appearance) -> int:
    return max(ICON, QFontMetrics(appearance.fonts[Type.BODY]).ascent())


def place_height(place: Place, metrics: QFontMetrics) -> int:
    return metrics.height() + 2 * Space.SMALL if place.name else int(Space.MEDIUM)


class PlacePainter:
    def __init__(self, appearance: Appearance, icons: Icons) -> None:
        self._appearance, self._icons = appearance, icons

    def paint_place(self, painter: QPainter, rect: QRect, place: Place, ground: str = "", ringed: bool = False) -> None:
        """Paints one place. `ground` is empty, `hover` or `selection`; `ringed` shows keyboard focus."""
        if not place.name:
            return
        narrow = rect.width() <= NARROW
        rect = rect.adjusted(Space.SMALL, 1, -Space.SMALL, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if ground:
            painter.setBrush(self._appearance.colour(ground))
            painter.drawRoundedRect(rect, Radius.CONTROL, Radius.CONTROL)
        if ringed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._appearance.colour("accent"))
            painter.drawRoundedRect(rect, Radius.CONTROL, Radius.CONTROL)
        self._paint_words(painter, rect, place, ground == "selection", narrow)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, place: Place, selected: bool, narrow: bool) -> None:
        size = icon_size(self._appearance)
        left = rect.center().x() - size // 2 if narrow else rect.left() + Space.SMALL + Space.HAIR
        spot = visual_rect(rect, QRect(left, rect.center().y() - size // 2 + 1, size, size))
        ink = "on_accent_soft" if selected else "text_soft"
        self._icons.paint(painter, spot, place.icon, self._appearance.colour(ink))
        if narrow:
            if place.count and place.strong:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._appearance.colour("accent"))
                painter.drawEllipse(spot.right() - 2, spot.top() - 2, 7, 7)
            return
        painter.setFont(self._appearance.fonts[Type.STRONG if selected else Type.BODY])
        painter.setPen(self._appearance.colour("on_accent_soft" if selected else "text"))
        words = rect.adjusted(Space.SMALL + size + Space.MEDIUM, 0, -Space.SMALL, 0)
        count = number_words(place.count) if place.count else ""
        font = self._appearance.fonts[Type.STRONG if place.strong else Type.CAPTION]
        taken = QFontMetrics(font).horizontalAdvance(count) + Space.SMALL if count else 0
        title = painter.fontMetrics().elidedText(place.title, Qt.TextElideMode.ElideRight, words.width() - taken)
        _draw(painter, rect, words, Qt.AlignmentFlag.AlignLeft, title)
        if count:
            painter.setFont(font)
            painter.setPen(self._appearance.colour("accent" if place.strong else "text_soft"))
            _draw(painter, rect, words, Qt.AlignmentFlag.AlignRight, count)


def _draw(painter: QPainter, whole: QRect, part: QRect, side: Qt.AlignmentFlag, words: str) -> None:
    painter.drawText(visual_rect(whole, part), Qt.AlignmentFlag.AlignVCenter | visual_side(side), words)
