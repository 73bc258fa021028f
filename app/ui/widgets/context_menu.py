"""Menus that belong to a page and go with it: engines answer and pages change while a menu is open."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.ui.widgets.split_view import first_control


class PageMenu(QMenu):
    """A menu of `page`, for one showing: closed when the page is hidden, deleted when it was closed. Of a page with a native
    window of its own it belongs to the main one: a menu stands before a top level window, or X11 is told nonsense."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page.window() if page.testAttribute(Qt.WidgetAttribute.WA_NativeWindow) else page)
        page.installEventFilter(self)
        self.aboutToHide.connect(self.deleteLater)

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt has given the keyboard back to what had it. Where that went while the menu was open, the menu has it still, and
        would take it along."""
        super().hideEvent(event)
        page = self.parentWidget()
        if page is not None and page.isVisible() and QApplication.focusWidget() is self:
            first_control(page).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page goes."""
        if event.type() is QEvent.Type.Hide:
            self.close()
        return super().eventFilter(watched, event)
