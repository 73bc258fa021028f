"""Parts of a view that were painted, kept as pictures: laying out the text of one takes longer than painting a dozen again.

Refuses to know when a picture is no longer right: whoever keeps it names everything it depends on, and drops all on new looks.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPixmap

K = TypeVar("K", bound=Hashable)


class KeptPictures(Generic[K]):
    """The pictures used last, by key, as many as `most_bytes` hold."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pictures: OrderedDict[K, QPixmap] = OrderedDict()

    def drop(self) -> None:
        """All of them: the looks changed."""
        self._pictures.clear()
        self._bytes = 0

    def picture(self, key: K, size: QSize, ratio: float, paint: Callable[[QPainter], None]) -> QPixmap:
        """The kept picture, or a new one of `size` (at `ratio` device pixels a pixel) that `paint` covers wholly."""
        kept = self._pictures.get(key)
        if kept is not None:
            self._pictures.move_to_end(key)
            return kept
        if size.isEmpty():
            return QPixmap()  # a list folded to nothing; Qt warns of painting on such a picture
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        paint(painter)
        painter.end()
        self._pictures[key] = picture
        self._bytes += _bytes(picture)
        while self._bytes > self._most_bytes and len(self._pictures) > 1:
            self._bytes -= _bytes(self._pictures.popitem(last=False)[1])
        return picture


def _bytes(picture: QPixmap) -> int:
    return picture.width() * picture.height() * picture.depth() // 8
