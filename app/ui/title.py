"""A title that somebody else wrote, on two lines at most: the rest of a longer one is in its tooltip.

Refuses to ask for room by its length: it takes the width that is left, and one line or two.
"""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.ui.brushwork import MEASURED
from app.ui.build import LONGEST_TIP
from app.ui.elided import reads_from_right
from app.ui.scale import Type
from app.ui.tips import plain_tip


class Title(QLabel):
    """`words` is the whole text, `shown` the lines as they are painted."""

    def __init__(self, role: Type = Type.TITLE) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("type", str(role))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.words = ""
        self.shown: tuple[str, ...] = ()

    def show_words(self, words: str) -> None:
        """Another text; line breaks in it are spaces."""
        if words != self.words:
            self.words = words
            self.setText(" ".join(words[:MEASURED].split()))
            self.setAccessibleName(words[:LONGEST_TIP])
            self._cut()
            self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """A narrower one may take another line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """One line or two, with the margins."""
        margins = self.contentsMargins()
        lines = len(self._lines(width - margins.left() - margins.right()))
        return super().sizeHint().height() + max(0, lines - 1) * self.fontMetrics().lineSpacing()

    def sizeHint(self) -> QSize:
        """Hardly any width, so that what stands beside it gets what it asks for; as high as it is at its width now."""
        return QSize(1, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(1, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._cut()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Line by line, the lines in the middle of the height."""
        self._cut()  # the font may be another one
        painter = QPainter(self)
        side = Qt.AlignmentFlag.AlignRight if reads_from_right(self.words) else Qt.AlignmentFlag.AlignLeft
        inside, high = self.contentsRect(), self.fontMetrics().lineSpacing()
        top = inside.top() + max(0, inside.height() - high * len(self.shown)) // 2
        for number, words in enumerate(self.shown):
            line = QRect(inside.left(), top + number * high, inside.width(), high)
            painter.drawText(line, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute), words)
        painter.end()

    def _cut(self) -> None:
        self.shown = self._lines(self.contentsRect().width())
        whole = " ".join(self.shown) == self.text() and len(self.words) <= MEASURED
        tip = "" if whole else self.words[:LONGEST_TIP]
        if plain_tip(tip) != self.toolTip():
            self.setToolTip(plain_tip(tip))

    def _lines(self, room: int) -> tuple[str, ...]:
        """The text broken between words for so many pixels; the last line ends with an ellipsis where there is more."""
        text, metrics = self.text(), self.fontMetrics()
        if metrics.horizontalAdvance(text) <= room:
            return (text,)
        layout, first = QTextLayout(text, self.font()), 0
        layout.setTextOption(_by_words())
        layout.beginLayout()
        line = layout.createLine()
        if line.isValid():
            line.setLineWidth(max(1, room))
            first = line.textLength()
        layout.endLayout()
        rest = metrics.elidedText(text[first:].strip(), Qt.TextElideMode.ElideRight, room)
        return tuple(filter(None, (text[:first].rstrip(), rest)))


def _by_words() -> QTextOption:
    """Words are broken only where one is longer than a line."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option
