"""Drag and drop of conversations onto places."""

import os
from array import array

from PySide6.QtCore import QByteArray, QMimeData

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
