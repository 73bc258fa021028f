"""Painting helpers for the first frame, and a cache of painted pictures.

They avoid the parts of Qt that are slow to load into Python, since PySide builds a class with all its enums at first use:
`QStyle` (15 ms) and the gradients behind `fillRect` (6 ms).
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPixmap

MEASURED = 1000
"""Characters measured of a one-line text: more than any line has room for."""


def fill(painter: QPainter, rect: QRect, colour: QColor) -> None:
    """Fills a rectangle. The painter has no pen afterwards."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRect(rect)


def visual_rect(whole: QRect, part: QRect) -> QRect:
    """Position of `part` inside `whole`, mirrored in right-to-left layouts."""
    if not QGuiApplication.isRightToLeft():
        return part
    return QRect(whole.left() + whole.right() - part.right(), part.top(), part.width(), part.height())


def visual_side(side: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    """Alignment left or right, swapped in right-to-left layouts."""
    if QGuiApplication.isRightToLeft():
        side = Qt.AlignmentFlag.AlignLeft if side is Qt.AlignmentFlag.AlignRight else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignAbsolute  # otherwise the painter would swap it again


K = TypeVar("K", bound=Hashable)


class PixmapCache(Generic[K]):
    """LRU cache of pictures, at most `most_bytes` in total."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pictures: OrderedDict[K, QPixmap] = OrderedDict()

    def drop(self) -> None:
        self._pictures.clear()
        self._bytes = 0

    def picture(self, key: K, size: QSize, ratio: float, paint: Callable[[QPainter], None]) -> QPixmap:
        """The cached picture, or a new one of `size`. `ratio` is the device pixel ratio. `paint` must cover all of it."""
        kept = self._pictures.get(key)
        if kept is not None:
            self._pictures.move_to_end(key)
            return kept
        if size.isEmpty():
            return QPixmap()  # a list folded to nothing: Qt warns when painting on an empty picture
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        paint(painter)
        painter.end()
        self._pictures[key] = picture
        self._bytes += _bytes(picture)
        while self._bytes > self._most_bytes and len(self._pictures) > 1:
            self._bytes -= _bytes(self._pictures.popitem(last=False)[1])
        return picture


def _bytes(picture: QPixmap) -> int:
    return picture.width() * picture.height() * picture.depth() // 8


def paint_glyph(painter: QPainter, rect: QRect, glyph: str, family: str, colour: QColor) -> None:
    font = QFont(family)
    font.setPixelSize(max(1, min(rect.width(), rect.height())))
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(rect), Qt.AlignmentFlag.AlignCenter, glyph)
    painter.restore()
