"""Labels that fit their room. Elided label and link, wrapping check box, icon, two-line title.

Text is elided while painting: a label whose text changes with its width asks for another layout each time.
"""

from unicodedata import bidirectional

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.theme.painting import MEASURED
from app.ui.widgets.factory import LONGEST_TIP, ReturnButton, plain_tip


class ElidedLabel(QLabel):
    """A one-line label with an ellipsis. `words` is the whole text, `shown` the part that fits; an elided text is whole in the
    tooltip.
    """

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
        """Sets the text; `hint` is a tooltip with more than the text."""
        if words != self.words:
            self.words = words
            self.setAccessibleName(words)
            self.setText(words[:MEASURED])
        self._hint = hint
        self._elide()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        width = self.fontMetrics().horizontalAdvance(self.words[:MEASURED]) + margins.left() + margins.right() + 1
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def paintEvent(self, event: QPaintEvent) -> None:
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
    """Whether the text is right-to-left, as Qt decides it. The first letter with a direction counts."""
    return next((kind != "L" for one in text if (kind := bidirectional(one)) in ("L", "R", "AL")), False)


ICON = 16


class ElidedLink(ReturnButton):
    """A one-line link with an ellipsis, at its end or elsewhere. The whole text is in the tooltip."""

    def __init__(self, words: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self.words = ""
        self._mode = mode
        self.setIconSize(QSize(at_text_size(ICON), at_text_size(ICON)))
        self.setProperty("role", "link")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.show_words(words)

    def show_words(self, words: str, hint: str = "") -> None:
        """Sets the text; `hint` is a tooltip with more than the text."""
        self.words = words
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(hint or words))
        self.updateGeometry()
        self._cut()

    def sizeHint(self) -> QSize:
        icon = 0 if self.icon().isNull() else self.iconSize().width() + Space.SMALL
        width = self.fontMetrics().horizontalAdvance(self.words[:MEASURED]) + icon + Space.SMALL
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        icon = 0 if self.icon().isNull() else self.iconSize().width() + Space.SMALL
        room = max(0, self.width() - icon)
        self.setText(self.fontMetrics().elidedText(self.words[:MEASURED], self._mode, room))


NARROWEST = 160


class FoldingCheck(QCheckBox):
    """A check box whose text wraps. `words` is the text on one line."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # a check box never gives up width

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics = self.fontMetrics()
        widest = max(metrics.horizontalAdvance(line) for line in self.text().split("\n"))
        room = event.size().width() - (self.sizeHint().width() - widest)
        lines: list[str] = []
        for word in self.words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        folded = "\n".join(lines)
        if folded != self.text():
            self.setText(folded)
            self.updateGeometry()


class IconLabel(QWidget):
    """A square icon that follows the theme. `size` is in pixels at 100 % text size. Silent for screen readers."""

    def __init__(self, icons: Icons, name: str = "", tone: str = "text_soft", size: int = 16) -> None:
        super().__init__()
        self._icons, self._name, self._tone = icons, name, tone
        self.setFixedSize(at_text_size(size), at_text_size(size))

    def show_icon(self, name: str, tone: str = "text_soft") -> None:
        self._name, self._tone = name, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._name:
            painter = QPainter(self)
            icon = self._icons.icon(self._name, self._tone)
            painter.drawPixmap(QPoint(0, 0), icon.pixmap(self.size(), self.devicePixelRatioF()))
            painter.end()


class Title(QLabel):
    """A title from outside on at most two lines. The whole text is in the tooltip. `shown` holds the painted lines."""

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
        if words != self.words:
            self.words = words
            self.setText(" ".join(words[:MEASURED].split()))
            self.setAccessibleName(words[:LONGEST_TIP])
            self._cut()
            self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        lines = len(self._lines(width - margins.left() - margins.right()))
        return super().sizeHint().height() + max(0, lines - 1) * self.fontMetrics().lineSpacing()

    def sizeHint(self) -> QSize:
        """Width 1, so that neighbours get their size first. The height is that for the current width."""
        return QSize(1, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._cut()  # the font may have changed
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
        text, metrics = self.text(), self.fontMetrics()
        if metrics.horizontalAdvance(text) <= room:
            return (text,)
        layout, first, option = QTextLayout(text, self.font()), 0, QTextOption()
        # Breaks inside a word only if it is longer than a line.
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        line = layout.createLine()
        if line.isValid():
            line.setLineWidth(max(1, room))
            first = line.textLength()
        layout.endLayout()
        rest = metrics.elidedText(text[first:].strip(), Qt.TextElideMode.ElideRight, room)
        return tuple(filter(None, (text[:first].rstrip(), rest)))
