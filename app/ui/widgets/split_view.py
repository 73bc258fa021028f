"""List and detail side by side, or one at a time, and what is shown instead.

Also a stack that keeps the focus on what is shown, and the list pane with its heading.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSplitter, QStackedWidget, QWidget

from app.ui.session.ini_file import remembered
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import STRETCH, button, column, label, row, rule, say_or_hide
from app.ui.widgets.labels import IconLabel

ICON_SIZE = 40
SENTENCE_WIDTH = 360
NARROWEST = 200


class EmptyState(QWidget):
    def __init__(self, icons: Icons) -> None:
        super().__init__()
        self.setProperty("role", "surface")  # the same background on every empty page
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._act: Callable[[], object] | None = None
        self._icon = IconLabel(icons, size=ICON_SIZE)
        self._title = label("", Type.TITLE, wrap=True)
        self._sentence = label("", Type.BODY, "soft", wrap=True)
        self._button = button("", "", lambda: self._act and self._act())
        for words in (self._title, self._sentence):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        parts = ((one, Qt.AlignmentFlag.AlignHCenter) for one in (self._icon, self._title, self._sentence, self._button))
        column(self, Space.LARGE, Space.SMALL, 2, *parts, 3)

    def show_state(self, icon: str, title: str, sentence: str, action: str = "", act: Callable[[], object] | None = None) -> None:
        """Sets the content. Without `action` there is no button."""
        self._icon.show_icon(icon, "line_strong")
        self._title.setText(title)
        say_or_hide(self._sentence, sentence)
        self._fit()
        say_or_hide(self._button, action)
        self._act = act
        self.setAccessibleName(f"{title}. {sentence}")

    def take_focus(self) -> None:
        (self if self._button.isHidden() else self._button).setFocus()

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Sets a readable width and the height of the wrapped lines. A centring layout does not ask for height-for-width."""
        width = max(NARROWEST // 2, min(at_text_size(SENTENCE_WIDTH), self.width() - 2 * Space.LARGE))
        for words in (self._title, self._sentence):
            words.setFixedWidth(width)
            words.setMinimumHeight(0)  # heightForWidth is never less than the minimum
            words.setFixedHeight(max(0, words.heightForWidth(width)))


TWO_PANES_FROM = 720
LIST_WIDTH = 380
LIST_SMALLEST = 260
UNBOUNDED = 16_777_215
"""Qt's value for no maximum size, in pixels."""


class ListAndDetail(QSplitter):
    """A splitter that remembers its position. Emits `folded(narrow)` when it changes between one and two panes; `show_detail` and
    `show_list` matter only with one.
    """

    folded = Signal(bool)

    def __init__(self, listing: QWidget, detail: QWidget, state: QSettings, key: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._listing, self._detail = listing, detail
        self._key = f"splitters/{key}"
        self._narrow = self._alone = self._focused = self._empty = False
        self._detail_wanted = False
        layout = listing.layout()
        if isinstance(layout, QBoxLayout):
            layout.addStrut(LIST_SMALLEST)  # a heading in large text may need more
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(listing)
        self.addWidget(detail)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        width = remembered(state, self._key, LIST_WIDTH)
        self.setSizes([width, 10_000])
        self._at = width

        def put(at: int, _index: int) -> None:
            self._at = at
            state.setValue(self._key, at)

        self.splitterMoved.connect(put)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._restore()
        return done

    def _restore(self) -> None:
        """Gives the list its chosen width back. A detail or a narrower window may have taken some of it."""
        if self.orientation() is Qt.Orientation.Vertical or not (self._listing.isVisible() and self._detail.isVisible()):
            return
        have = self.sizes()
        if have[0] < self._at:
            self.setSizes([self._at, sum(have) - self._at])

    @property
    def narrow(self) -> bool:
        return (self._narrow or self._focused) and not self._empty

    @property
    def detail_shown(self) -> bool:
        return not self.narrow or self._detail_wanted

    def show_detail(self) -> None:
        self._detail_wanted = True
        self._arrange()

    def show_list(self) -> None:
        self._detail_wanted = False
        self._arrange()

    def go_back(self, listed: QWidget) -> bool:
        """Goes from the detail to the list, if only one is shown. The list gets the focus. Returns whether it did."""
        if not ((self._narrow or self._focused) and self._detail_wanted):
            return False
        self.show_list()
        listed.setFocus()
        return True

    def take_focus(self, listed: QWidget) -> None:
        (listed if listed.isVisibleTo(self) else first_control(self._detail)).setFocus()

    def show_alone(self, alone: bool) -> None:
        """Shows an empty list over the whole width, without a detail."""
        if alone is not self._alone:
            self._alone = alone
            self._arrange()

    def show_empty(self, rows: QWidget, empty: bool) -> None:
        """Shows the detail's empty state over the whole width. It is below the list's heading."""
        if empty is self._empty:
            return
        self._empty = empty
        rows.setMaximumHeight(0 if empty else UNBOUNDED)  # not hidden, so that it keeps the focus
        self.setHandleWidth(0 if empty else 1)  # the heading has its own line
        self.setOrientation(Qt.Orientation.Vertical if empty else Qt.Orientation.Horizontal)
        self.setSizes([0 if empty else self._at, 10_000])
        self._arrange()
        if self._narrow:
            self.folded.emit(self.narrow)

    def focus_detail(self, focused: bool) -> None:
        """Shows only the detail whatever the width; False ends that."""
        self._focused = self._detail_wanted = focused
        self._arrange()
        self.folded.emit(self.narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < TWO_PANES_FROM
        if narrow != self._narrow:
            self._narrow = narrow
            self._arrange()
            self.folded.emit(self.narrow)
        self._restore()

    def _arrange(self) -> None:
        """Shows the panes and moves the focus along. Qt would give it to the next widget in the window."""
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
    """First widget in a pane that takes Tab. Else its empty state, else the pane.

    It searches the children instead of Qt's focus chain. PySide keeps each widget of the chain alive through the one before, and
    when one is deleted it treats all that follow as deleted, up to the window.
    """
    inside = (one for one in pane.findChildren(QWidget) if one.isEnabled() and one.isVisibleTo(pane))
    tabbed = next((one for one in inside if one.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
    return tabbed or next((one for one in pane.findChildren(EmptyState) if one.isVisibleTo(pane)), pane)


class Stack(QStackedWidget):
    """A stack that moves the focus to the page shown. Qt gives it to the widget that had it there before, even if that is hidden
    now, so that nothing has the focus.
    """

    def __init__(self, *pages: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for page in pages:
            self.addWidget(page)

    def setCurrentIndex(self, at: int) -> None:
        before, held = self.currentWidget(), self.window().focusWidget()
        inside = before is not None and held is not None and (held is before or before.isAncestorOf(held))
        super().setCurrentIndex(at)
        shown, held = self.currentWidget(), self.window().focusWidget()
        if inside and shown is not None and (held is None or not held.isVisibleTo(self.window())):
            first_control(shown).setFocus()

    def setCurrentWidget(self, page: QWidget) -> None:
        self.setCurrentIndex(self.indexOf(page))


def listing(title: str | QLabel, rows: QWidget, tools: Sequence[QWidget] = (), count: QWidget | None = None) -> QWidget:
    """Makes the list pane. The title has `count` behind it and `tools` at the end of the line; `rows` are below."""
    made = QWidget()
    made.setProperty("role", "surface")
    heading = title if isinstance(title, QLabel) else label(title, Type.TITLE)
    heading.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # so that the line below has the same height with any tools
    counts = [count] if count is not None else []
    head = row(
        None, (Space.LARGE, 0), Space.SMALL, heading, *counts, STRETCH, *((one, Qt.AlignmentFlag.AlignVCenter) for one in tools)
    )
    column(made, 0, 0, head, rule(), (rows, 1))
    return made
