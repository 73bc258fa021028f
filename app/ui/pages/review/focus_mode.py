"""One item at a time: how many are left, and the way out, in a line over the desk. What is hidden meanwhile others decide."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, column, label, row
from app.ui.widgets.hints import announce


class FocusMode(QFrame):
    """Hidden while it is off; `turned` with whether it is on. `action` is what turns it on and off."""

    turned = Signal(bool)

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setProperty("role", "plain")  # on the ground of the desk
        self._on = False
        self._count = 0
        self._left = label("", Type.STRONG)
        layout = row(self, 0, Space.SMALL)
        layout.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, 0)
        layout.addWidget(self._left)
        layout.addStretch(1)
        layout.addWidget(button(self.tr("Leave focus mode"), "link", action.trigger))
        self.hide()

    @property
    def on(self) -> bool:
        """Whether it is on."""
        return self._on

    @property
    def words(self) -> str:
        """What is said of the rest."""
        return self._left.text()

    def turn(self, on: bool) -> bool:
        """On or off; whether it was otherwise before."""
        on = on and self._count > 0
        if on is self._on:
            return False
        self._on = on
        self.setVisible(on)
        self.turned.emit(on)
        if on:
            announce(self, self.words)
        return True

    def show_left(self, count: int) -> None:
        """So many wait; with the last one it goes off by itself."""
        if count == self._count:
            return
        self._count = count
        self._left.setText(self.tr("%n left", "", count))
        if not count:
            self.turn(False)
        elif self._on:
            announce(self, self.words)


def under(line: FocusMode, desk: QWidget) -> QWidget:
    """What is worked on, with the line over it."""
    made = QWidget()
    parts = column(made, 0, 0)
    parts.addWidget(line)
    parts.addWidget(desk, 1)
    return made
