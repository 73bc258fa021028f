"""Icon engine for the icon font. Separate from `icons`, because the first frame paints glyphs without `QIcon`, whose enums take 4
ms to load into Python.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap

from app.ui.theme.painting import paint_glyph

PICTURES_KEPT = 4
"""Cached pictures of one icon: enabled and disabled, in two themes."""


class GlyphEngine(QIconEngine):
    """Paints one character of the icon font; disabled icons are faint."""

    def __init__(self, glyph: str, family: str, colour: Callable[[], QColor]) -> None:
        super().__init__()
        self._glyph = glyph
        self._family = family
        self._colour = colour
        self._kept: dict[tuple[int, int, int], QPixmap] = {}

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        paint_glyph(painter, rect, self._glyph, self._family, self._ink(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The glyph on a transparent background. Cached, because buttons ask for it at each painting."""
        colour = self._ink(mode)
        key = (size.width(), size.height(), colour.rgba())
        if key not in self._kept:
            if len(self._kept) >= PICTURES_KEPT:
                self._kept.clear()
            pixmap = QPixmap(size)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            paint_glyph(painter, QRect(QPoint(0, 0), size), self._glyph, self._family, colour)
            painter.end()
            self._kept[key] = pixmap
        return self._kept[key]

    def _ink(self, mode: QIcon.Mode) -> QColor:
        colour = self._colour()
        if mode is QIcon.Mode.Disabled:
            colour.setAlphaF(0.4)
        return colour

    def clone(self) -> QIconEngine:
        """Called by Qt when an icon is detached."""
        return GlyphEngine(self._glyph, self._family, self._colour)
