"""The charts of Activity: messages, decisions on drafts, time, model use.

The same numbers are available as a table. The window paints the charts itself: importing a plotting library would take more
than a second. The arrow keys move from day to day. High-contrast themes add a pattern for each series, because their colors all
stand out from the background and are hard to tell apart.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
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
    QResizeEvent,
)
from PySide6.QtWidgets import QGridLayout, QScrollArea, QSizePolicy, QToolTip, QWidget

from app.domain.agents.runs import DailyWork, every_day
from app.domain.errors import ExpectedError
from app.domain.mail.triage import Category
from app.domain.record import Record
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import category_words, money_words, number_words, seconds_words
from app.ui.pages.activity.activity_texts import (
    TOKENS,
    amount,
    columns,
    day_short,
    day_spoken,
    decided_words,
    decision_names,
    kinds_words,
    median_ms,
    table_row,
    use_words,
)
from app.ui.session.ini_file import remembered
from app.ui.theme.appearance import CONTRAST, Appearance
from app.ui.theme.metrics import Radius, Space, Type, at_text_size
from app.ui.widgets.factory import RoleFrame, button, column, fill_rows, label, plain_tip, row, rule, text_table
from app.ui.widgets.form_controls import ChoiceBox
from app.ui.widgets.split_view import EmptyState, Stack

PATTERNS = {
    "slot": Qt.BrushStyle.BDiagPattern,
    "warning": Qt.BrushStyle.HorPattern,
    "positive": Qt.BrushStyle.Dense5Pattern,
    "danger": Qt.BrushStyle.DiagCrossPattern,
    "line_strong": Qt.BrushStyle.VerPattern,
}
"""By theme token. The accent has no pattern."""
SWATCH, PATTERNED = 10, 16


def fill_series(painter: QPainter, path: QPainterPath, appearance: Appearance, token: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance.colour(token))
    painter.drawPath(path)
    if appearance.theme.name.startswith(CONTRAST) and token in PATTERNS:
        painter.setBrush(QBrush(appearance.colour("surface"), PATTERNS[token]))
        painter.drawPath(path)


class Swatch(QWidget):
    """Legend mark of a series, filled like its bars."""

    def __init__(self, appearance: Appearance, token: str) -> None:
        super().__init__()
        self._appearance, self._token = appearance, token
        side = at_text_size(PATTERNED if appearance.theme.name.startswith(CONTRAST) else SWATCH)
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


class Series(Record):
    """One layer of the stack.

    `token` is a theme colour, `values` has one entry for each bar.
    """

    name: str
    token: str
    values: tuple[float, ...]


def step_of(highest: float) -> float:
    """Distance of the grid lines, at most `LINES` up to `highest`: 1, 2 or 5 times a power of ten."""
    if highest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(highest / LINES))
    return next(power * times for times in (1, 2, 5, 10) if highest <= power * times * LINES * (1 + 1e-9))


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
        area, words, line = self._area(), self._axis_width(), self._metrics().height()
        for number in range(round(top / step) + 1):
            y = area.bottom() - area.height() * number * step / top
            painter.setPen(QPen(self._appearance.colour("line" if number else "line_strong"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._appearance.colour("text_soft"))
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(Space.TIGHT, y - line / 2, words, line), side, self._format(number * step))
        for bar in range(len(self._labels)):
            self._paint_bar(painter, bar, top)
        self._paint_labels(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._appearance.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), Radius.CONTROL, Radius.CONTROL)
        painter.end()

    def _paint_bar(self, painter: QPainter, bar: int, top: float) -> None:
        slot, area = self._slot(bar), self._area()
        if bar == self.current:
            painter.fillRect(slot, self._appearance.colour("hover"))
        width = min(WIDEST_BAR, slot.width() * 0.7)
        bottom = area.bottom()
        filled = [series for series in self._series if series.values[bar] > 0]
        for series in filled:
            tall = area.height() * series.values[bar] / top
            highest = series is filled[-1]
            rect = QRectF(slot.center().x() - width / 2, bottom - tall, width, max(1.0, tall - (not highest)))
            fill_series(painter, segment(rect, rounded=highest), self._appearance, series.token)
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
        across, down = self.width() - words - Space.SMALL, self.height() - 1.5 * high - 3 * Space.TIGHT
        return QRectF(words, high / 2 + Space.TIGHT, across, down)

    def _slot(self, bar: int) -> QRectF:
        """Rectangle of one bar's column over the full height."""
        area = self._area()
        wide = area.width() / max(1, len(self._labels))
        return QRectF(area.left() + bar * wide, area.top(), wide, area.height())

    def _axis_width(self) -> int:
        step, top = self._scale()
        return max(self._metrics().horizontalAdvance(self._format(value)) for value in (0.0, step, top))

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._appearance.fonts[Type.CAPTION])


