"""Painting without the parts of Qt that are dear to bring into Python: `QStyle` (15 ms) and the gradients behind `fillRect`
(6 ms), which the first frame would wait for. PySide makes a class with all its enums when it is first touched.

Parts of a view that were painted, kept as pictures: laying out the text of one takes longer than painting a dozen again.

One character of the icon font, painted.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPixmap

MEASURED = 1000
"""Characters that are measured of a text on one line: more than any line has room for, whatever somebody wrote."""


def fill(painter: QPainter, rect: QRect, colour: QColor) -> None:
    """A plain rectangle; the painter has no pen afterwards."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRect(rect)


def visual_rect(whole: QRect, part: QRect) -> QRect:
    """Where a part of the whole stands: mirrored where one reads from the right."""
    if not QGuiApplication.isRightToLeft():
        return part
    return QRect(whole.left() + whole.right() - part.right(), part.top(), part.width(), part.height())


def visual_side(side: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    """Left or right, the other one where one reads from the right."""
    if QGuiApplication.isRightToLeft():
        side = Qt.AlignmentFlag.AlignLeft if side is Qt.AlignmentFlag.AlignRight else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignAbsolute  # or the painter would swap it once more


K = TypeVar("K", bound=Hashable)


class PixmapCache(Generic[K]):
    """The pictures used last, by key, as many as `most_bytes` hold."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pictures: OrderedDict[K, QPixmap] = OrderedDict()

    def drop(self) -> None:
        """All of them: the looks changed."""
        self._pictures.clear()
        self._bytes = 0

    def picture(self, key: K, size: QSize, ratio: float, paint: Callable[[QPainter], None]) -> QPixmap:
        """The kept picture, or a new one of `size` (at `ratio` device pixels a pixel) that `paint` covers wholly."""
        kept = self._pictures.get(key)
        if kept is not None:
            self._pictures.move_to_end(key)
            return kept
        if size.isEmpty():
            return QPixmap()  # a list folded to nothing; Qt warns of painting on such a picture
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
    """Draw one character of the icon font centred in `rect`."""
    font = QFont(family)
    font.setPixelSize(max(1, min(rect.width(), rect.height())))
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(rect), Qt.AlignmentFlag.AlignCenter, glyph)
    painter.restore()
