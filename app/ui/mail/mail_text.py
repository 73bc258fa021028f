"""The words of a plain mail. Refuses to follow a link by itself: a click is announced."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTextBrowser

from app.ui.appearance import Appearance
from app.ui.ground import cover_itself, lay_ground
from app.ui.scale import Space


class MailText(QTextBrowser):
    """Shows rich text made from plain words; ringed while it has the keyboard by a key."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ringed = False
        self.setProperty("role", "body")
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.document().setDocumentMargin(Space.LARGE)
        cover_itself(self)

    def setHtml(self, text: str) -> None:
        """The words from their beginning: while the view is still low, Qt scrolls past it to show its cursor."""
        super().setHtml(text)
        self.verticalScrollBar().setValue(0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A key came here, or a click, which is seen at the pointer."""
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._ringed = event.reason() is not Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """And went on."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, words and the ring."""
        lay_ground(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        if self._ringed and self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(self._appearance.colour("accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
            painter.end()
