"""Drag and drop of conversations onto places. Also scrolls a view while something is dragged near an edge."""

import os
from array import array
from collections.abc import Callable

from PySide6.QtCore import QByteArray, QMimeData, QObject, QTimer
from PySide6.QtWidgets import QAbstractItemView

from app.domain.ids import ThreadId
from app.domain.protocol.views import MailView
from app.ui.navigation.places import LABEL

THREADS = f"application/x-replyroom-threads-{os.getpid()}"
ORIGIN = f"application/x-replyroom-origin-{os.getpid()}"
TAKING = frozenset(map(str, (MailView.INBOX, MailView.STARRED, MailView.ALL, MailView.SPAM, MailView.TRASH)))
"""Views that accept dropped conversations. Labels accept them too."""


def packed(threads: list[ThreadId], origin: str) -> QMimeData:
    made = QMimeData()
    made.setData(THREADS, QByteArray(array("q", threads).tobytes()))
    made.setData(ORIGIN, QByteArray(origin.encode()))
    return made


def threads_in(dragged: QMimeData) -> list[ThreadId]:
    """Dragged conversations; empty for anything not dragged from this process."""
    found = array("q")
    if dragged.hasFormat(THREADS):
        found.frombytes(dragged.data(THREADS).data())
    return [ThreadId(one) for one in found]


def origin_of(dragged: QMimeData) -> str | None:
    """Name of the list the drag comes from. None for anything not dragged from this process."""
    return bytes(dragged.data(ORIGIN).data()).decode() if dragged.hasFormat(THREADS) else None


def takes(place: str, origin: str | None) -> bool:
    """Whether a place accepts a drop from `origin`. A place never accepts its own conversations."""
    return origin is not None and place != origin and (place in TAKING or place.startswith(LABEL))


STEP_MS = 120
EDGE = 20
"""Pixels at the edge that scroll: half the height of a row."""


class EdgeScroll(QObject):
    """Scrolls a view while something is dragged near an edge. Calls `scrolled` after each step, since the item under the pointer
    has changed.
    """

    def __init__(self, view: QAbstractItemView, scrolled: Callable[[], object]) -> None:
        super().__init__(view)
        self._view = view
        self._scrolled = scrolled
        self._towards = 0
        self._timer = QTimer(self, interval=STEP_MS)
        self._timer.timeout.connect(self._step)

    def follow(self, y: int) -> None:
        """Takes the pointer's distance in pixels from the upper edge."""
        self._towards = -1 if y < EDGE else 1 if self._view.viewport().height() - y < EDGE else 0
        if not self._towards:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        self._timer.stop()

    def _step(self) -> None:
        bar = self._view.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + self._towards * bar.singleStep())
        if bar.value() == before:
            self._timer.stop()
        else:
            self._scrolled()
