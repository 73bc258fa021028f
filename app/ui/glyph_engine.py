"""An icon of the icon font for Qt's widgets. Apart from `icons`, because the first frame paints glyphs without `QIcon`, whose
enums take 4 ms to bring into Python.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap

from app.ui.glyphs import paint_glyph


class GlyphEngine(QIconEngine):
    """One character of the icon font as an icon; disabled icons are faint."""

    def __init__(self, glyph: str, family: str, colour: Callable[[], QColor]) -> None:
        super().__init__()
        self._glyph = glyph
        self._family = family
        self._colour = colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Qt asks for a painting at any size."""
        colour = self._colour()
        if mode is QIcon.Mode.Disabled:
            colour.setAlphaF(0.4)
        paint_glyph(painter, rect, self._glyph, self._family, colour)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The same on a transparent ground."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        """Qt copies engines when an icon is detached."""
        return GlyphEngine(self._glyph, self._family, self._colour)
