"""How far an area is scrolled, put back when there is enough in it to scroll: contents and sizes come one after the other.

Refuses to hold on once somebody else moves it: the user, or a field that is brought into view.
"""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.parts import Parts
from app.ui.whereabouts import Spot, number


class ScrollPlace(QObject):
    """Of one area, up and down, in its own steps (pixels for most). `moved` when it was scrolled."""

    moved = Signal()

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._bar = area.verticalScrollBar()
        self._wanted = 0
        self._ours = False
        self._bar.rangeChanged.connect(lambda _low, _high: self._pull())
        self._bar.valueChanged.connect(self._moved)

    @property
    def at(self) -> int:
        """Where it is, or is to be."""
        return self._wanted or self._bar.value()

    def go(self, at: int) -> None:
        """Scroll there, now and while the range still changes; 0 lets it be."""
        self._wanted = max(0, at)
        self._pull()

    def _pull(self) -> None:
        if self._wanted:
            self._ours = True
            self._bar.setValue(min(self._wanted, self._bar.maximum()))
            self._ours = False

    def _moved(self, value: int) -> None:
        if not self._ours and value != min(self._wanted, self._bar.maximum()):
            self._wanted = 0
        self.moved.emit()


def keep_scroll(parts: Parts, name: str, area: QAbstractScrollArea) -> None:
    """Let how far an area is scrolled come back."""
    place = ScrollPlace(area)

    def read() -> Spot:
        return {"y": place.at} if place.at else {}

    def put_back(spot: Spot) -> bool:
        place.go(number(spot, "y"))
        return True

    parts.add(name, read, put_back, place.moved, fleeting=True)
