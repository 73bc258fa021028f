"""A stack that asks for the room of the page it shows, not of its largest: what scrolls around it ends where that page ends.

Not a `QStackedWidget`: a layout around one asks its own layout how high it is at a width, and that answers for all pages.
"""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedLayout, QWidget


class _Fitted(QStackedLayout):
    """As `QStackedLayout`, one page's size at a time."""

    def sizeHint(self) -> QSize:
        """What the page on show wants."""
        page = self.currentWidget()
        return super().sizeHint() if page is None else page.sizeHint()

    def minimumSize(self) -> QSize:
        """What the page on show needs."""
        page = self.currentWidget()
        return super().minimumSize() if page is None else page.minimumSizeHint().expandedTo(page.minimumSize())

    def hasHeightForWidth(self) -> bool:
        """As the page on show."""
        page = self.currentWidget()
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """As the page on show."""
        page = self.currentWidget()
        return -1 if page is None else page.heightForWidth(width)


class FittedStack(QWidget):
    """Pages by number; the first is shown until another is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._pages = _Fitted(self)

    def addWidget(self, page: QWidget) -> None:
        """Another page."""
        self._pages.addWidget(page)

    def setCurrentIndex(self, at: int) -> None:
        """Show a page."""
        self._pages.setCurrentIndex(at)
        self.updateGeometry()

    def currentIndex(self) -> int:
        """Which page is shown; -1 before there is one."""
        return self._pages.currentIndex()

    def currentWidget(self) -> QWidget | None:
        """The page on show."""
        return self._pages.currentWidget()
