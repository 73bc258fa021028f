"""Layouts that are done once, and that stay inside.

Showing one hidden widget makes Qt lay out everything around it at once, up to the window, and each change of a hint is told to
every layout above, all of which measure their pages again: three notices over a mail were three layouts of the window.

A stack that asks for the room of the page it shows, not of its largest: what scrolls around it ends where that page ends.

Not a `QStackedWidget`: a layout around one asks its own layout how high it is at a width, and that answers for all pages.

A pane that scrolls up and down where there is too little height for what it holds; to the side it never does. What it holds
may say how high its words are at the width they have, so that nothing scrolls without need.

Small widgets side by side, on as many lines as they take: one where there is room, more in a narrow pane or with large text.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QSizePolicy, QStackedLayout, QStyle, QWidget

from app.ui.theme.metrics import Space


@contextmanager
def laid_out_once(*parts: QWidget) -> Iterator[None]:
    """Change the widgets inside `parts` (innermost first, each with a layout); they are laid out once, when everything is said.
    Not to be nested for the same part."""
    layouts = [layout for layout in map(QWidget.layout, parts) if layout is not None]
    for layout in layouts:
        layout.setEnabled(False)
    try:
        yield
    finally:
        _lay_out(parts, layouts)


def _lay_out(parts: Sequence[QWidget], layouts: Sequence[QLayout]) -> None:
    """Needs are told outwards first; then each is laid out in the room it is given, and not in that of before as well. Whoever
    lies further out is asked once more: Qt takes what was laid out inside for news."""
    for part in parts[:-1]:
        part.updateGeometry()
    for layout in layouts:
        layout.setEnabled(True)
    for layout in (*reversed(layouts), *layouts):
        layout.activate()


class SelfContainedLayout(QWidget):
    """Gives one widget all its room. The layouts outside hear of another need only where it matters: when there is too little
    room for it, or when they hold the room at what was needed before."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self._told = QSize(-1, -1)
        inside.setParent(self)
        inside.show()

    def sizeHint(self) -> QSize:
        """What is inside would like."""
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What is inside needs."""
        return self._inside.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """All the room."""
        super().resizeEvent(event)
        self._inside.resize(event.size())
        self._tell()

    def showEvent(self, event: QShowEvent) -> None:
        """What changed while it was hidden is told now."""
        super().showEvent(event)
        self._tell()

    def event(self, event: QEvent) -> bool:
        """A layout inside has changed: Qt tells the parent, which has none to take it further."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._tell()
        return super().event(event)

    def _tell(self) -> None:
        needed = self._inside.minimumSizeHint()
        short = needed.width() > self.width() or needed.height() > self.height()
        held = self._told.width() >= self.width() or self._told.height() >= self.height()
        if needed != self._told and (short or held):
            self._told = needed
            self.updateGeometry()


class _Fitted(QStackedLayout):
    """As `QStackedLayout`, one page's size at a time."""

    def sizeHint(self) -> QSize:
        """What the page on show wants."""
        page = self.currentWidget()
        return super().sizeHint() if page is None else page.sizeHint()

    def minimumSize(self) -> QSize:
        """What the page on show needs."""
        page = self.currentWidget()
        return super().minimumSize() if page is None else page.minimumSizeHint().expandedTo(page.minimumSize())

    def hasHeightForWidth(self) -> bool:
        """As the page on show."""
        page = self.currentWidget()
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """As the page on show."""
        page = self.currentWidget()
        return -1 if page is None else page.heightForWidth(width)


class FittedStack(QWidget):
    """Pages by number; the first is shown until another is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._pages = _Fitted(self)

    def addWidget(self, page: QWidget) -> None:
        """Another page."""
        self._pages.addWidget(page)

    def setCurrentIndex(self, at: int) -> None:
        """Show a page."""
        self._pages.setCurrentIndex(at)
        self.updateGeometry()

    def currentIndex(self) -> int:
        """Which page is shown; -1 before there is one."""
        return self._pages.currentIndex()

    def currentWidget(self) -> QWidget | None:
        """The page on show."""
        return self._pages.currentWidget()


LOWEST = 72


class Flowing(QWidget):
    """The inside of an area that scrolls. Wrapped words guess how high they would be in a narrow column; their height at the
    width there is, which the area asks for too, is enough."""

    def minimumSizeHint(self) -> QSize:
        """As wide as must be."""
        return QSize(super().minimumSizeHint().width(), 0)


class Scrolled(QScrollArea):
    """As wide as its content asks for, as low as may be."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        inside.setProperty("role", "plain")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    def minimumSizeHint(self) -> QSize:
        """Nothing is cut at the sides."""
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self._inside.minimumSizeHint().width() + bar, LOWEST)


class FlowRow(QWidget):
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
