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


def takes(place: str, dragged: QMimeData) -> bool:
    """Whether a place files what is dragged: never where it lies already."""
    if not dragged.hasFormat(THREADS) or not (place in TAKING or place.startswith(LABEL)):
        return False
    return place != bytes(dragged.data(ORIGIN).data()).decode()
