"""Views that lay their own ground, so that no widget behind them paints what nobody sees.

A ground from the style sheet is dear, and each widget up to the window paints its own: together they took longer than the rows of
a list.

The ring around a text that has the keyboard by a key. A click is seen at the pointer, and needs none.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.theme.appearance import Appearance


def cover_itself(view: QAbstractScrollArea) -> None:
    """From now on `view` paints every pixel of its viewport: `lay_ground` comes first in its `paintEvent`."""
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


def lay_ground(view: QAbstractScrollArea, event: QPaintEvent, colour: QColor) -> None:
    """Fill what is to be painted."""
    painter = QPainter(view.viewport())
    painter.fillRect(event.rect(), colour)
    painter.end()


UNMOVED = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""The keyboard comes back to where it was: the ring stays as it was, too."""


class FocusRing(QObject):
    """Watches the keyboard of `view`; `draw` comes last in its `paintEvent`."""

    def __init__(self, view: QAbstractScrollArea, appearance: Appearance) -> None:
        super().__init__(view)
        self._view, self._appearance = view, appearance
        self._by_key = False
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keyboard comes or goes."""
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() not in UNMOVED:
                self._by_key = event.reason() is not Qt.FocusReason.MouseFocusReason
            self._view.viewport().update()
        return False

    def draw(self) -> None:
        """Along the edge of the view, while it has the keyboard by a key."""
        if not self._by_key or not self._view.hasFocus():
            return
        painter = QPainter(self._view.viewport())
        painter.setPen(self._appearance.colour("accent"))
        painter.drawRect(self._view.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()
