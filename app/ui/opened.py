"""The program's QApplication: hears of addresses that macOS opens with it, which come as events and not as arguments.

Refuses to interpret them.
"""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Program(QApplication):
    """`opened(address)` for each; those that came before anybody listened are in `early`."""

    opened = Signal(str)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.early: list[str] = []
        self._heard = False

    def hear(self) -> list[str]:
        """From now on somebody listens to `opened`; what came before."""
        self._heard = True
        early, self.early = self.early, []
        return early

    def event(self, event: QEvent) -> bool:
        """Only events for the program itself pass here, not those of its widgets."""
        if isinstance(event, QFileOpenEvent):
            address = bytes(event.url().toEncoded().data()).decode("ascii", "replace")
            if self._heard:
                self.opened.emit(address)
            else:
                self.early.append(address)
            return True
        return super().event(event)
