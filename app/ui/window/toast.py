"""A notice in the lower corner, or as near to it as nothing is hidden that is needed meanwhile, which goes away by itself, by
Escape or by its cross. It never takes the keyboard.

Where something may stand over a window without hiding what is needed meanwhile: buttons, the chosen rows of lists, the places of
the navigation, the line that is being typed, the lines that say what to know before one goes on.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

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

from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space
from app.ui.widgets.action_buttons import key_words
from app.ui.widgets.factory import button, label, row, tool_button
from app.ui.widgets.hints import announce
from app.ui.widgets.native_window import give_own_window

STEP = 12


def needed(host: QWidget, besides: QWidget) -> list[QRect]:
    """What is not to be hidden, in the host's pixels, but for what is in `besides`."""
    views = [one for one in host.findChildren(QAbstractItemView) if one.isVisible()]
    buttons = [one for one in host.findChildren(QAbstractButton) if one.isVisible() and not besides.isAncestorOf(one)]
    frames = [one for one in host.findChildren(QFrame) if not isinstance(one, QLabel)]  # every label is one, and asking costs
    told = [one for one in frames if one.isVisible() and one.property("role") == "notice"]
    rows = [_within(host, view.viewport(), one) for view in views for one in _rows(view)]
    return [*(_within(host, one, one.rect()) for one in (*buttons, *told)), *rows, *_typed(host)]


def clear_place(size: QSize, room: QRect, start: QPoint, taken: Sequence[QRect]) -> QPoint:
    """The upper left corner nearest to `start` at which something of `size` stands in `room` over none of `taken`; where there is
    none, the one at which it hides least."""

    def hidden(at: QPoint) -> int:
        parts = [one.intersected(QRect(at, size)) for one in taken]
        return sum(one.width() * one.height() for one in parts if not one.isEmpty())

    places = sorted(_places(size, room, start), key=lambda at: (at - start).manhattanLength())
    for at in places:
        here = QRect(at, size)
        if not any(here.intersects(one) for one in taken):
            return at
    return min(places, key=hidden)


def _places(size: QSize, room: QRect, start: QPoint) -> Iterator[QPoint]:
    """`start`, and others on a grid: at either side or in the middle, and at any height."""
    last, low = room.right() - size.width() + 1, room.bottom() - size.height() + 1
    yield start
    for x in {start.x(), room.left(), (room.left() + last) // 2, last}:
        for y in range(low, room.top() - 1, -STEP):
            yield QPoint(x, y)


def _rows(view: QAbstractItemView) -> Iterable[QRect]:
    """The chosen row; of the navigation all of them, each is a button."""
    model, current = view.model(), view.currentIndex()
    if view.property("role") == "navigation" and model is not None:
        ends = (model.index(0, 0), model.index(model.rowCount() - 1, 0))
        return [view.visualRect(ends[0]).united(view.visualRect(ends[1]))]
    return [view.visualRect(current)] if current.isValid() else []


def _typed(host: QWidget) -> list[QRect]:
    """The line with the cursor in it."""
    held = QApplication.focusWidget()
    if held is None or not host.isAncestorOf(held):
        return []
    if isinstance(held, QPlainTextEdit | QTextEdit):
        at, paper = held.cursorRect(), held.viewport()
        return [_within(host, paper, QRect(0, at.top(), paper.width(), at.height()))]
    return [_within(host, held, held.rect())] if isinstance(held, QLineEdit) else []


def _within(host: QWidget, widget: QWidget, rect: QRect) -> QRect:
    """A rectangle of a widget that can be seen in it, in the host's pixels."""
    return QRect(widget.mapTo(host, rect.topLeft()), rect.size()).intersected(QRect(widget.mapTo(host, QPoint()), widget.size()))


WIDEST = 560
ONE_PANE_BELOW = 780
LOOK_MS = 250
"""As often it is looked whether what is needed now lies under the notice: another row was chosen, another page came."""
SOON_MS = 30
"""The first look: a page that came with the notice is laid out by then."""


class Toast(QFrame):
    """One per window; `offer` is the action whose key does what a notice offers, `cross` the icon of the button that closes it.
    `action_offered` says whether what it offers can still be done."""

    def __init__(self, host: QWidget, offer: QAction | None = None, cross: QIcon | None = None) -> None:
        super().__init__(host)
        self._offer = offer
        self._host = host
        self.setProperty("role", "toast")
        self._act: Callable[[], object] | None = None
        self.words = label("", wrap=False)
        self.action = button("", "", self._clicked)
        self.action.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where it is
        self._layout = layout = row(self, 0, Space.MEDIUM)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.action)
        self.cross = tool_button(cross or QIcon(), self.tr("Close (Esc)"), self.dismiss)
        self.cross.setAccessibleName(self.tr("Close this notice"))
        self.cross.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        layout.addWidget(self.cross)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._look = QTimer(self)
        self._look.timeout.connect(self._stay_clear)
        host.installEventFilter(self)
        self.hide()

    def tell(
        self, words: str, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000, *, leads: bool = False
    ) -> None:
        """Show words; the newest notice wins. The key that undoes is not shown beside what `leads` elsewhere."""
        give_own_window(self)  # it may lie over a mail in HTML
        if self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow) and not self.property("square"):
            self.setProperty("square", True)  # nothing shines through such a window: round corners would be black ones
            self.style().unpolish(self)
            self.style().polish(self)
        self.words.setText(words)
        self.setAccessibleName(words)
        keys = key_words(self._offer) if self._offer is not None and action and not leads else ""
        self.action.setText(f"{action}   {keys}".rstrip())
        self.action.setAccessibleName(action)
        self.action.setVisible(bool(action))
        self._act = act
        self._timer.start(for_ms)
        self._look.start(SOON_MS)
        self._place()
        self.show()
        self.raise_()
        announce(self, f"{words} {action} {keys}".rstrip())  # heard, although it takes no keys

    @property
    def action_offered(self) -> bool:
        """Whether an action is on offer."""
        return self._act is not None and not self.isHidden()

    def take_action(self) -> bool:
        """Do what the button does; whether there was anything to do."""
        if not self.action_offered:
            return False
        self._clicked()
        return True

    def dismiss(self) -> None:
        """Go away."""
        self._timer.stop()
        self._look.stop()
        self._act = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep its place when the window changes size."""
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
        """On one line where that fits, else as wide as may be and as high as it takes."""
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
        """Out of the way of what is needed now; not from under a pointer that is about to press."""
        if self._look.interval() != LOOK_MS:
            self._look.setInterval(LOOK_MS)
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
