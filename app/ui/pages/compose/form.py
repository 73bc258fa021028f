"""Layout of the compose page: heading, the letter's form in a centred column, a question bar and the buttons."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.ui.context import Context
from app.ui.i18n.formatting import from_ms, when_long
from app.ui.pages.compose.card import LetterCard
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.action_buttons import ButtonRoom, KeyButton
from app.ui.widgets.factory import action_tool, button, column, frame, label, put, row, tool_button
from app.ui.widgets.notice_line import ConnectionNote
from app.ui.widgets.time_menus import SendLaterBar


class ConfirmBar(QFrame):
    """Question above the buttons with one or two answers. Hidden until `ask`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "warning")
        self.words = label("", wrap=True)
        self._handlers: tuple[Callable[[], object] | None, Callable[[], object] | None] = (None, None)
        self.first = button("", "", lambda: self._answer(0))
        self.second = button("", "", lambda: self._answer(1))
        put(row(self, (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)), (self.words, 1), self.second, self.first)
        self.hide()

    def ask(
        self,
        words: str,
        answer: str,
        act: Callable[[], object],
        other: str = "",
        other_act: Callable[[], object] | None = None,
    ) -> None:
        """Shows the question and focuses `answer`."""
        self.words.setText(words)
        self.setAccessibleName(words)
        self.first.setText(answer)
        self.second.setText(other)
        self.second.setVisible(bool(other))
        self._handlers = (act, other_act)
        self.show()
        self.first.setFocus()

    def _answer(self, which: int) -> None:
        act = self._handlers[which]
        self.hide()
        if act is not None:
            act()


WIDEST = 920


class CenteredColumn(QScrollArea):
    """Scroll area with a centred column. Emits `narrowed` with the pixels that a scroll bar takes on the left and right."""

    narrowed = Signal(int, int)

    def __init__(self, inner: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer = QWidget()
        outer.setProperty("role", "plain")
        put(row(outer, 0, 0), 1, (inner, 100), 1)
        self.setWidget(outer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Also called when a scroll bar appears or disappears."""
        super().resizeEvent(event)
        seen = self.viewport().geometry()
        self.narrowed.emit(seen.x(), self.width() - seen.x() - seen.width())


class ComposeForm(QWidget):
    """Widgets of the compose page. `heading` is the kind of letter, `kept` where it is saved.

    `waits`, `ask` and `later` appear above the buttons.
    """

    def __init__(self, context: Context, card: LetterCard, go_back: Callable[[], object], below: bool = False) -> None:
        super().__init__()
        self.heading = label("", Type.TITLE, wrap=True)
        self.kept = label("", Type.CAPTION, "soft")
        self.ask = ConfirmBar()
        self.later = SendLaterBar(card.editor.setFocus)
        self._card = card
        self.waits = ConnectionNote(context.icons)
        self.later_button = KeyButton(context.actions["compose.later"])
        self.remind_button = action_tool(context.actions["compose.remind"])
        self.reminder = button("", "link", self.remind_button.click)
        self.reminder.hide()
        if below:
            put(column(self, (Space.MEDIUM, Space.SMALL, Space.MEDIUM, 0), 0), (card, 1), self._make_bar(context, Space.TIGHT))
            return
        inner = QWidget()
        inner.setProperty("role", "plain")
        inner.setMaximumWidth(at_text_size(WIDEST))
        head = put(row(), tool_button(context.icons.icon("back"), self.tr("Back"), go_back), (self.heading, 1), self.kept)
        put(column(inner, Space.LARGE, Space.MEDIUM), head, (card, 1))
        self.middle = CenteredColumn(inner)
        bar = frame("bar")
        middle = put(row(bar, 0, 0), 1, (self._make_bar(context, Space.LARGE), 100), 1)
        self.middle.narrowed.connect(lambda left, right: middle.setContentsMargins(left, 0, right, 0))  # aligned with the form
        put(column(self, 0, 0), (self.middle, 1), bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Chooses the fullest form of the buttons that fits: with keys, with text, then icons from the right."""
        words, icon = ButtonRoom.WORDS, ButtonRoom.ICON
        forms = ((ButtonRoom.KEYS, words, words), (words, words, words), (words, words, icon), (words, icon, icon))
        room = min(self.width(), at_text_size(WIDEST)) - 2 * Space.LARGE
        for form in forms:
            for made, how in zip(self._sending, form, strict=True):
                made.set_room(how)
            parts = [item.sizeHint().width() for at in range(self._buttons.count()) if (item := self._buttons.itemAt(at))]
            over = sum(parts) + self._buttons.spacing() * (len(parts) - 1) - room
            if over <= 0:
                return
        self._sending[0].shorten(over)

    def show_reminder(self, at_ms: int) -> None:
        """Says until when a reply is expected; nothing for 0."""
        words = self.tr("Back in the inbox on %1 if nobody replies").replace("%1", when_long(from_ms(at_ms))) if at_ms else ""
        self.reminder.setText(words)
        self.reminder.setVisible(bool(words))

    def close_bar(self) -> bool:
        """Hides open bars and focuses the text. Returns whether one was open."""
        asking = [bar for bar in (self._card.links, self._card.help, self.ask, self.later) if not bar.isHidden()]
        for bar in asking:
            bar.hide()
        if asking:
            self._card.editor.setFocus()
        return bool(asking)

    def _make_bar(self, context: Context, margin: int) -> QWidget:
        actions = context.actions
        self._sending = (
            KeyButton(actions["compose.send"], "primary"),
            KeyButton(actions["compose.send_other"]),
            self.later_button,
        )
        self._buttons = buttons = put(row(), *self._sending)
        for made in self._sending[:2]:
            actions[f"compose.{'send' if made is self._sending[0] else 'send_other'}"].changed.connect(self._fit)
        buttons.addWidget(self.remind_button)
        for name in ("compose.attach", "compose.template"):
            buttons.addWidget(action_tool(actions[name]))
        if margin < Space.LARGE:  # the row of styles is hidden there
            buttons.addWidget(self._card.styles.help)
        buttons.addStretch(1)
        if margin < Space.LARGE:
            buttons.addWidget(self.kept)
            buttons.addWidget(action_tool(actions["compose.full"]))
        buttons.addWidget(action_tool(actions["compose.discard"]))
        inside = QWidget()
        inside.setMaximumWidth(at_text_size(WIDEST))
        put(column(inside, (margin, Space.SMALL, margin, Space.SMALL)), self.waits, self.reminder, self.ask, self.later, buttons)
        return inside
