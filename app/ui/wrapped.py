"""Small widgets side by side, on as many lines as they take: one where there is room, more in a narrow pane or with large text.

Refuses to cut or to stretch any of them.
"""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from app.ui.scale import Space


class Wrapped(QWidget):
    """`across` pixels between two of them, `down` between two lines."""

    def __init__(self, widgets: Sequence[QWidget], across: int = Space.MEDIUM, down: int = Space.TIGHT) -> None:
        super().__init__()
        self._widgets, self._across, self._down = tuple(widgets), across, down
        for one in self._widgets:
            one.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Of all lines."""
        return max((place.y() + place.height() for _one, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        """All on one line."""
        sizes = [one.sizeHint() for one in self._shown()]
        width = sum(size.width() for size in sizes) + self._across * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """As wide as the widest."""
        sizes = [one.sizeHint() for one in self._shown()]
        return QSize(max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put each where it belongs."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """One of them wants another size, as the text size was changed, or came or went."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        return [one for one in self._widgets if not one.isHidden()]

    def _place(self) -> None:
        for one, place in self._places(self.width()):
            one.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        y = 0
        for line in self._lines(width):
            x, high = 0, max(size.height() for _one, size in line)
            for one, size in line:  # a link is lower than a button: their words stand at one height
                yield one, QRect(x, y + (high - size.height()) // 2, size.width(), size.height())
                x += size.width() + self._across
            y += high + self._down

    def _lines(self, width: int) -> list[list[tuple[QWidget, QSize]]]:
        lines: list[list[tuple[QWidget, QSize]]] = []
        left = -1
        for one in self._shown():
            size = one.sizeHint()
            if left < size.width():
                lines.append([])
                left = width
            lines[-1].append((one, size))
            left -= size.width() + self._across
        return lines
