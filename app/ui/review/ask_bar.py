"""One line in which the user says something: what to change, an answer, or the reason of a rejection. Never modal."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QWidget

from app.ui.build import button, clear, column, row, tab_through
from app.ui.folding_check import FoldingCheck
from app.ui.parts import comes_back
from app.ui.scale import Space, is_large_text


class AskBar(QFrame):
    """Opens over the buttons; Enter sends, Escape closes. `edited` when its words or ticks change, or it was closed."""

    edited = Signal()

    def __init__(self, closed: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "accent")
        self._closed = closed
        self._submit: Callable[[str], None] | None = None
        self._required = False
        self.purpose = ""
        self.line = QLineEdit()
        comes_back(self.line)
        self.send = button("", "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self.close_bar)
        self._chips = QWidget()
        self._chip_row = column(self._chips, 0, 0) if is_large_text() else row(self._chips, 0, Space.MEDIUM)
        first = row(None, 0, Space.SMALL)
        first.addWidget(self.line, 1)
        first.addWidget(self.send)
        first.addWidget(self.cancel)
        layout = column(self, Space.SMALL, Space.TIGHT)
        layout.addLayout(first)
        layout.addWidget(self._chips)
        self.options: tuple[QCheckBox, ...] = ()
        self._options = column(None, 0, Space.TIGHT)
        layout.addLayout(self._options)
        self.line.returnPressed.connect(self.submit)
        self.line.textChanged.connect(lambda _text: self._enable())
        self.line.textChanged.connect(lambda _text: self.edited.emit())
        self.hide()

    def ask(
        self,
        hint: str,
        verb: str,
        submit: Callable[[str], None],
        required: bool,
        suggestions: Sequence[str] = (),
        options: Sequence[str] = (),
        purpose: str = "",
    ) -> None:
        """Open for one question; `suggestions` are common answers, one click each; of the `options` at most one is ticked."""
        self.purpose = purpose
        self._submit, self._required = submit, required
        self.line.clear()
        self.line.setPlaceholderText(hint)
        self.line.setAccessibleName(hint)
        self.send.setText(verb)
        clear(self._chip_row)
        chips = [button(words, "link", partial(self.line.setText, words)) for words in suggestions]
        for chip in chips:
            self._chip_row.addWidget(chip)
        self._chip_row.addStretch(1)
        self._chips.setVisible(bool(suggestions))
        self._offer(options)
        tab_through(self.line, (self.send, self.cancel, *chips, *self.options))
        self._enable()
        self.show()
        self.line.setFocus()

    def put_back(self, text: str, ticked: int) -> None:
        """What was typed and ticked before."""
        self.line.setText(text)
        if 0 <= ticked < len(self.options):
            self.options[ticked].setChecked(True)

    @property
    def ticked(self) -> int:
        """Which option was ticked when it was sent, -1 for none."""
        return next((number for number, one in enumerate(self.options) if one.isChecked()), -1)

    def submit(self) -> None:
        """Send what stands in the line."""
        text = self.line.text().strip()
        if self._submit is None or (self._required and not text):
            return
        submit = self._submit
        self.close_bar()
        submit(text)

    def close_bar(self) -> None:
        """Close without sending."""
        self._submit, self.purpose = None, ""
        self.hide()
        self._closed()
        self.edited.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    def _offer(self, options: Sequence[str]) -> None:
        clear(self._options)
        self.options = tuple(FoldingCheck(words) for words in options)
        for one in self.options:
            self._options.addWidget(one)
            one.clicked.connect(partial(self._tick_alone, one))

    def _tick_alone(self, ticked: QCheckBox, _checked: bool = False) -> None:
        for other in self.options:
            if other is not ticked:
                other.setChecked(False)
        self.edited.emit()

    def _enable(self) -> None:
        self.send.setEnabled(bool(self.line.text().strip()) or not self._required)
