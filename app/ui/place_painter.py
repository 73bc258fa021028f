"""A place of the navigation and how it is painted: icon, title and count. Knows no view, so that the first frame can use it."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from app.ui.appearance import Appearance
from app.ui.icons import Icons
from app.ui.scale import Radius, Space, Type
from app.ui.text import number_words

WIDE = 208
NARROW = 56
ICON = 18


@dataclass(frozen=True, slots=True)
class Place:
    """A page in the navigation; an empty name is a gap. `strong` counts want attention."""

    name: str
    title: str = ""
    icon: str = ""
    count: int = 0
    strong: bool = False


def place_height(place: Place, metrics: QFontMetrics) -> int:
    """Pixels of a place; a gap is shorter."""
    return metrics.height() + 2 * Space.SMALL if place.name else int(Space.MEDIUM)


class PlacePainter:
    """Paints places in the looks of now."""

    def __init__(self, appearance: Appearance, icons: Icons) -> None:
        self._appearance, self._icons = appearance, icons

    def paint_place(self, painter: QPainter, rect: QRect, place: Place, ground: str = "", ringed: bool = False) -> None:
        """One place in its rectangle; `ground` is empty, hover or selection, `ringed` shows that the keyboard is there."""
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
        left = rect.center().x() - ICON // 2 if narrow else rect.left() + Space.SMALL + Space.HAIR
        spot = QRect(left, rect.center().y() - ICON // 2 + 1, ICON, ICON)
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
        words = rect.adjusted(Space.SMALL + ICON + Space.MEDIUM, 0, -Space.SMALL, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, place.title)
        if place.count:
            painter.setFont(self._appearance.fonts[Type.STRONG if place.strong else Type.CAPTION])
            painter.setPen(self._appearance.colour("accent" if place.strong else "text_soft"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, number_words(place.count))
