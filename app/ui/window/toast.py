"""The notice in the lower corner. It closes by itself, by Escape or by its button, and never takes the keyboard focus.

It is placed where it hides nothing the user needs meanwhile: buttons, selected rows, the navigation, the line being typed, and
warnings on the page.
"""

from collections.abc import Callable, Sequence
from math import ceil

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFrame,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.ui.context import Words
from app.ui.services.async_task import single_shot
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space
from app.ui.widgets.action_buttons import key_words
from app.ui.widgets.containers import make_native
from app.ui.widgets.factory import announce, button, label, named, row, tool_button

STEP = 12


def needed(host: QWidget, besides: QWidget) -> list[QRect]:
    """Rectangles that must stay visible, in the host's pixels: buttons, notices, selected rows, the line being typed. Buttons
    inside `besides` are left out.
    """
    shown = [(one, one.rect()) for one in host.findChildren(QAbstractButton) if not besides.isAncestorOf(one)]
    # every QLabel is a QFrame, and reading its properties is slow
    frames = [one for one in host.findChildren(QFrame) if not isinstance(one, QLabel) and one.isVisible()]
    parts: list[tuple[QWidget, QRect]] = [*shown, *((one, one.rect()) for one in frames if one.property("role") == "notice")]
    for view in host.findChildren(QAbstractItemView):
        model, place = view.model(), view.visualRect(view.currentIndex())
        if view.property("role") == "navigation":  # each of its rows is a button
            place = view.visualRect(model.index(0, 0)).united(view.visualRect(model.index(model.rowCount() - 1, 0)))
        parts.append((view.viewport(), place))
    held = QApplication.focusWidget()
    if isinstance(held, QPlainTextEdit | QTextEdit) and host.isAncestorOf(held):
        at, paper = held.cursorRect(), held.viewport()
        parts.append((paper, QRect(0, at.top(), paper.width(), at.height())))
    elif isinstance(held, QLineEdit) and host.isAncestorOf(held):
        parts.append((held, held.rect()))
    return [_within(host, one, rect) for one, rect in parts if one.isVisible()]


def clear_place(size: QSize, room: QRect, start: QPoint, taken: Sequence[QRect]) -> QPoint:
    """Upper left corner nearest to `start` that covers none of `taken`. Something of `size` must fit into `room`; if no place is
    free, the one that covers least.
    """

    def hidden(at: QPoint) -> int:
        parts = [one.intersected(QRect(at, size)) for one in taken]
        return sum(one.width() * one.height() for one in parts if not one.isEmpty())

    last, low = room.right() - size.width() + 1, room.bottom() - size.height() + 1
    columns, heights = {start.x(), room.left(), (room.left() + last) // 2, last}, range(low, room.top() - 1, -STEP)
    places = [start, *(QPoint(x, y) for x in columns for y in heights)]
    places.sort(key=lambda at: (at - start).manhattanLength())
    for at in places:
        here = QRect(at, size)
        if not any(here.intersects(one) for one in taken):
            return at
    return min(places, key=hidden)


def _within(host: QWidget, widget: QWidget, rect: QRect) -> QRect:
    return QRect(widget.mapTo(host, rect.topLeft()), rect.size()).intersected(QRect(widget.mapTo(host, QPoint()), widget.size()))


WIDEST = 560
ONE_PANE_BELOW = 780
LOOK_MS = 250
"""How often it checks whether it covers something needed now, after a change of selection or page."""
SOON_MS = 30
"""The first check, when a page that came with the notice has its layout."""


class Toast(QFrame):
    """One per window. `offer` is the action whose key takes the notice's action; `cross` is the icon of the close button."""

    def __init__(self, host: QWidget, offer: QAction | None = None, cross: QIcon | None = None) -> None:
        super().__init__(host)
        self._offer, self._host = offer, host
        self.setProperty("role", "toast")
        self._act: Callable[[], object] | None = None
        self._counted: Words | None = None
        self.words = label("", wrap=False)
        self.action = button("", "", self._clicked)
        self.action.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click keeps the focus where it is
        self.cross = named(tool_button(cross or QIcon(), self.tr("Close (Esc)"), self.dismiss), self.tr("Close this notice"))
        self.cross.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        margins = (Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        self._layout = row(self, margins, Space.MEDIUM, (self.words, 1), self.action, self.cross)
        self._layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._timer = single_shot(self, self.dismiss)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._look = QTimer(self)
        self._look.timeout.connect(self._stay_clear)
        host.installEventFilter(self)
        self.hide()

    def tell(
        self, words: Words, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000, *, leads: bool = False
    ) -> None:
        """Shows a notice and replaces the current one. With `leads` the undo key is not shown beside the action.

        Words that name the seconds left count down. Screen readers hear them once.
        """
        make_native(self)  # it may lie over the web view
        if self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow) and not self.property("square"):
            self.setProperty("square", True)  # native windows are opaque: round corners would be black
            self.style().unpolish(self)
            self.style().polish(self)
        self._counted = None if isinstance(words, str) else words
        self._timer.start(for_ms)
        words = self._say(words)
        keys = key_words(self._offer) if self._offer is not None and action and not leads else ""
        self.action.setText(f"{action}   {keys}".rstrip())
        self.action.setAccessibleName(action)
        self.action.setVisible(bool(action))
        self._act = act
        self._look.start(SOON_MS)
        self._place()
        self.show()
        self.raise_()
        announce(self, f"{words} {action} {keys}".rstrip())  # for screen readers, since it takes no focus

    def _say(self, words: Words) -> str:
        said = words if isinstance(words, str) else words(ceil(self._timer.remainingTime() / 1000))
        self.words.setText(said)
        self.setAccessibleName(said)
        return said

    def dismiss(self) -> None:
        self._timer.stop()
        self._look.stop()
        self._act = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def _clicked(self) -> None:
        act = self._act
        self.dismiss()
        if act is not None:
            with ErrorNotice(self):
                act()

    def _fit(self, widest: int) -> None:
        """Takes one line where it fits. Else the full width and as many lines as needed."""
        layout = self._layout
        self.words.setWordWrap(False)
        layout.invalidate()
        wanted = layout.totalSizeHint()
        if wanted.width() <= widest:
            self.resize(wanted)
            return
        self.words.setWordWrap(True)
        layout.invalidate()
        self.resize(widest, layout.totalHeightForWidth(widest))

    def _stay_clear(self) -> None:
        """Moves away from what is needed now. It does not move while under the mouse pointer."""
        if self._look.interval() != LOOK_MS:
            self._look.setInterval(LOOK_MS)
        if self._counted is not None:
            self._say(self._counted)
        if not self.underMouse() and any(one.intersects(self.geometry()) for one in needed(self._host, self)):
            self._place()

    def _place(self) -> None:
        host = self._host
        self.ensurePolished()
        self._fit(min(WIDEST, host.width() - 2 * Space.LARGE))
        left = (host.width() - self.width()) // 2 if host.width() < ONE_PANE_BELOW else Space.LARGE
        if self.isRightToLeft() and host.width() >= ONE_PANE_BELOW:
            left = host.width() - self.width() - Space.LARGE
        start = QPoint(left, host.height() - self.height() - Space.HUGE)
        room = host.rect().adjusted(Space.LARGE, Space.LARGE, -Space.LARGE, -Space.HUGE)
        self.move(clear_place(self.size(), room, start, needed(host, self)))
