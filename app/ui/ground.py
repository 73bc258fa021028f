"""Views that lay their own ground, so that no widget behind them paints what nobody sees.

A ground from the style sheet is dear, and each widget up to the window paints its own: together they took longer than the rows
of a list. Refuses to know what stands on the ground.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea


def cover_itself(view: QAbstractScrollArea) -> None:
    """From now on `view` paints every pixel of its viewport: `lay_ground` comes first in its `paintEvent`."""
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


def lay_ground(view: QAbstractScrollArea, event: QPaintEvent, colour: QColor) -> None:
    """Fill what is to be painted."""
    painter = QPainter(view.viewport())
    painter.fillRect(event.rect(), colour)
    painter.end()
