"""Layouts that are done once, and that stay inside.

Showing one hidden widget makes Qt lay out everything around it at once, up to the window, and each change of a hint is told to
every layout above, all of which measure their pages again: three notices over a mail were three layouts of the window.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QWidget


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


class Enclosed(QWidget):
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
