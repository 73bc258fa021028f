"""Painting without the parts of Qt that are dear to bring into Python: `QStyle` (15 ms) and the gradients behind `fillRect`
(6 ms), which the first frame would wait for. PySide makes a class with all its enums when it is first touched.
"""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter

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
