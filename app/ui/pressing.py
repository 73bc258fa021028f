"""A push button that Return presses as well as Space, wherever it stands: Qt does so in dialogs only."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PressButton(QPushButton):
    """Return with Ctrl or Shift is left to the page's shortcuts."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return clicks once, however long it is held."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in ENTER and plain and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


class TurnButton(PressButton):
    """Each press turns round what the next one does, as Start and Stop do: a double click is one press, not both."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second half of a double click."""
        event.accept()
