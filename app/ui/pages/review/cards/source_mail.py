"""Line that switches between message and draft when the panel is too low for both."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.ui.theme.metrics import Space
from app.ui.widgets.factory import button, row


class SourceMailLine(QWidget):
    """Hidden while both fit or there is no message. Edits in the draft stay while the message is shown."""

    def __init__(self, original: QWidget, answer: QWidget) -> None:
        super().__init__()
        self._original, self._answer = original, answer
        self._crowded = self._showing_message = False
        self._has_message = True
        self.turn = button("", "link", self._switch)
        across = row(self, 0, Space.SMALL)
        across.addWidget(self.turn)
        across.addStretch(1)
        self.hide()

    def minimumSizeHint(self) -> QSize:
        """At least the button's height: at some text sizes the style sheet rounds it to less than the text needs."""
        return super().minimumSizeHint().expandedTo(QSize(0, self.turn.sizeHint().height()))

    def show_original(self, there: bool) -> None:
        """Sets whether there is a message; without one the draft has all the space."""
        if there is not self._has_message:
            self._has_message, self._showing_message = there, False
            self._show()

    @property
    def there(self) -> bool:
        """Whether there is a message."""
        return self._has_message

    def share(self, crowded: bool) -> None:
        """Sets whether only one of the two fits."""
        if crowded != self._crowded:
            self._crowded, self._showing_message = crowded, False
            self._show()

    def show_answer(self) -> None:
        """Shows the draft or proposal."""
        if self._showing_message:
            self._switch()

    def _switch(self) -> None:
        self._showing_message = not self._showing_message
        self._show()

    def _show(self) -> None:
        self.turn.setText(self.tr("Show what is proposed") if self._showing_message else self.tr("Show the mail"))
        self.setVisible(self._crowded and self._has_message)
        self._original.setVisible(self._has_message and (self._showing_message or not self._crowded))
        self._answer.setVisible(not self._showing_message)
