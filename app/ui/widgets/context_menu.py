"""Menus that close with their page. The page may change while a menu is open."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.ui.widgets.split_view import first_control


class PageMenu(QMenu):
    """A menu for one use. It is closed when `page` is hidden, and deleted when closed. For a page with a native window its parent
    is the top-level window, as X11 needs.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page.window() if page.testAttribute(Qt.WidgetAttribute.WA_NativeWindow) else page)
        page.installEventFilter(self)
        self.aboutToHide.connect(self.deleteLater)

    def event(self, event: QEvent) -> bool:
        """Keeps letters for the menu's entries: on the page they would be shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Returns the focus to the page where Qt did not. Qt does not if the earlier focus widget has gone meanwhile."""
        super().hideEvent(event)
        page, held = self.parentWidget(), QApplication.focusWidget()
        inside = held is self or (held is not None and self.isAncestorOf(held))
        if page is not None and page.isVisible() and inside:
            first_control(page).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Hide:
            self.close()
        return super().eventFilter(watched, event)
