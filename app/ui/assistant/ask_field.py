"""The line in which the owner asks: Enter asks, Shift+Enter begins another line."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.ui.assistant.growing import GrowingField

RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class AskField(GrowingField):
    """`entered` when what stands there is to be asked."""

    entered = Signal()

    def __init__(self) -> None:
        super().__init__(fewest=1, most=6)
        self.setAccessibleName(self.tr("What the assistant is to do"))
        self.setPlaceholderText(self.tr("Ask for something in your own words…"))

    def event(self, event: QEvent) -> bool:
        """Ctrl+Enter asks too: while words stand here it is no key of the page's."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in RETURNS:
            event.setAccepted(bool(self.toPlainText().strip()))
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter asks."""
        if event.key() in RETURNS and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)