def segment(rect: QRectF, rounded: bool) -> QPainterPath:
    """A segment of a bar; the upper corners of the top one are rounded."""
    radius = min(3.0, rect.height(), rect.width() / 2) if rounded else 0.0
    path = QPainterPath(rect.bottomLeft())
    path.lineTo(rect.left(), rect.top() + radius)
    path.quadTo(rect.topLeft(), QPointF(rect.left() + radius, rect.top()))
    path.lineTo(rect.right() - radius, rect.top())
    path.quadTo(rect.topRight(), QPointF(rect.right(), rect.top() + radius))
    path.lineTo(rect.bottomRight())
    path.closeSubpath()
    return path


LEGEND_COLUMNS = 3


class ChartCard(RoleFrame):
    def __init__(self, appearance: Appearance, title: str, words_of: Callable[[float], str]) -> None:
        super().__init__("card")
        self._appearance = appearance
        self.summary = label("", Type.CAPTION, "soft", wrap=True)
        self.bars = BarChart(appearance, title, words_of)
        self._legend = QWidget()
        self._grid = QGridLayout(self._legend)
        self._grid.setHorizontalSpacing(Space.SMALL)
        self._grid.setVerticalSpacing(Space.TIGHT)
        self._grid.setContentsMargins(0, 0, 0, 0)
        heading = label(title, Type.STRONG, wrap=True)
        column(self, Space.LARGE, Space.TIGHT, heading, self.summary, Space.SMALL, (self.bars, 1), self._legend)

    def show_bars(self, series: Sequence[Series], labels: Sequence[str], spoken: Sequence[str], summary: str) -> None:
        """Draws the series. A single series has no legend."""
        self.summary.setText(summary)
        self.bars.show_bars(series, labels, spoken, summary)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, entry in enumerate(series if len(series) > 1 else ()):
            place, across = divmod(number, LEGEND_COLUMNS)
            self._grid.addWidget(Swatch(self._appearance, entry.token), place, 2 * across, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(label(entry.name, Type.CAPTION, "soft"), place, 2 * across + 1)
            self._grid.setColumnStretch(2 * across + 1, 1)
        self._legend.setVisible(len(series) > 1)


PERIODS = (7, 30, 90)
TWO_COLUMNS_FROM = 860


class Charts(QWidget):
    """Charts or table of a period. Reads when `refresh` or `follow` is called; `leave` goes back to the runs."""

    def __init__(self, context: Context, leave: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Charts"))
        self._context = context
        self.days: tuple[DailyWork, ...] = ()
        self._since: datetime | None = None
        self._found: tuple[DailyWork, ...] = ()
        self.period = ChoiceBox(context.icons, self.tr("Period"))
        for days in PERIODS:
            self.period.addItem(self.tr("the last %n day(s)", "", days), days)
        kept = remembered(context.state, "activity/days", PERIODS[1])
        self.period.setCurrentIndex(max(0, self.period.findData(kept)))
        self.period.activated.connect(self._period_changed)
        self.as_table = button("", "link", self._toggle_table, turns=True)
        self.leave = button(self.tr("Runs"), "link", leave)
        appearance = context.appearance
        self.kinds = ChartCard(appearance, self.tr("Emails by type"), amount)
        self.drafts = ChartCard(appearance, self.tr("What happened to drafts"), amount)
        self.times = ChartCard(appearance, self.tr("Time per email"), seconds_words)
        self.use = ChartCard(appearance, self.tr("Language model usage"), amount)
        self.cards = (self.kinds, self.drafts, self.times, self.use)
        self.table = text_table(self.tr("Chart data"), columns(), 2)
        self._state = EmptyState(context.icons)
        self._grid = QGridLayout()
        self._grid.setSpacing(Space.LARGE)
        self._across = 0
        above, inside = RoleFrame("surface"), QWidget()
        heading = label(self.tr("Activity"), Type.TITLE)
        row(above, (Space.LARGE, Space.SMALL), Space.MEDIUM, heading, self.period, 1, self.as_table, Space.TIGHT, self.leave)
        self._grid.setContentsMargins(Space.LARGE, Space.LARGE, Space.LARGE, Space.LARGE)
        inside.setProperty("role", "plain")
        inside.setLayout(self._grid)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(inside)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.stack = Stack(area, self.table, self._state)
        column(self, 0, 0, above, rule(), (self.stack, 1))
        self._arrange(2)
        self._update_toggle()

    def refresh(self) -> None:
        self._since = None
        self.follow()

    def follow(self) -> None:
        """Reads the last two days again and draws.

        All days are read if the period has moved.
        """
        today: datetime = self._context.clock().astimezone()
        midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
        since = midnight - timedelta(days=self._day_count - 1)
        late = midnight - timedelta(days=1)
        known = since == self._since
        try:
            found = self._context.reader.days_of_work(max(since, late) if known else since)
        except ExpectedError as error:
            self._since, self.days = None, ()
            self.as_table.hide()
            words = sentence(error.code, error.text)
            self._state.show_state("error", self.tr("The numbers couldn't be loaded"), words, self.tr("Try again"), self.refresh)
            self.stack.setCurrentIndex(2)
            return
        if known:
            found = (*(day for day in self._found if day.day < late.date()), *found)
        self._since, self._found = since, found
        self.days = every_day(found, today.date(), self._day_count)
        self._draw()
        if self._table_shown:  # laying out the table's columns takes longer than the charts
            self._fill_table()
        self._show_current(bool(found))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Places two charts side by side if the window is wide enough."""
        super().resizeEvent(event)
        self._arrange(2 if event.size().width() >= TWO_COLUMNS_FROM * self._context.appearance.text_size else 1)

    def _arrange(self, across: int) -> None:
        if across == self._across:
            return
        self._across = across
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, number // across, number % across)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1 if across == 2 else 0)

    @property
    def _day_count(self) -> int:
        return int(self.period.currentData())

    @property
    def _table_shown(self) -> bool:
        return self._context.state.value("activity/table", False, type=bool) is True

    def _period_changed(self) -> None:
        self._context.state.setValue("activity/days", self._day_count)
        self.refresh()

    def _toggle_table(self) -> None:
        self._context.state.setValue("activity/table", not self._table_shown)
        self._update_toggle()
        if self._table_shown:
            self._fill_table()
        self._show_current(any(day.mails or day.calls for day in self.days))

    def _update_toggle(self) -> None:
        self.as_table.setText(self.tr("As charts") if self._table_shown else self.tr("As a table"))

    def _show_current(self, some: bool) -> None:
        self.as_table.setVisible(some)
        if not some:
            words = self.tr(
                "Once the assistant has checked some mail, you can see here how much, how long it took and what it cost."
            )
            self._state.show_state("activity", self.tr("No data yet"), words)
        self.stack.setCurrentIndex(2 if not some else 1 if self._table_shown else 0)

    def _draw(self) -> None:
        days = self.days
        kinds = [
            Series(category_words(category), TOKENS[category], tuple(float(day.of(category)) for day in days))
            for category in Category
            if any(day.of(category) for day in days)
        ]
        mails = sum(day.mails for day in days)
        summary = self.tr("%n email(s) checked", "", mails).replace(str(mails), number_words(mails))
        self._show(self.kinds, kinds, kinds_words, summary)

        counts = zip(*((float(day.kept), float(day.edited), float(day.rejected)) for day in days), strict=True)
        drafts = [Series(*one) for one in zip(decision_names(), ("positive", "accent", "danger"), counts, strict=True)]
        decided = sum(day.kept + day.edited + day.rejected for day in days)
        summary = self.tr("%n draft(s) decided", "", decided) if decided else self.tr("No drafts decided.")
        self._show(self.drafts, drafts, decided_words, summary)

        times = Series(self.tr("Daily median"), "accent", tuple(day.time_ms for day in days))
        median = median_ms(days)
        summary = self.tr("Median time: %1").replace("%1", seconds_words(median)) if median else ""
        self._show(self.times, [times], lambda day: seconds_words(day.time_ms), summary)

        tokens = Series(self.tr("Tokens"), "slot", tuple(float(day.tokens) for day in days))
        summary = self.tr("No language model was used.")
        if calls := sum(day.calls for day in days):
            used = self.tr("tokens: %1").replace("%1", number_words(sum(day.tokens for day in days)))
            summary = " · ".join((self.tr("%n call(s)", "", calls), used, money_words(sum(day.cost_usd for day in days))))
        self._show(self.use, [tokens], use_words, summary)

    def _show(self, card: ChartCard, series: list[Series], words: Callable[[DailyWork], str], summary: str) -> None:
        spoken = [f"{day_spoken(day.day)}: {words(day)}" for day in self.days]
        card.show_bars(series, [day_short(day.day) for day in self.days], spoken, summary)

    def _fill_table(self) -> None:
        """Newest day first, without days on which nothing was done."""
        rows = [table_row(day) for day in reversed(self.days) if day.mails or day.calls or day.kept + day.edited + day.rejected]
        fill_rows(self.table, rows)
