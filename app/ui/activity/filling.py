"""How a series of a chart is filled: its colour, and where high contrast is wanted a pattern of its own besides, because colours
that all stand out from the ground are much like each other."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.appearance import CONTRAST, Appearance
from app.ui.scale import Radius, at_text_size

PATTERNS = {
    "accent": Qt.BrushStyle.SolidPattern,
    "slot": Qt.BrushStyle.BDiagPattern,
    "warning": Qt.BrushStyle.HorPattern,
    "positive": Qt.BrushStyle.Dense5Pattern,
    "danger": Qt.BrushStyle.DiagCrossPattern,
    "line_strong": Qt.BrushStyle.VerPattern,
}
"""By token of the theme; solid is without one."""
SWATCH, PATTERNED = 10, 16


def high_contrast(appearance: Appearance) -> bool:
    """Whether the theme is one of high contrast."""
    return appearance.theme.name.startswith(CONTRAST)


def fill_series(painter: QPainter, path: QPainterPath, appearance: Appearance, token: str) -> None:
    """Paint a bar, or a part of one."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance.colour(token))
    painter.drawPath(path)
    pattern = PATTERNS[token]
    if high_contrast(appearance) and pattern is not Qt.BrushStyle.SolidPattern:
        painter.setBrush(QBrush(appearance.colour("surface"), pattern))
        painter.drawPath(path)


class Swatch(QWidget):
    """A series in the legend, filled as its bars are."""

    def __init__(self, appearance: Appearance, token: str) -> None:
        super().__init__()
        self._appearance, self._token = appearance, token
        side = at_text_size(PATTERNED if high_contrast(appearance) else SWATCH)
        self.setFixedSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A rounded square."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()), Radius.CONTROL / 2, Radius.CONTROL / 2)
        fill_series(painter, path, self._appearance, self._token)
        painter.end()
