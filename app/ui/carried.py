"""Conversations on their way from a list to a place of the navigation: how they are packed, and which places take them.

Refuses what another program drags here, a second window of this one included: its numbers name other mail.
"""

import os
from array import array

from PySide6.QtCore import QByteArray, QMimeData

from app.domain.ids import ThreadId
from app.domain.views import MailView
from app.ui.label_places import LABEL

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
