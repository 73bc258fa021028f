"""The words of a plain mail. Refuses to follow a link by itself: a click is announced."""

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QTextBrowser

from app.ui.appearance import Appearance
from app.ui.ground import cover_itself, lay_ground
from app.ui.ring import Ring
from app.ui.scale import Space


class MailText(QTextBrowser):
    """Shows rich text made from plain words; ringed while it has the keyboard by a key."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._ring = Ring(self, appearance)
        self.setProperty("role", "body")
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.document().setDocumentMargin(Space.LARGE)
        cover_itself(self)

    def setHtml(self, text: str) -> None:
        """The words from their beginning: while the view is still low, Qt scrolls past it to show its cursor."""
        super().setHtml(text)
        self.verticalScrollBar().setValue(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, words and the ring."""
        lay_ground(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)
        self._ring.draw()
