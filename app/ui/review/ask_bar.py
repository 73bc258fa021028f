"""One line in which the user says something: what to change, an answer, or the reason of a rejection. Never modal."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from app.ui.build import button, clear, column, row
from app.ui.scale import Space


class AskBar(QFrame):
    """Opens over the buttons; Enter sends, Escape closes."""

    def __init__(self, closed: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "accent")
        self._closed = closed
        self._submit: Callable[[str], None] | None = None
        self._required = False
        self.line = QLineEdit()
        self.send = button("", "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self.close_bar)
        self._chips = QWidget()
        self._chip_row = row(self._chips, 0, Space.TIGHT)
        first = row(None, 0, Space.SMALL)
        first.addWidget(self.line, 1)
        first.addWidget(self.send)
        first.addWidget(self.cancel)
        layout = column(self, Space.SMALL, Space.TIGHT)
        layout.addLayout(first)
        layout.addWidget(self._chips)
        self.line.returnPressed.connect(self.submit)
        self.line.textChanged.connect(lambda _text: self._enable())
        self.hide()

    def ask(self, hint: str, verb: str, submit: Callable[[str], None], required: bool, suggestions: Sequence[str] = ()) -> None:
        """Open for one question; `suggestions` are common answers, one click each."""
        self._submit, self._required = submit, required
        self.line.clear()
        self.line.setPlaceholderText(hint)
        self.line.setAccessibleName(hint)
        self.send.setText(verb)
        clear(self._chip_row)
        for words in suggestions:
            self._chip_row.addWidget(button(words, "link", partial(self.line.setText, words)))
        self._chip_row.addStretch(1)
        self._chips.setVisible(bool(suggestions))
        self._enable()
        self.show()
        self.line.setFocus()

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
        self._submit = None
        self.hide()
        self._closed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    def _enable(self) -> None:
        self.send.setEnabled(bool(self.line.text().strip()) or not self._required)
