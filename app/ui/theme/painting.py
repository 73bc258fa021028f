"""Painting helpers for the first frame.

They avoid the parts of Qt that are slow to load into Python, since PySide builds a class with all its enums at first use:
`QStyle` (15 ms) and the gradients behind `fillRect` (6 ms).
"""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter

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


def paint_glyph(painter: QPainter, rect: QRect, glyph: str, family: str, colour: QColor) -> None:
    font = QFont(family)
    font.setPixelSize(max(1, min(rect.width(), rect.height())))
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(rect), Qt.AlignmentFlag.AlignCenter, glyph)
    painter.restore()
