"""A stack that asks for the room of the page it shows, not of its largest: what scrolls around it ends where that page ends."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class FittedStack(QStackedWidget):
    """As `QStackedWidget`, one page's size at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _at: self.updateGeometry())

    def sizeHint(self) -> QSize:
        """What the page on show wants."""
        page = self.currentWidget()
        return super().sizeHint() if page is None else page.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What the page on show needs."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        """As the page on show."""
        page = self.currentWidget()
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """As the page on show."""
        page = self.currentWidget()
        return -1 if page is None else page.heightForWidth(width)
