"""What a page is: it reads when it is shown and stale, it hears events, and it does nothing while hidden."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.domain.events import Event
from app.ui.context import Context
from app.ui.throttle import Throttle

REFRESH_MS = 150


class Page(QWidget):
    """Subclasses fill `refresh` (read and show again) and `concerned_by` (whether an event makes them stale)."""

    def __init__(self, context: Context, name: str, title: str) -> None:
        super().__init__()
        self.context = context
        self.name = name
        self.title = title
        self.setObjectName(f"page_{name}")
        self.setAccessibleName(title)
        self._stale = True
        self._throttle = Throttle(self._refresh_now, REFRESH_MS, self)

    def refresh(self) -> None:
        """Read again and show what changed."""

    def concerned_by(self, event: Event) -> bool:
        """Whether an event makes this page stale."""
        return False

    def hear(self, event: Event) -> None:
        """An event came: refresh soon if visible, else when shown."""
        if self.concerned_by(event):
            self.touch()

    def touch(self) -> None:
        """Make stale."""
        self._stale = True
        if self.isVisible():
            self._throttle.poke()

    def take_focus(self) -> None:
        """Put the keyboard where work starts; subclasses say where."""
        self.setFocus()

    def go_back(self) -> bool:
        """In a narrow window: from the detail to the list. Whether there was a way back."""
        return False

    def showEvent(self, event: QShowEvent) -> None:
        """Shown: read if stale."""
        super().showEvent(event)
        if self._stale:
            self._refresh_now()

    def _refresh_now(self) -> None:
        if self.isVisible():
            self._stale = False
            self.refresh()
