"""Conversations on their way from a list to a place of the navigation: how they are packed, and which places take them.

Scrolls a list while something is dragged along its upper or lower edge, where there is more than fits.
"""

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
"""Views that mail can be filed into; labels can as well."""


def packed(threads: list[ThreadId], origin: str) -> QMimeData:
    """To drag: the conversations, and the name of the place where they are listed."""
    made = QMimeData()
    made.setData(THREADS, QByteArray(array("q", threads).tobytes()))
    made.setData(ORIGIN, QByteArray(origin.encode()))
    return made


def threads_in(dragged: QMimeData) -> list[ThreadId]:
    """What is dragged; none for anything but conversations of this window."""
    found = array("q")
    if dragged.hasFormat(THREADS):
        found.frombytes(dragged.data(THREADS).data())
    return [ThreadId(one) for one in found]


def origin_of(dragged: QMimeData) -> str | None:
    """The place where what is dragged is listed; None for anything but conversations of this window."""
    return bytes(dragged.data(ORIGIN).data()).decode() if dragged.hasFormat(THREADS) else None


def takes(place: str, origin: str | None) -> bool:
    """Whether a place files what is dragged from another: never where it lies already."""
    return origin is not None and place != origin and (place in TAKING or place.startswith(LABEL))


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
