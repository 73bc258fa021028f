"""A box to choose one of several that the wheel leaves alone: it scrolls what is around the box, whatever is below the pointer.

Qt lets the wheel choose, with the keyboard elsewhere: whoever scrolls a page would change what happens to pass by.

A push button that Return presses as well as Space, wherever it stands: Qt does so in dialogs only.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QPushButton


class ChoiceBox(QComboBox):
    """Chosen from by keys, or from its open list."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """For whoever scrolls."""
        event.ignore()


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ReturnButton(QPushButton):
    """Return with Ctrl or Shift is left to the page's shortcuts."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return clicks once, however long it is held."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in ENTER and plain and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


class TurnButton(ReturnButton):
    """Each press turns round what the next one does, as Start and Stop do: a double click is one press, not both."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second half of a double click."""
        event.accept()
