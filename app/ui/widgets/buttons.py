"""Combo box and push buttons with changed defaults.

The combo box ignores the mouse wheel: Qt would change its value while the user scrolls the page. Buttons accept Return as well as
Space, which Qt does in dialogs only.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QPushButton

MOST_SHOWN = 16


class ChoiceBox(QComboBox):
    def __init__(self) -> None:
        super().__init__()
        self.setMaxVisibleItems(MOST_SHOWN)

    def showPopup(self) -> None:
        """Makes the list as high as its entries: Qt forgets the borders that the style sheet gives it."""
        super().showPopup()
        view, popup = self.view(), self.view().window()
        last = view.visualRect(view.model().index(min(self.count(), MOST_SHOWN) - 1, 0))
        lacking = last.bottom() + 1 - view.viewport().height()
        if lacking > 0 and popup is not self.window():
            room = self.screen().availableGeometry()
            popup.resize(popup.width(), min(popup.height() + lacking, room.height()))
            popup.move(popup.x(), max(room.top(), min(popup.y(), room.bottom() + 1 - popup.height())))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ReturnButton(QPushButton):
    """A push button that Return presses. Return with Ctrl or Shift is left to the page's shortcuts."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clicks once per key press, without auto-repeat."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in ENTER and plain and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


class TurnButton(ReturnButton):
    """A toggle such as Start and Stop. A double click counts as one press."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
