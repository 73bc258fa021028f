"""Where something may stand over a window without hiding what is needed meanwhile: buttons, the chosen rows of lists, the places
of the navigation, the line that is being typed, the lines that say what to know before one goes on. Refuses to hide anything of
it as long as there is another place.
"""

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

STEP = 12


def needed(host: QWidget, besides: QWidget) -> list[QRect]:
    """What is not to be hidden, in the host's pixels, but for what is in `besides`."""
    views = [one for one in host.findChildren(QAbstractItemView) if one.isVisible()]
    buttons = [one for one in host.findChildren(QAbstractButton) if one.isVisible() and not besides.isAncestorOf(one)]
    frames = [one for one in host.findChildren(QFrame) if not isinstance(one, QLabel)]  # every label is one, and asking costs
    told = [one for one in frames if one.isVisible() and one.property("role") == "notice"]
    rows = [_within(host, view.viewport(), one) for view in views for one in _rows(view)]
    return [*(_within(host, one, one.rect()) for one in (*buttons, *told)), *rows, *_typed(host)]


def clear_place(size: QSize, room: QRect, start: QPoint, taken: Sequence[QRect]) -> QPoint:
    """The upper left corner nearest to `start` at which something of `size` stands in `room` over none of `taken`; where there is
    none, the one at which it hides least."""

    def hidden(at: QPoint) -> int:
        parts = [one.intersected(QRect(at, size)) for one in taken]
        return sum(one.width() * one.height() for one in parts if not one.isEmpty())

    places = sorted(_places(size, room, start), key=lambda at: (at - start).manhattanLength())
    for at in places:
        here = QRect(at, size)
        if not any(here.intersects(one) for one in taken):
            return at
    return min(places, key=hidden)


def _places(size: QSize, room: QRect, start: QPoint) -> Iterator[QPoint]:
    """`start`, and others on a grid: at either side or in the middle, and at any height."""
    last, low = room.right() - size.width() + 1, room.bottom() - size.height() + 1
    yield start
    for x in {start.x(), room.left(), (room.left() + last) // 2, last}:
        for y in range(low, room.top() - 1, -STEP):
            yield QPoint(x, y)


def _rows(view: QAbstractItemView) -> Iterable[QRect]:
    """The chosen row; of the navigation all of them, each is a button."""
    model, current = view.model(), view.currentIndex()
    if view.property("role") == "navigation" and model is not None:
        ends = (model.index(0, 0), model.index(model.rowCount() - 1, 0))
        return [view.visualRect(ends[0]).united(view.visualRect(ends[1]))]
    return [view.visualRect(current)] if current.isValid() else []


def _typed(host: QWidget) -> list[QRect]:
    """The line with the cursor in it."""
    held = QApplication.focusWidget()
    if held is None or not host.isAncestorOf(held):
        return []
    if isinstance(held, QPlainTextEdit | QTextEdit):
        at, paper = held.cursorRect(), held.viewport()
        return [_within(host, paper, QRect(0, at.top(), paper.width(), at.height()))]
    return [_within(host, held, held.rect())] if isinstance(held, QLineEdit) else []


def _within(host: QWidget, widget: QWidget, rect: QRect) -> QRect:
    """A rectangle of a widget that can be seen in it, in the host's pixels."""
    return QRect(widget.mapTo(host, rect.topLeft()), rect.size()).intersected(QRect(widget.mapTo(host, QPoint()), widget.size()))
