"""Small makers of widgets in the window's roles, so that no page sets margins, styles or names by hand."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.buttons import ReturnButton, TurnButton
from app.ui.widgets.hints import plain_tip

CLEARING = "_q_qlineeditclearaction"
"""What Qt calls the action of the button that empties a line."""

LONGEST_TITLE = 400
LONGEST_TIP = 4000

L = TypeVar("L", bound=QBoxLayout)


def label(text: str = "", role: Type = Type.BODY, tone: str = "", wrap: bool = False) -> QLabel:
    """A label in a type role; `tone` is soft, positive, warning, danger or accent. Text is plain, selectable by mouse."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("type", str(role))
    made.setProperty("tone", tone)
    made.setWordWrap(wrap)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


def set_title(made: QLabel, words: str) -> None:
    """Words that somebody else chose, and so of any length: a label shows a few lines of them, its tooltip some screens."""
    made.setText(words if len(words) <= LONGEST_TITLE else f"{words[:LONGEST_TITLE]}…")
    made.setToolTip(plain_tip(words[:LONGEST_TIP]) if len(words) > LONGEST_TITLE else "")


def chip(text: str = "", tone: str = "") -> QLabel:
    """A small tinted label."""
    made = label(text)
    made.setProperty("role", "chip")
    made.setProperty("tone", tone)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return made


def set_tone(widget: QWidget, tone: str) -> None:
    """Change a widget's tone; the style sheet is asked again."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_role(widget: QWidget, role: str) -> None:
    """Change a widget's role; the style sheet is asked again."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def button(text: str, role: str = "", clicked: Callable[[], object] | None = None, turns: bool = False) -> QPushButton:
    """A push button; `role` is primary, danger, link or choice. One that `turns` does the opposite when it is pressed again."""
    made = TurnButton(text) if turns else ReturnButton(text)
    made.setProperty("role", role)
    made.setAutoDefault(False)
    if role == "link":
        made.setCursor(Qt.CursorShape.PointingHandCursor)
    if clicked is not None:
        made.clicked.connect(lambda _checked=False: clicked())
    return made


def action_button(action: QAction, role: str = "") -> QPushButton:
    """A push button that triggers an action and follows its text, state and tooltip; the action's status tip, where it has one,
    says instead why it cannot be triggered now."""
    made = button(action.text(), role, action.trigger)

    def follow() -> None:
        made.setText(action.text())
        made.setEnabled(action.isEnabled())
        if made.parent() is not None:  # a button without a place would become a window
            made.setVisible(action.isVisible())
        keys, why = action.shortcut().toString(), action.statusTip()
        made.setToolTip(plain_tip(why or (f"{action.text()} ({keys})" if keys else action.text())))
        made.setAccessibleDescription(why)

    action.changed.connect(follow)
    follow()
    return made


def clearable(line: QLineEdit, icon: QIcon) -> None:
    """Give a line the button that empties it, with an icon of ours instead of Qt's own."""
    line.setClearButtonEnabled(True)
    for action in line.findChildren(QAction, CLEARING):
        action.setIcon(icon)


class IconButton(QToolButton):
    """Its icon is as large as the text, whatever size that is given later."""

    def changeEvent(self, event: QEvent) -> None:
        """Another font, which may come with a style sheet."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit_icon()

    def fit_icon(self) -> None:
        """In the text size of now."""
        side = at_text_size(Space.LARGE)
        if self.iconSize().width() != side:
            self.setIconSize(QSize(side, side))


def tool_button(icon: QIcon, name: str, clicked: Callable[[], object] | None = None) -> QToolButton:
    """A flat icon button; `name` is its accessible name and tooltip."""
    made = IconButton()
    made.setIcon(icon)
    made.fit_icon()
    made.setAccessibleName(name)
    made.setToolTip(plain_tip(name))
    if clicked is not None:
        made.clicked.connect(lambda _checked=False: clicked())
    return made


def action_tool(action: QAction) -> QToolButton:
    """A flat icon button that triggers an action and follows its icon, text and state."""
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


def frame(role: str, tone: str = "") -> QFrame:
    """A frame in a role of the style sheet."""
    made = QFrame()
    made.setProperty("role", role)
    made.setProperty("tone", tone)
    return made


def rule() -> QFrame:
    """A hairline across."""
    made = frame("rule")
    made.setFixedHeight(1)
    return made


def column(parent: QWidget | None = None, margin: int = 0, space: int = Space.SMALL) -> QVBoxLayout:
    """A vertical layout."""
    return _laid(QVBoxLayout(parent) if parent else QVBoxLayout(), margin, space)


def row(parent: QWidget | None = None, margin: int = 0, space: int = Space.SMALL) -> QHBoxLayout:
    """A horizontal layout."""
    return _laid(QHBoxLayout(parent) if parent else QHBoxLayout(), margin, space)


def tab_through(first: QWidget, others: Iterable[QWidget]) -> None:
    """Let Tab go from `first` (a control, or the frame that holds the others) through `others` in their order; widgets made
    later would come last in the window."""
    policy = first.focusPolicy()
    if policy is Qt.FocusPolicy.NoFocus:  # a frame has a place in the order too, but Qt moves nothing behind it
        first.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    before = first
    for widget in others:
        QWidget.setTabOrder(before, widget)
        before = widget
    first.setFocusPolicy(policy)


def clear(layout: QBoxLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def _laid(layout: L, margin: int, space: int) -> L:
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(space)
    return layout
