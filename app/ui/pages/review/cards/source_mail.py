"""One line in the original's place where a low desk has room for one card only: it brings the mail back instead of the draft."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.ui.theme.metrics import Space
from app.ui.widgets.factory import button, row


class SourceMailLine(QWidget):
    """Hidden while both have room. What is written in the answer stays while the mail is looked at."""

    def __init__(self, original: QWidget, answer: QWidget) -> None:
        super().__init__()
        self._original, self._answer = original, answer
        self._crowded = self._reading = False
        self._there = True
        self.turn = button("", "link", self._turn)
        across = row(self, 0, Space.SMALL)
        across.addWidget(self.turn)
        across.addStretch(1)
        self.hide()

    def minimumSizeHint(self) -> QSize:
        """The words in full: at some text sizes the style sheet's height for a link is rounded to less than they need."""
        return super().minimumSizeHint().expandedTo(QSize(0, self.turn.sizeHint().height()))

    def show_original(self, there: bool) -> None:
        """Whether there is a mail to show at all; without one the answer has all the room."""
        if there is not self._there:
            self._there, self._reading = there, False
            self._show()

    @property
    def there(self) -> bool:
        """Whether there is a mail to show."""
        return self._there

    def share(self, crowded: bool) -> None:
        """Whether there is room for one of the two only."""
        if crowded != self._crowded:
            self._crowded, self._reading = crowded, False
            self._show()

    def show_answer(self) -> None:
        """The draft, or what is asked: the keyboard goes there, or another item came."""
        if self._reading:
            self._turn()

    def _turn(self) -> None:
        self._reading = not self._reading
        self._show()

    def _show(self) -> None:
        self.turn.setText(self.tr("Show what is proposed") if self._reading else self.tr("Show the mail"))
        self.setVisible(self._crowded and self._there)
        self._original.setVisible(self._there and (self._reading or not self._crowded))
        self._answer.setVisible(not self._reading)
