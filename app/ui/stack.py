"""Pages of which one is shown, and the keyboard goes along with what is shown.

Qt gives it to what had it on the coming page before, also where that has been hidden meanwhile: then nothing has it any more.
"""

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.ui.panes import first_control


class Stack(QStackedWidget):
    """Refuses to take the keyboard from outside."""

    def setCurrentIndex(self, at: int) -> None:
        """Show a page by its number."""
        before, held = self.currentWidget(), self.window().focusWidget()
        inside = before is not None and held is not None and (held is before or before.isAncestorOf(held))
        super().setCurrentIndex(at)
        shown, held = self.currentWidget(), self.window().focusWidget()
        if inside and shown is not None and (held is None or not held.isVisibleTo(self.window())):
            first_control(shown).setFocus()

    def setCurrentWidget(self, page: QWidget) -> None:
        """Show a page."""
        self.setCurrentIndex(self.indexOf(page))
