"""A widget with a native window of its own inside the main one, and what may come to lie above it. X11 only.

HTML mail is composed by OpenGL, and Qt replaces the native window in which that begins: under X11 keys pressed meanwhile go
nowhere, and every later painting of the lists goes through OpenGL as well. Where the view has a window of its own, it stays at
that one.
"""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


def give_own_window(widget: QWidget) -> None:
    """Before it is shown; again does nothing. What lies over such a widget needs one too, or is seen there but never clicked."""
    if QGuiApplication.platformName() != "xcb" or widget.testAttribute(Qt.WidgetAttribute.WA_NativeWindow):
        return
    # It alone: Qt would give windows to everything beside and around it.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    widget.setAttribute(Qt.WidgetAttribute.WA_DontCreateNativeAncestors)
    widget.setAttribute(Qt.WidgetAttribute.WA_NativeWindow)
    NativeWindowFollower(widget)


class NativeWindowFollower(QObject):
    """Keeps the native window of a widget where the widget is: Qt moves it with the widget alone, not with what holds that. And
    has all painted that comes on the screen again: beside composed widgets Qt forgets to show what it painted before."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._around: list[QWidget] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of the widget and of all that it lies in."""
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
