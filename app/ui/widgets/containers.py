"""Containers that Qt lacks: a stack sized to its current page, vertical scroll areas, a row that wraps, and native windows."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QSizePolicy, QStackedLayout, QStyle, QWidget
from shiboken6 import delete, isValid

from app.ui.theme.metrics import Space, at_text_size
from app.ui.widgets.factory import row


class _Fitted(QStackedLayout):
    def sizeHint(self) -> QSize:
        page = self.currentWidget()
        return super().sizeHint() if page is None else page.sizeHint()

    def minimumSize(self) -> QSize:
        page = self.currentWidget()
        return super().minimumSize() if page is None else page.minimumSizeHint().expandedTo(page.minimumSize())

    def hasHeightForWidth(self) -> bool:
        page = self.currentWidget()
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        page = self.currentWidget()
        return -1 if page is None else page.heightForWidth(width)


class Dialog(QDialog):
    """A dialog that is deleted when it is closed."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)


class FittedStack(QWidget):
    """A stack with the size of its current page. An area around it scrolls only as far as that page. It is no `QStackedWidget`,
    whose own layout answers height-for-width for all pages.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pages = _Fitted(self)

    def addWidget(self, page: QWidget) -> None:
        self._pages.addWidget(page)

    def setCurrentIndex(self, at: int) -> None:
        self._pages.setCurrentIndex(at)
        self.updateGeometry()

    def currentIndex(self) -> int:
        """Index of the current page; -1 without pages."""
        return self._pages.currentIndex()

    def currentWidget(self) -> QWidget | None:
        return self._pages.currentWidget()


LOWEST = 72


class Flowing(QWidget):
    """Content of a scroll area. Its minimum height is 0: wrapped labels guess their height in a narrow column, and the area asks
    for the height at the real width anyway.
    """

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)


class Scrolled(QScrollArea):
    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        inside.setProperty("role", "plain")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self._inside.minimumSizeHint().width() + bar, LOWEST)


class ScrolledHead(Scrolled):
    """A scroll area as high as its content. It gives up height where the room is short."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        self._high = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        return QSize(self._inside.sizeHint().width(), self._high)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._inside.minimumSizeHint().width(), min(at_text_size(LOWEST), self._high))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        high = self._inside.heightForWidth(self.width())
        high = self._inside.sizeHint().height() if high < 0 else high
        if high != self._high:
            self._high = high
            self.setMaximumHeight(high)
            self.updateGeometry()


class ScrolledLine(QScrollArea):
    """Widgets side by side on one line, which the wheel and the Tab key scroll where it is too short."""

    def __init__(self, widgets: Sequence[QWidget]) -> None:
        super().__init__()
        self._inside = inside = QWidget()
        inside.setProperty("role", "plain")
        row(inside, 0, Space.MEDIUM, *widgets)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        bar = self.horizontalScrollBar().sizeHint().height()
        return QSize(super().sizeHint().width(), self._inside.sizeHint().height() + bar)

    def wheelEvent(self, event: QWheelEvent) -> None:
        moved = event.angleDelta().y() or event.angleDelta().x()
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - moved)
        event.accept()


class FlowRow(QWidget):
    """Widgets side by side, on as many lines as needed. `across` is the gap between widgets, `down` between lines, in pixels."""

    def __init__(self, widgets: Sequence[QWidget], across: int = Space.MEDIUM, down: int = Space.TIGHT) -> None:
        super().__init__()
        self._widgets, self._across, self._down = tuple(widgets), across, down
        for one in self._widgets:
            one.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        return max((place.y() + place.height() for _one, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        sizes = [one.sizeHint() for one in self._shown()]
        width = sum(size.width() for size in sizes) + self._across * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        sizes = [one.sizeHint() for one in self._shown()]
        return QSize(max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        return [one for one in self._widgets if not one.isHidden()]

    def _place(self) -> None:
        for one, place in self._places(self.width()):
            one.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        lines: list[list[tuple[QWidget, QSize]]] = []
        left = -1
        for one in self._shown():
            size = one.sizeHint()
            if left < size.width():
                lines.append([])
                left = width
            lines[-1].append((one, size))
            left -= size.width() + self._across
        y = 0
        for line in lines:
            x, high = 0, max(size.height() for _one, size in line)
            for one, size in line:  # centred, because a link is lower than a button
                yield one, QRect(x, y + (high - size.height()) // 2, size.width(), size.height())
                x += size.width() + self._across
            y += high + self._down


def end_with(owner: QWidget, part: QWidget) -> None:
    """Deletes a part that has no parent yet with its owner. It would outlive the window and crash with the next event."""
    owner.destroyed.connect(lambda: delete(part) if isValid(part) else None)


def make_native(widget: QWidget) -> None:
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
