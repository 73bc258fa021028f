"""A label on one line that shows an ellipsis instead of cutting its text.

The text is cut where it is painted: a label whose text changes with its room asks for another layout each time it gets one.

A link on one line; where there is too little room its words end with dots, and are whole in the tooltip.

A box to tick whose words fold onto further lines where there is too little room for one.

An icon on its own, repainted when the theme changes.

A title that somebody else wrote, on two lines at most: the rest of a longer one is in its tooltip.
"""

from unicodedata import bidirectional

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.theme.painting import MEASURED
from app.ui.widgets.buttons import ReturnButton
from app.ui.widgets.factory import LONGEST_TIP
from app.ui.widgets.hints import plain_tip


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


ICON = 16


class ElidedLink(ReturnButton):
    """As wide as its words where there is room, hardly any where there is not."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.words = ""
        self.setProperty("role", "link")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.show_words(words)

    def show_words(self, words: str, hint: str = "") -> None:
        """Other words; `hint` is a tooltip that says more."""
        self.words = words
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(hint or words))
        self.updateGeometry()
        self._cut()

    def sizeHint(self) -> QSize:
        """The whole words, and the icon."""
        icon = 0 if self.icon().isNull() else self.iconSize().width() + Space.SMALL
        width = self.fontMetrics().horizontalAdvance(self.words[:MEASURED]) + icon + Space.SMALL
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Hardly any width."""
        return QSize(1, super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Another size of letters, and of the icon beside them."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.setIconSize(QSize(at_text_size(ICON), at_text_size(ICON)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        icon = 0 if self.icon().isNull() else self.iconSize().width() + Space.SMALL
        room = max(0, self.width() - icon)
        self.setText(self.fontMetrics().elidedText(self.words[:MEASURED], Qt.TextElideMode.ElideRight, room))


NARROWEST = 160


class FoldingCheck(QCheckBox):
    """`words` is the whole text on one line."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words
        self.setAccessibleName(words)

    def minimumSizeHint(self) -> QSize:
        """Narrow; as high as the lines are now."""
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold anew."""
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
    """A square icon of `size` pixels at 100 % text; says nothing to a screen reader, the words beside it do."""

    def __init__(self, icons: Icons, name: str = "", tone: str = "text_soft", size: int = 16) -> None:
        super().__init__()
        self._icons = icons
        self._name, self._tone = name, tone
        self._icon: QIcon | None = None
        self.setFixedSize(at_text_size(size), at_text_size(size))

    def show_icon(self, name: str, tone: str = "text_soft") -> None:
        """Show another icon."""
        self._name, self._tone, self._icon = name, tone, None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it in the colour of now."""
        if self._name:
            if self._icon is None:
                self._icon = self._icons.icon(self._name, self._tone)
            painter = QPainter(self)
            painter.drawPixmap(QPoint(0, 0), self._icon.pixmap(self.size(), self.devicePixelRatioF()))
            painter.end()


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
