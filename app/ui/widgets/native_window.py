"""Native child windows for the HTML view and widgets above it. X11 only.

HTML mail is composed by OpenGL, and Qt replaces the native window in which that starts. Under X11 keys pressed meanwhile are
lost, and every later painting of the lists goes through OpenGL too. A view with a native window of its own keeps this inside that
window.
"""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


def give_own_window(widget: QWidget) -> None:
    """Makes the widget native. Call it before it is shown; a second call does nothing. A widget that lies over a native one must
    be native too, or it gets no clicks.
    """
    if QGuiApplication.platformName() != "xcb" or widget.testAttribute(Qt.WidgetAttribute.WA_NativeWindow):
        return
    # Otherwise Qt would make its siblings and ancestors native as well.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    widget.setAttribute(Qt.WidgetAttribute.WA_DontCreateNativeAncestors)
    widget.setAttribute(Qt.WidgetAttribute.WA_NativeWindow)
    NativeWindowFollower(widget)


class NativeWindowFollower(QObject):
    """Moves the native window when an ancestor moves. Qt does not do that. It also repaints the window on expose events, because
    Qt loses what it painted beside a composed widget.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._around: list[QWidget] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.ParentChange or (kind is QEvent.Type.Show and watched is self._widget):
            self._watch()
            self._place()
        elif kind is QEvent.Type.Move and watched is not self._widget:
            self._place()
        elif kind is QEvent.Type.Expose:
            self._widget.window().update()
        return False

    def _watch(self) -> None:
        for one in self._around:
            one.removeEventFilter(self)
        self._around = []
        above = self._widget.parentWidget()
        while above is not None and not above.isWindow():
            above.installEventFilter(self)
            self._around.append(above)
            above = above.parentWidget()
        outermost = self._widget.window().windowHandle()
        if outermost is not None and outermost is not self._widget.windowHandle():
            outermost.installEventFilter(self)

    def _place(self) -> None:
        handle, native = self._widget.windowHandle(), self._widget.nativeParentWidget()
        if handle is not None and native is not None:
            handle.setPosition(self._widget.mapTo(native, QPoint()))
