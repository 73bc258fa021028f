"""One character of the icon font, painted."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter


def paint_glyph(painter: QPainter, rect: QRect, glyph: str, family: str, colour: QColor) -> None:
    """Draw one character of the icon font centred in `rect`."""
    font = QFont(family)
    font.setPixelSize(max(1, min(rect.width(), rect.height())))
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(rect), Qt.AlignmentFlag.AlignCenter, glyph)
    painter.restore()
