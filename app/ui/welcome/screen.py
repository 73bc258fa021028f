"""The frame of each screen: a heading, a sentence, content, and room for trouble. One column in the middle of the window."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from app.ui.build import button, column, frame, label, row
from app.ui.scale import Space, Type, at_text_size
from app.ui.scrolled import Flowing

WIDTH = 600


class Screen(QScrollArea):
    """Add widgets to `lines`. `start` gets the keyboard when the screen is shown."""

    def __init__(self, title: str, words: str = "") -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(title)
        self.start: QWidget | None = None
        self.heading = label(title, Type.HEADLINE, wrap=True)
        self.words = label(words, Type.BODY, "soft", wrap=True)
        if not words:  # words without a place would become a window if they were shown here
            self.words.hide()
        self._trouble = frame("notice", "danger")
        self._trouble_words = label("", wrap=True)
        self.retry = button("", "", self._retry)
        self._again: Callable[[], object] | None = None
        host = Flowing()
        host.setProperty("role", "plain")
        across = row(host, Space.XLARGE, 0)
        inner = QWidget()
        inner.setMaximumWidth(at_text_size(WIDTH))
        across.addStretch(1)
        across.addWidget(inner, 100)
        across.addStretch(1)
        outer = column(inner, 0, Space.MEDIUM)
        outer.addStretch(1)
        outer.addWidget(self.heading)
        outer.addWidget(self.words)
        outer.addWidget(self._trouble)
        self.lines = column(None, 0, Space.MEDIUM)
        outer.addSpacing(Space.SMALL)
        outer.addLayout(self.lines)
        outer.addStretch(2)
        inside = column(self._trouble, Space.MEDIUM, Space.SMALL)
        inside.addWidget(self._trouble_words)
        inside.addWidget(self.retry, 0, Qt.AlignmentFlag.AlignLeft)
        self._trouble.hide()
        self.setWidget(host)

    def show_trouble(self, words: str, action: str = "", again: Callable[[], object] | None = None) -> None:
        """What went wrong and one way on; empty words clear it."""
        self._trouble.setVisible(bool(words))
        self._trouble_words.setText(words)
        self.retry.setText(action)
        self.retry.setVisible(bool(action))
        self._again = again

    @property
    def trouble(self) -> str:
        """The sentence on show."""
        return "" if self._trouble.isHidden() else self._trouble_words.text()

    def take_focus(self) -> None:
        """Put the keyboard where the screen starts."""
        if self.start is not None:
            self.start.setFocus()

    def _retry(self) -> None:
        if self._again is not None:
            self._again()
