"""The compose page's form: heading, the letter's card in a column of sensible width, and the bar of buttons below."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.ui.build import action_tool, column, frame, label, row, tool_button
from app.ui.compose.asking import AskBar
from app.ui.compose.card import LetterCard
from app.ui.context import Context
from app.ui.key_button import KeyButton, Room
from app.ui.later import LaterBar
from app.ui.scale import Space, Type, at_text_size
from app.ui.standing import WaitNote

WIDEST = 920


class Middle(QScrollArea):
    """A column in the middle that scrolls when there is little room; `narrowed` with what a scroll bar takes left and right."""

    narrowed = Signal(int, int)

    def __init__(self, inner: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer = QWidget()
        outer.setProperty("role", "plain")
        middle = row(outer, 0, 0)
        middle.addStretch(1)
        middle.addWidget(inner, 100)
        middle.addStretch(1)
        self.setWidget(outer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Also when a scroll bar comes or goes."""
        super().resizeEvent(event)
        seen = self.viewport().geometry()
        self.narrowed.emit(seen.x(), self.width() - seen.x() - seen.width())


class ComposeForm(QWidget):
    """`heading` says what one is doing, `kept` where the words are; `waits`, `ask` and `later` appear over the buttons."""

    def __init__(self, context: Context, card: LetterCard, go_back: Callable[[], object]) -> None:
        super().__init__()
        self.heading = label("", Type.TITLE, wrap=True)
        self.kept = label("", Type.CAPTION, "soft")
        self.ask = AskBar()
        self.later = LaterBar(card.editor.setFocus)
        self._card = card
        self.waits = WaitNote(context.icons)
        self.later_button = KeyButton(context.actions["compose.later"])
        inner = QWidget()
        inner.setProperty("role", "plain")
        inner.setMaximumWidth(at_text_size(WIDEST))
        head = row(None, 0, Space.SMALL)
        head.addWidget(tool_button(context.icons.icon("back"), self.tr("Back"), go_back))
        head.addWidget(self.heading, 1)
        head.addWidget(self.kept)
        layout = column(inner, Space.LARGE, Space.MEDIUM)
        layout.addLayout(head)
        layout.addWidget(card, 1)
        whole = column(self, 0, 0)
        self.middle = Middle(inner)
        whole.addWidget(self.middle, 1)
        whole.addWidget(self._make_bar(context))

    def close_bar(self) -> bool:
        """Put away what asks for something, the keyboard in the text again; whether anything did."""
        asking = [one for one in (self._card.links, self.ask, self.later) if not one.isHidden()]
        for one in asking:
            one.hide()
        if asking:
            self._card.editor.setFocus()
        return bool(asking)

    def _make_bar(self, context: Context) -> QWidget:
        actions = context.actions
        bar = frame("bar")
        buttons = row(None, 0, Space.SMALL)
        send = KeyButton(actions["compose.send"], "primary")
        send.set_room(Room.KEYS)
        buttons.addWidget(send)
        buttons.addWidget(self.later_button)
        for name in ("compose.attach", "compose.template"):
            buttons.addWidget(action_tool(actions[name]))
        buttons.addStretch(1)
        buttons.addWidget(action_tool(actions["compose.discard"]))
        inside = QWidget()
        inside.setMaximumWidth(at_text_size(WIDEST))
        lines = column(inside, 0, Space.SMALL)
        lines.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        for widget in (self.waits, self.ask, self.later):
            lines.addWidget(widget)
        lines.addLayout(buttons)
        middle = row(bar, 0, 0)
        middle.addStretch(1)
        middle.addWidget(inside, 100)
        middle.addStretch(1)
        self.middle.narrowed.connect(lambda left, right: middle.setContentsMargins(left, 0, right, 0))  # under the letter's edges
        return bar
