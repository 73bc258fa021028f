"""A character of the icon font is painted in its place and colour, and leaves the painter as it was."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.ui.glyphs import paint_glyph


def test_a_glyph_is_painted_in_its_place_and_leaves_the_painter_alone(qapp: QApplication) -> None:
    picture = QImage(60, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    painter.setPen(QColor("#00ff00"))
    before = painter.font()
    paint_glyph(painter, QRect(10, 10, 20, 20), "X", "Noto Sans", QColor("#ff0000"))
    assert (painter.pen().color(), painter.font()) == (QColor("#00ff00"), before)
    painter.end()
    inked = [(x, y) for x in range(60) for y in range(40) if picture.pixelColor(x, y) != QColor("white")]
    assert inked
    assert all(8 <= x <= 32 and 8 <= y <= 32 for x, y in inked)
    assert all(picture.pixelColor(x, y).red() > 250 for x, y in inked)
