"""Makers of widgets and layouts in the style sheet's roles. Pages set no margins or styles by hand.

Buttons accept Return as well as Space, which Qt does in dialogs only. Qt shows a tooltip that looks like HTML as HTML, and loads
the pictures it names.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, QIcon, QKeyEvent, QMouseEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme.metrics import Space, Type, at_text_size


def announce(widget: QWidget, words: str, urgent: bool = False) -> None:
    """Lets a screen reader speak text that `widget` shows. `urgent` interrupts what is being read."""
    if not words:
        return
    event = QAccessibleAnnouncementEvent(widget, words)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def plain_tip(words: str) -> str:
    """Tooltip text that shows `words` literally."""
    if not GuiQt.mightBeRichText(words):
        return words
    return f'<span style="white-space: pre-wrap">{escape(words)}</span>'


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ReturnButton(QPushButton):
    """A push button that Return presses. Return with Ctrl or Shift is left to the page's shortcuts."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clicks once per key press, without auto-repeat."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in ENTER and plain and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


class TurnButton(ReturnButton):
    """A toggle such as Start and Stop. A double click counts as one press."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()


CLEARING = "_q_qlineeditclearaction"
"""Qt's object name of the clear button's action."""

LONGEST_TITLE = 400
LONGEST_TIP = 4000

L = TypeVar("L", bound=QBoxLayout)
W = TypeVar("W", bound=QWidget)
STRETCH = 1
"""Part of a layout that takes the room left over."""
Part = QWidget | QLayout | int | tuple[QWidget | QLayout, *tuple[int | Qt.AlignmentFlag, ...]]
Margin = int | tuple[int, int] | tuple[int, int, int, int]
"""All around; at the sides, then above and below; or left, top, right and bottom. In pixels."""


def label(text: str = "", role: Type = Type.BODY, tone: str = "", wrap: bool = False) -> QLabel:
    """Makes a plain-text label in a type role. `tone` is soft, positive, warning, danger or accent."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("type", str(role))
    made.setProperty("tone", tone)
    made.setWordWrap(wrap)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


def set_title(made: QLabel, words: str) -> None:
    """Sets text from outside, of any length. The label shows at most `LONGEST_TITLE` characters, the tooltip `LONGEST_TIP`."""
    made.setText(words if len(words) <= LONGEST_TITLE else f"{words[:LONGEST_TITLE]}…")
    made.setToolTip(plain_tip(words[:LONGEST_TIP]) if len(words) > LONGEST_TITLE else "")


def chip(text: str = "", tone: str = "") -> QLabel:
    made = label(text)
    made.setProperty("role", "chip")
    made.setProperty("tone", tone)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return made


def set_style(widget: QWidget, name: str, value: str) -> None:
    """Changes a property that the style sheet uses, and applies the style sheet again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_tone(widget: QWidget, tone: str) -> None:
    set_style(widget, "tone", tone)


def say(made: QLabel, words: str, tone: str = "") -> None:
    """Sets text and tone of a label."""
    made.setText(words)
    set_tone(made, tone)


def say_or_hide(made: QLabel | QPushButton, words: str, tone: str | None = None) -> None:
    """Sets text and tone. Without a text the widget is hidden."""
    made.setText(words)
    made.setVisible(bool(words))
    if tone is not None:
        set_tone(made, tone)


def named(made: W, name: str) -> W:
    """Sets the accessible name of a widget and returns it."""
    made.setAccessibleName(name)
    return made


def set_role(widget: QWidget, role: str) -> None:
    set_style(widget, "role", role)


def button(text: str, role: str = "", clicked: Callable[[], object] | None = None, turns: bool = False) -> QPushButton:
    """Makes a push button. `role` is primary, danger, link or choice. With `turns` it is a toggle, and a double click counts
    once.
    """
    made = TurnButton(text) if turns else ReturnButton(text)
    made.setProperty("role", role)
    made.setIconSize(QSize(at_text_size(Space.LARGE), at_text_size(Space.LARGE)))
    made.setAutoDefault(False)
    if role == "link":
        made.setCursor(Qt.CursorShape.PointingHandCursor)
    if clicked is not None:
        made.clicked.connect(lambda _checked=False: clicked())
    return made


def show_in_place(widget: QWidget, shown: bool) -> None:
    """Shows or hides a widget. One without a parent would become a window, so it is only hidden."""
    if not shown or widget.parent() is not None:
        widget.setVisible(shown)


def action_button(action: QAction, role: str = "") -> QPushButton:
    """Makes a push button that triggers and follows an action. It follows text, state and tooltip. The action's status tip, if
    set, replaces the tooltip and says why it is disabled.
    """
    made = button(action.text(), role, action.trigger)

    def follow() -> None:
        made.setText(action.text())
        made.setEnabled(action.isEnabled())
        show_in_place(made, action.isVisible())
        keys, why = action.shortcut().toString(), action.statusTip()
        made.setToolTip(plain_tip(why or (f"{action.text()} ({keys})" if keys else action.text())))
        made.setAccessibleDescription(why)

    action.changed.connect(follow)
    follow()
    return made


def clearable(line: QLineEdit, icon: QIcon) -> None:
    line.setClearButtonEnabled(True)
    for action in line.findChildren(QAction, CLEARING):
        action.setIcon(icon)


def tool_button(icon: QIcon, name: str, clicked: Callable[[], object] | None = None) -> QToolButton:
    """Makes a flat icon button; `name` is its accessible name and tooltip."""
    made = QToolButton()
    made.setIcon(icon)
    made.setIconSize(QSize(at_text_size(Space.LARGE), at_text_size(Space.LARGE)))
    made.setAccessibleName(name)
    made.setToolTip(plain_tip(name))
    if clicked is not None:
        made.clicked.connect(lambda _checked=False: clicked())
    return made


def action_tool(action: QAction) -> QToolButton:
    made = tool_button(action.icon(), action.text(), action.trigger)

    def follow() -> None:
        made.setIcon(action.icon())
        made.setEnabled(action.isEnabled())
        made.setAccessibleName(action.text())
        keys = action.shortcut().toString()
        made.setToolTip(plain_tip(f"{action.text()} ({keys})" if keys else action.text()))

    action.changed.connect(follow)
    follow()
    return made


class RoleFrame(QFrame):
    def __init__(self, role: str, tone: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setProperty("tone", tone)


class QuestionBar(RoleFrame):
    """A bar that asks for a line or a time."""

    @abstractmethod
    def submit(self) -> None:
        """Takes what is typed."""


def submit_focused(*bars: QuestionBar) -> bool:
    """Submits the bar that has the focus, for keys that send or approve elsewhere. Returns whether one has it."""
    for bar in bars:
        held = bar.window().focusWidget()
        if held is not None and bar.isAncestorOf(held):
            bar.submit()
            return True
    return False


def rule() -> QFrame:
    made = RoleFrame("rule")
    made.setFixedHeight(1)
    return made


def fill_rows(table: QTableWidget, rows: Iterable[Iterable[str]]) -> None:
    """Replaces the rows of a table. The tooltips have the whole texts."""
    table.setRowCount(0)
    for cells in rows:
        add_row(table, cells)


def add_row(table: QTableWidget, cells: Iterable[str]) -> None:
    at = table.rowCount()
    table.setRowCount(at + 1)
    for place, text in enumerate(cells):
        item = QTableWidgetItem(text)
        item.setToolTip(plain_tip(text))
        table.setItem(at, place, item)


def text_table(name: str, heads: Sequence[str], stretched: int) -> QTableWidget:
    """Makes a table to read. The columns are as wide as their texts, that at `stretched` takes the rest."""
    made = named(QTableWidget(0, len(heads)), name)
    made.setHorizontalHeaderLabels(heads)
    read_only(made)
    made.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    made.horizontalHeader().setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
    return made


def read_only(table: QTableWidget) -> None:
    """Makes a table that is read and worked by rows. Tab leaves it."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)


