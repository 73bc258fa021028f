"""Opaque backgrounds for scrolling views, and a focus ring.

A background from the style sheet is slow, and every ancestor paints its own: together they took longer than the rows of a list.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.theme.appearance import Appearance


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
