"""Stacked bar chart by day, painted in the theme's colours. The arrow keys move from day to day.

Each series has a colour. High-contrast themes add a pattern for each series, because their colours all stand out from the
background and are hard to tell apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QBrush,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.ui.theme.appearance import CONTRAST, Appearance
from app.ui.theme.metrics import Radius, Space, Type, at_text_size
from app.ui.widgets.factory import plain_tip

PATTERNS = {
    "accent": Qt.BrushStyle.SolidPattern,
    "slot": Qt.BrushStyle.BDiagPattern,
    "warning": Qt.BrushStyle.HorPattern,
    "positive": Qt.BrushStyle.Dense5Pattern,
    "danger": Qt.BrushStyle.DiagCrossPattern,
    "line_strong": Qt.BrushStyle.VerPattern,
}
"""By theme token. A series with a solid brush has no pattern."""
SWATCH, PATTERNED = 10, 16


def high_contrast(appearance: Appearance) -> bool:
    return appearance.theme.name.startswith(CONTRAST)


def fill_series(painter: QPainter, path: QPainterPath, appearance: Appearance, token: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance.colour(token))
    painter.drawPath(path)
    pattern = PATTERNS[token]
    if high_contrast(appearance) and pattern is not Qt.BrushStyle.SolidPattern:
        painter.setBrush(QBrush(appearance.colour("surface"), pattern))
        painter.drawPath(path)


class Swatch(QWidget):
    """Legend mark of a series, filled like its bars."""

    def __init__(self, appearance: Appearance, token: str) -> None:
        super().__init__()
        self._appearance, self._token = appearance, token
        side = at_text_size(PATTERNED if high_contrast(appearance) else SWATCH)
        self.setFixedSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()), Radius.CONTROL / 2, Radius.CONTROL / 2)
        fill_series(painter, path, self._appearance, self._token)
        painter.end()


LINES = 4
WIDEST_BAR = 28
BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up)
FORTH = (Qt.Key.Key_Right, Qt.Key.Key_Down)


@dataclass(frozen=True, slots=True)
class Series:
    """One layer of the stack.

    `token` is a theme colour, `values` has one entry for each bar.
    """

    name: str
    token: str
    values: tuple[float, ...]


def step_of(highest: float, lines: int = LINES) -> float:
    """Distance of the grid lines, at most `lines` up to `highest`.

    It is 1, 2 or 5 times a power of ten.
    """
    if highest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(highest / lines))
    return next(power * times for times in (1, 2, 5, 10) if highest <= power * times * lines * (1 + 1e-9))


class BarChart(QWidget):
    """Stacked bars; `words_of(value)` formats a value of the axis. `current` is the marked bar, -1 for none."""

    def __init__(self, appearance: Appearance, name: str, words_of: Callable[[float], str]) -> None:
        super().__init__()
        self._appearance, self._format = appearance, words_of
        self._series: Sequence[Series] = ()
        self._labels: Sequence[str] = ()
        self._spoken: Sequence[str] = ()
        self.current = -1
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_bars(self, series: Sequence[Series], labels: Sequence[str], spoken: Sequence[str], summary: str) -> None:
        """Draws the series with one label below each bar.

        `spoken` is the accessible text of each bar, `summary` that of the chart. The marked bar stays if the labels are the same.
        """
        if labels != self._labels:
            self.current = -1
        self._series, self._labels, self._spoken = series, labels, spoken
        self.setAccessibleDescription((self.hasFocus() and self.words_at(self.current)) or summary)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, self._metrics().height() * 9)

    def minimumSizeHint(self) -> QSize:
        """Smallest size at which the labels can be read."""
        return QSize(180, self._metrics().height() * 7)

    def words_at(self, bar: int) -> str:
        return self._spoken[bar] if 0 <= bar < len(self._spoken) else ""

    def choose(self, bar: int) -> None:
        """Marks a bar and announces it to screen readers while the chart has the focus."""
        bar = max(-1, min(bar, len(self._labels) - 1))
        if bar == self.current:
            return
        self.current = bar
        self.update()
        if bar >= 0 and self.hasFocus():
            self.setAccessibleDescription(self.words_at(bar))
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move by a day, Home and End to the ends."""
        steps = {**dict.fromkeys(BACK, -1), **dict.fromkeys(FORTH, 1)}
        if self.isRightToLeft():
            steps |= {Qt.Key.Key_Left: 1, Qt.Key.Key_Right: -1}
        key, last = Qt.Key(event.key()), len(self._labels) - 1
        if key in steps:
            at = self.current if self.current >= 0 else last + 1
            self.choose(max(0, min(at + steps[key], last)))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.choose(0 if key == Qt.Key.Key_Home else last)
        else:
            super().keyPressEvent(event)
            return
        above = self.mapToGlobal(self._slot(self.current).topLeft().toPoint())
        QToolTip.showText(above, plain_tip(self.words_at(self.current)), self)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Marks the bar below the pointer and shows its tooltip."""
        bar = next((index for index in range(len(self._labels)) if self._slot(index).contains(event.position())), -1)
        self.choose(bar)
        QToolTip.showText(event.globalPosition().toPoint(), plain_tip(self.words_at(bar)), self)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.choose(-1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        step, top = self._scale()
        self._paint_lines(painter, step, top)
        for bar in range(len(self._labels)):
            self._paint_bar(painter, bar, top)
        self._paint_labels(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._appearance.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), Radius.CONTROL, Radius.CONTROL)
        painter.end()

    def _paint_lines(self, painter: QPainter, step: float, top: float) -> None:
        area, words = self._area(), self._axis_width()
        for number in range(round(top / step) + 1):
            y = area.bottom() - area.height() * number * step / top
            painter.setPen(QPen(self._appearance.colour("line_strong" if not number else "line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._appearance.colour("text_soft"))
            left = area.right() + Space.SMALL if self.isRightToLeft() else Space.TIGHT
            rect = QRectF(left, y - self._metrics().height() / 2, words, self._metrics().height())
            near = Qt.AlignmentFlag.AlignLeft if self.isRightToLeft() else Qt.AlignmentFlag.AlignRight
            painter.drawText(rect, near | Qt.AlignmentFlag.AlignVCenter, self._format(number * step))

    def _paint_bar(self, painter: QPainter, bar: int, top: float) -> None:
        slot, area = self._slot(bar), self._area()
        if bar == self.current:
            painter.fillRect(slot, self._appearance.colour("hover"))
        width = min(WIDEST_BAR, slot.width() * 0.7)
        bottom = area.bottom()
        filled = [series for series in self._series if series.values[bar] > 0]
        for series in filled:
            tall = area.height() * series.values[bar] / top
            rect = QRectF(slot.center().x() - width / 2, bottom - tall, width, max(1.0, tall - (series is not filled[-1])))
            fill_series(painter, _rounded_top(rect) if series is filled[-1] else _rectangle(rect), self._appearance, series.token)
            bottom -= tall

    def _paint_labels(self, painter: QPainter) -> None:
        """Paints as many labels as fit, always including the last."""
        painter.setPen(self._appearance.colour("text_soft"))
        if not self._labels:
            return
        widest = max(self._metrics().horizontalAdvance(words) for words in self._labels) + Space.MEDIUM
        every = max(1, ceil(widest / max(1.0, self._slot(0).width())))
        area, beside = self._area(), Space.MEDIUM / 2  # half of the gap between two labels may be cut off at the edges
        for bar in range(len(self._labels) - 1, -1, -every):
            middle = self._slot(bar).center().x()
            left = max(-beside, min(middle - widest / 2, self.width() - widest + beside))
            rect = QRectF(left, area.bottom() + Space.TIGHT, widest, self._metrics().height())
            painter.drawText(rect, Qt.AlignmentFlag.AlignHCenter, self._labels[bar])

    def _scale(self) -> tuple[float, float]:
        """Distance of the grid lines, and the value at the top."""
        highest = max((sum(series.values[bar] for series in self._series) for bar in range(len(self._labels))), default=0.0)
        step = max(1.0, step_of(highest))
        return step, step * max(1, ceil(highest / step - 1e-9))

    def _area(self) -> QRectF:
        high, words = self._metrics().height(), self._axis_width() + Space.MEDIUM
        left, right = (Space.SMALL, words) if self.isRightToLeft() else (words, Space.SMALL)
        return QRectF(left, high / 2 + Space.TIGHT, self.width() - left - right, self.height() - 1.5 * high - 3 * Space.TIGHT)

    def _slot(self, bar: int) -> QRectF:
        """Rectangle of one bar's column over the full height."""
        area = self._area()
        wide = area.width() / max(1, len(self._labels))
        number = len(self._labels) - 1 - bar if self.isRightToLeft() else bar
        return QRectF(area.left() + number * wide, area.top(), wide, area.height())

    def _axis_width(self) -> int:
        step, top = self._scale()
        return max(self._metrics().horizontalAdvance(self._format(value)) for value in (0.0, step, top))

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._appearance.fonts[Type.CAPTION])


def _rectangle(rect: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.addRect(rect)
    return path


def _rounded_top(rect: QRectF) -> QPainterPath:
    """A rectangle with rounded upper corners: the top segment of a bar."""
    radius = min(3.0, rect.height(), rect.width() / 2)
    path = QPainterPath(rect.bottomLeft())
    path.lineTo(rect.left(), rect.top() + radius)
    path.quadTo(rect.topLeft(), QPointF(rect.left() + radius, rect.top()))
    path.lineTo(rect.right() - radius, rect.top())
    path.quadTo(rect.topRight(), QPointF(rect.right(), rect.top() + radius))
    path.lineTo(rect.bottomRight())
    path.closeSubpath()
    return path
