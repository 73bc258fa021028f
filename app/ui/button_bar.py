"""A row of buttons under what they are about: always in the same order, with as many words as there is room for."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame

from app.ui.build import row
from app.ui.key_button import KeyButton, Room
from app.ui.scale import Space


class ButtonBar(QFrame):
    """The buttons from `apart` on stand at the right edge. Never wider than it is given."""

    def __init__(self, buttons: Sequence[KeyButton], apart: int) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self.setMinimumWidth(1)
        self._buttons = tuple(buttons)
        self._width = -1
        self._words: tuple[str, ...] = ()
        layout = row(self, 0, Space.SMALL)
        layout.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        for made in buttons:
            layout.addWidget(made)
        layout.insertStretch(apart, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose how much is shown."""
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        """Another language, size or wording may need another choice."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()
        return super().event(event)

    def fit(self) -> None:
        """The fullest form that fits: with keys, with words, then one icon after the other from the right; the most important
        keeps its word. Call it when another one has become that."""
        kept = self._kept()
        shown = self._shown()
        wanted = tuple(f"{made.accessibleName()}{made.font().pointSizeF()}{made in kept}" for made in shown)
        if (self.width(), wanted) == (self._width, self._words):
            return
        self._width, self._words = self.width(), wanted
        for room in (Room.KEYS, Room.WORDS):
            for made in shown:
                made.set_room(room)
            if self._needed() <= self.width():
                return
        for made in (one for one in reversed(shown) if one not in kept):
            made.set_room(Room.ICON)
            if self._needed() <= self.width():
                return

    def _kept(self) -> Sequence[KeyButton]:
        """What one is most likely to press: the primary button, if it can be pressed, else the first."""
        shown = self._shown()
        return [one for one in shown if one.property("role") == "primary" and one.isEnabled()] or shown[:1]

    def _shown(self) -> Sequence[KeyButton]:
        """All but those that have nothing to do with what is on show."""
        return [one for one in self._buttons if not one.isHidden()]

    def _needed(self) -> int:
        """Width of the buttons as they are, with their gaps and margins."""
        shown = self._shown()
        return sum(made.sizeHint().width() for made in shown) + Space.SMALL * len(shown) + 2 * Space.LARGE
