"""Painting helpers: those of the first frame, opaque backgrounds of scrolling views, and a focus ring.

Those of the first frame avoid the parts of Qt that are slow to load into Python, since PySide builds a class with all its enums
at first use: `QStyle` (15 ms) and the gradients behind `fillRect` (6 ms). A background from the style sheet is slow as well, and
every ancestor paints its own: together they took longer than the rows of a list.
"""

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.theme.appearance import Appearance

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


def make_opaque(view: QAbstractScrollArea) -> None:
    """Marks the viewport as opaque. The view must call `lay_ground` first in its `paintEvent`."""
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


def fill_background(view: QAbstractScrollArea, event: QPaintEvent, colour: QColor) -> None:
    painter = QPainter(view.viewport())
    painter.fillRect(event.rect(), colour)
    painter.end()


UNMOVED = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Focus returns to the same widget, so the ring does not change."""


class FocusRing(QObject):
    """Ring around a view that got the focus by key. Call `draw` last in its `paintEvent`."""

    def __init__(self, view: QAbstractScrollArea, appearance: Appearance) -> None:
        super().__init__(view)
        self._view, self._appearance = view, appearance
        self._by_key = False
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() not in UNMOVED:
                self._by_key = event.reason() is not Qt.FocusReason.MouseFocusReason
            self._view.viewport().update()
        return False

    def draw(self) -> None:
        if not self._by_key or not self._view.hasFocus():
            return
        painter = QPainter(self._view.viewport())
        painter.setPen(self._appearance.colour("accent"))
        painter.drawRect(self._view.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()
