"""Scrolls a list while something is dragged along its upper or lower edge, where there is more than fits.

Refuses to look at anything while the pointer is elsewhere: a timer runs at the edges only.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QAbstractItemView

STEP_MS = 120
EDGE = 20
"""Pixels from the edge in which it scrolls: half the height of a row."""


class EdgeScroll(QObject):
    """`scrolled` is called after each step: what lies under the pointer is another."""

    def __init__(self, view: QAbstractItemView, scrolled: Callable[[], object]) -> None:
        super().__init__(view)
        self._view = view
        self._scrolled = scrolled
        self._towards = 0
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)

    def follow(self, y: int) -> None:
        """The pointer is that many pixels below the upper edge."""
        self._towards = -1 if y < EDGE else 1 if self._view.viewport().height() - y < EDGE else 0
        if not self._towards:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        """Nothing is dragged here any more."""
        self._timer.stop()

    def _step(self) -> None:
        bar = self._view.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + self._towards * bar.singleStep())
        if bar.value() == before:
            self._timer.stop()
        else:
            self._scrolled()
