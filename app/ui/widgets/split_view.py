"""A list and its detail beside each other; in a narrow window one at a time. The splitter's place is remembered.

Pages of which one is shown, and the keyboard goes along with what is shown.

Qt gives it to what had it on the coming page before, also where that has been hidden meanwhile: then nothing has it any more.

The left side of a page with a list: its title, what can be done beside it, and the rows below.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSettings, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSplitter, QStackedWidget, QWidget

from app.ui.services.async_task import ThrottledCall
from app.ui.session.ini_file import remembered
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import column, label, row, rule

TWO_PANES_FROM = 720
LIST_WIDTH = 380
LIST_SMALLEST = 260
UNBOUNDED = 16_777_215
"""Pixels: what Qt takes for no largest size."""
KEEP_MS = 500
"""Between two notes of where the splitter stands: each waits for the disk, and a hand that drags moves it with every frame."""


class ListAndDetail(QSplitter):
    """`folded(narrow)` tells when room for two panes comes or goes; `show_detail` and `show_list` matter only without it."""

    folded = Signal(bool)

    def __init__(self, listing: QWidget, detail: QWidget, state: QSettings, key: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._listing, self._detail = listing, detail
        self._state, self._key = state, f"splitters/{key}"
        self._narrow = self._alone = self._focused = self._empty = False
        self._detail_wanted = False
        layout = listing.layout()
        if isinstance(layout, QBoxLayout):
            layout.addStrut(LIST_SMALLEST)  # a heading in larger text may ask for more
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(listing)
        self.addWidget(detail)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        width = remembered(state, self._key, LIST_WIDTH)
        self.setSizes([width, 10_000])
        self._at = width
        self._keeping = ThrottledCall(lambda: state.setValue(self._key, self._at), KEEP_MS, self)
        self.splitterMoved.connect(self._put)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is left to be noted."""
        super().hideEvent(event)
        self._keeping.flush()

    def event(self, event: QEvent) -> bool:
        """A detail that needs less room than before gives the list its own back."""
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._restore()
        return done

    def _restore(self) -> None:
        """The list as wide as it was put, wherever a detail or a narrower window has taken some of that."""
        if self.orientation() is Qt.Orientation.Vertical or not (self._listing.isVisible() and self._detail.isVisible()):
            return
        have = self.sizes()
        if have[0] < self._at:
            self.setSizes([self._at, sum(have) - self._at])

    def _put(self, at: int, _index: int) -> None:
        self._at = at
        self._keeping.poke()

    @property
    def narrow(self) -> bool:
        """Whether only one pane is shown."""
        return (self._narrow or self._focused) and not self._empty

    @property
    def detail_shown(self) -> bool:
        """Whether the detail is on screen."""
        return not self.narrow or self._detail_wanted

    def show_detail(self) -> None:
        """The detail comes forward."""
        self._detail_wanted = True
        self._arrange()

    def show_list(self) -> None:
        """The list comes forward."""
        self._detail_wanted = False
        self._arrange()

    def go_back(self, listed: QWidget) -> bool:
        """In a narrow window from the detail to the list, with the keyboard; whether there was a way back."""
        if not ((self._narrow or self._focused) and self._detail_wanted):
            return False
        self.show_list()
        listed.setFocus()
        return True

    def take_focus(self, listed: QWidget) -> None:
        """The keyboard goes to the list, or to the detail where that is in front."""
        (listed if listed.isVisibleTo(self) else first_control(self._detail)).setFocus()

    def show_alone(self, alone: bool) -> None:
        """An empty list says so over the whole width: there is nothing to choose, so nothing asks to choose."""
        if alone is not self._alone:
            self._alone = alone
            self._arrange()

    def show_empty(self, rows: QWidget, empty: bool) -> None:
        """Nothing is listed, and the detail says so: below the list's heading, over the whole width."""
        if empty is self._empty:
            return
        self._empty = empty
        rows.setMaximumHeight(0 if empty else UNBOUNDED)  # not hidden: it keeps the keyboard
        self.setHandleWidth(0 if empty else 1)  # the heading ends with a line of its own
        self.setOrientation(Qt.Orientation.Vertical if empty else Qt.Orientation.Horizontal)
        self.setSizes([0 if empty else self._at, 10_000])
        self._arrange()
        if self._narrow:
            self.folded.emit(self.narrow)

    def focus_detail(self, focused: bool) -> None:
        """Only the detail, however much room there is; afterwards the list again."""
        self._focused = self._detail_wanted = focused
        self._arrange()
        self.folded.emit(self.narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold."""
        super().resizeEvent(event)
        narrow = event.size().width() < TWO_PANES_FROM
        if narrow != self._narrow:
            self._narrow = narrow
            self._arrange()
            self.folded.emit(self.narrow)
        self._restore()

    def _arrange(self) -> None:
        """The keyboard goes along with what is shown: Qt would give it to whatever comes next in the window."""
        listed = self._alone or not self.narrow or not self._detail_wanted
        detailed = not self._alone and (not self.narrow or self._detail_wanted)
        for shown, going, coming in ((listed, self._listing, self._detail), (detailed, self._detail, self._listing)):
            held = self.window().focusWidget()
            if not shown and held is not None and (held is going or going.isAncestorOf(held)):
                coming.show()
                first_control(coming).setFocus()
        self._listing.setVisible(listed)
        self._detail.setVisible(detailed)


def first_control(pane: QWidget) -> QWidget:
    """What Tab reaches first inside a pane; where there is nothing, the words that say so.

    Looked for among what lies inside and not along Qt's focus chain: PySide keeps each widget of it with the one before, and as
    soon as one is deleted it takes all that follow for deleted too, up to the window and every scroll bar in it."""
    inside = (one for one in pane.findChildren(QWidget) if one.isEnabled() and one.isVisibleTo(pane))
    tabbed = next((one for one in inside if one.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
    return tabbed or next((one for one in pane.findChildren(EmptyState) if one.isVisibleTo(pane)), pane)


class Stack(QStackedWidget):
    """Takes no keyboard focus from outside."""

    def setCurrentIndex(self, at: int) -> None:
        """Show a page by its number."""
        before, held = self.currentWidget(), self.window().focusWidget()
        inside = before is not None and held is not None and (held is before or before.isAncestorOf(held))
        super().setCurrentIndex(at)
        shown, held = self.currentWidget(), self.window().focusWidget()
        if inside and shown is not None and (held is None or not held.isVisibleTo(self.window())):
            first_control(shown).setFocus()

    def setCurrentWidget(self, page: QWidget) -> None:
        """Show a page."""
        self.setCurrentIndex(self.indexOf(page))


def listing(title: str, rows: QWidget, tools: Sequence[QWidget] = (), count: QWidget | None = None) -> QWidget:
    """`count` stands behind the title, `tools` at the end of its line."""
    made = QWidget()
    made.setProperty("role", "surface")
    head = row(None, 0, Space.SMALL)
    head.setContentsMargins(Space.LARGE, 0, Space.LARGE, 0)
    heading = label(title, Type.TITLE)
    heading.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # the line below stands at one height, whatever tools
    head.addWidget(heading)
    if count is not None:
        head.addWidget(count)
    head.addStretch(1)
    for one in tools:
        head.addWidget(one)
    layout = column(made, 0, 0)
    layout.addLayout(head)
    layout.addWidget(rule())
    layout.addWidget(rows, 1)
    return made
