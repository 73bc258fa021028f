"""A pane that scrolls up and down where there is too little height for what it holds; to the side it never does. What it holds
may say how high its words are at the width they have, so that nothing scrolls without need.

Refuses to take the keyboard: Tab goes to what is inside, and that comes into view.
"""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

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
