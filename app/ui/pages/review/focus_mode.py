"""Focus mode of the Review page: one review at a time, with a line that shows how many are left. The page hides the rest."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, column, label, row
from app.ui.widgets.hints import announce


class FocusMode(QFrame):
    """Line shown while focus mode is on. Emits `turned` with its state; `action` toggles it."""

    turned = Signal(bool)

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setProperty("role", "plain")  # the same background as the panel below
        self._on = False
        self._count = 0
        self._label = label("", Type.STRONG)
        layout = row(self, 0, Space.SMALL)
        layout.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, 0)
        layout.addWidget(self._label)
        layout.addStretch(1)
        layout.addWidget(button(self.tr("Leave focus mode"), "link", action.trigger))
        self.hide()

    @property
    def on(self) -> bool:
        """Whether focus mode is on."""
        return self._on

    @property
    def words(self) -> str:
        """The text on the line."""
        return self._label.text()

    def turn(self, on: bool) -> bool:
        """Switches focus mode on or off. Returns whether the state changed; it stays off without reviews."""
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
        """Shows the number of waiting reviews; 0 switches focus mode off."""
        if count == self._count:
            return
        self._count = count
        self._label.setText(self.tr("%n left", "", count))
        if not count:
            self.turn(False)
        elif self._on:
            announce(self, self.words)


def under(line: FocusMode, desk: QWidget) -> QWidget:
    """Returns a widget with the line above `desk`."""
    made = QWidget()
    parts = column(made, 0, 0)
    parts.addWidget(line)
    parts.addWidget(desk, 1)
    return made
