"""A label on one line that shows an ellipsis instead of cutting its text.

The text is cut where it is painted: a label whose text changes with its room asks for another layout each time it gets one.
"""

from unicodedata import bidirectional

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.ui.brushwork import MEASURED
from app.ui.scale import Type
from app.ui.tips import plain_tip


class ElidedLabel(QLabel):
    """`words` is the whole text, `shown` what there is room for; a cut text is whole in the tooltip. Asks for its whole width and
    makes do with less."""

    def __init__(self, words: str = "", role: Type = Type.BODY, tone: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("type", str(role))
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._hint = ""
        self.words = self.shown = ""
        self.show_words(words)

    def show_words(self, words: str, hint: str = "") -> None:
        """Show a text; `hint` is a tooltip that says more than the text."""
        if words != self.words:
            self.words = words
            self.setAccessibleName(words)
            self.setText(words[:MEASURED])
        self._hint = hint
        self._elide()

    def sizeHint(self) -> QSize:
        """The whole text."""
        margins = self.contentsMargins()
        width = self.fontMetrics().horizontalAdvance(self.words[:MEASURED]) + margins.left() + margins.right() + 1
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Almost nothing."""
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._elide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """As a label does, but for the cut."""
        painter = QPainter(self)
        side = Qt.AlignmentFlag.AlignRight if reads_from_right(self.shown) else Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.contentsRect(), int(side | Qt.AlignmentFlag.AlignVCenter), self.shown)
        painter.end()

    def _elide(self) -> None:
        room = max(0, self.contentsRect().width())
        self.shown = self.fontMetrics().elidedText(self.words[:MEASURED], Qt.TextElideMode.ElideRight, room)
        hint = self._hint or (self.words if self.shown != self.words else "")
        if plain_tip(hint) != self.toolTip():
            self.setToolTip(plain_tip(hint))


def reads_from_right(text: str) -> bool:
    """Whether the first letter with a direction says so, as Qt decides it."""
    return next((kind != "L" for one in text if (kind := bidirectional(one)) in ("L", "R", "AL")), False)