def column(parent: QWidget | None = None, margin: Margin = 0, space: int = Space.SMALL, *parts: Part) -> QVBoxLayout:
    """Makes a vertical layout of `parts`, as for `put`."""
    return _laid(QVBoxLayout(parent) if parent else QVBoxLayout(), margin, space, parts)


def row(parent: QWidget | None = None, margin: Margin = 0, space: int = Space.SMALL, *parts: Part) -> QHBoxLayout:
    """Makes a horizontal layout of `parts`, as for `put`."""
    return _laid(QHBoxLayout(parent) if parent else QHBoxLayout(), margin, space, parts)


def put(layout: L, *parts: Part) -> L:
    """Adds parts to a layout in order and returns it.

    A `Space` is a gap and another number a stretch. A tuple gives a widget or layout its stretch, its alignment or both.
    """
    for part in parts:
        if isinstance(part, Space):
            layout.addSpacing(part)
        elif isinstance(part, int):
            layout.addStretch(part)
        else:
            inside, *how = part if isinstance(part, tuple) else (part,)
            sides = [one for one in how if isinstance(one, Qt.AlignmentFlag)]
            stretch = next((one for one in how if not isinstance(one, Qt.AlignmentFlag)), 0)
            if isinstance(inside, QWidget):
                layout.addWidget(inside, stretch, *sides)
            else:
                layout.addLayout(inside, stretch)
    return layout


def named_row(name: str, width: int, field: QWidget) -> QHBoxLayout:
    """Makes a row of a field behind its name; `width` is the name's in pixels at 100 % text size."""
    caption = label(name, Type.CAPTION, "soft")
    caption.setFixedWidth(at_text_size(width))
    return row(None, 0, Space.SMALL, caption, (field, 1))


def tab_through(first: QWidget, others: Iterable[QWidget]) -> None:
    """Sets the tab order: `first`, then `others`. `first` is a control or the frame around the others. Widgets made later would
    otherwise come last in the window.
    """
    policy = first.focusPolicy()
    if policy is Qt.FocusPolicy.NoFocus:  # Qt orders nothing after a widget without a focus policy
        first.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    before = first
    for widget in others:
        QWidget.setTabOrder(before, widget)
        before = widget
    first.setFocusPolicy(policy)


def clear(layout: QBoxLayout) -> None:
    """Removes and deletes everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def _laid(layout: L, margin: Margin, space: int, parts: Iterable[Part]) -> L:
    margins = margin if isinstance(margin, tuple) else (margin, margin)
    layout.setContentsMargins(*(margins if len(margins) == 4 else (*margins, *margins)))
    layout.setSpacing(space)
    return put(layout, *parts)
