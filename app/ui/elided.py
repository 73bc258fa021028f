"""A label on one line that shows an ellipsis instead of cutting its text."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.ui.scale import Type


class ElidedLabel(QLabel):
    """`words` is the whole text; a cut one is in the tooltip. Asks for its whole width and makes do with less."""

    def __init__(self, words: str = "", role: Type = Type.BODY, tone: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("type", str(role))
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._hint = ""
        self.words = ""
        self.show_words(words)

    def show_words(self, words: str, hint: str = "") -> None:
        """Show a text; `hint` is a tooltip that says more than the text."""
        self.words, self._hint = words, hint
        self.setAccessibleName(words)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """The whole text."""
        margins = self.contentsMargins()
        width = self.fontMetrics().horizontalAdvance(self.words) + margins.left() + margins.right() + 1
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Almost nothing."""
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, max(0, self.contentsRect().width()))
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._hint or (self.words if shown != self.words else ""))
