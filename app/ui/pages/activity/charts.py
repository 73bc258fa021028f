"""The charts of Activity: messages by category, decisions on drafts, time for each message, use of the model. The same numbers
are available as a table.

The window paints the charts itself: importing a plotting library would take more than a second.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QScrollArea,
    QTableWidget,
    QWidget,
)

from app.domain.agents.runs import DailyWork, every_day
from app.domain.errors import ExpectedError
from app.domain.mail.triage import Category
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
from app.ui.pages.activity.bar_chart import BarChart, Series, Swatch
from app.ui.session.ini_file import remembered
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import RoleFrame, button, column, fill_row, label, put, read_only, row, rule
from app.ui.widgets.form_controls import ChoiceBox
from app.ui.widgets.split_view import Stack

LEGEND_COLUMNS = 3


class ChartCard(RoleFrame):
    def __init__(self, appearance: Appearance, title: str, words_of: Callable[[float], str]) -> None:
        super().__init__("card")
        self._appearance = appearance
        self.summary = label("", Type.CAPTION, "soft", wrap=True)
        self.bars = BarChart(appearance, title, words_of)
        self._legend = QWidget()
        self._grid = QGridLayout(self._legend)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.SMALL)
        self._grid.setVerticalSpacing(Space.TIGHT)
        put(
            column(self, Space.LARGE, Space.TIGHT),
            label(title, Type.STRONG, wrap=True),
            self.summary,
            Space.SMALL,
            (self.bars, 1),
            self._legend,
        )

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
        self.period.activated.connect(lambda _index: self._period_changed())
        self.as_table = button("", "link", self._toggle_table, turns=True)
        self.leave = button(self.tr("Runs"), "link", leave)
        appearance = context.appearance
        self.kinds = ChartCard(appearance, self.tr("Emails by type"), amount)
        self.drafts = ChartCard(appearance, self.tr("What happened to drafts"), amount)
        self.times = ChartCard(appearance, self.tr("Time per email"), seconds_words)
        self.use = ChartCard(appearance, self.tr("Language model usage"), amount)
        self.cards = (self.kinds, self.drafts, self.times, self.use)
        self.table = QTableWidget(0, len(columns()))
        self._state = EmptyState(context.icons)
        self._grid = QGridLayout()
        self._across = 0
        self.stack = Stack()
        self._lay_out()

    def _lay_out(self) -> None:
        above = RoleFrame("surface")
        put(
            row(above, (Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL), Space.MEDIUM),
            label(self.tr("Activity"), Type.TITLE),
            self.period,
            1,
            self.as_table,
            Space.TIGHT,
            self.leave,
        )
        self._grid.setContentsMargins(Space.LARGE, Space.LARGE, Space.LARGE, Space.LARGE)
        self._grid.setSpacing(Space.LARGE)
        inside = QWidget()
        inside.setProperty("role", "plain")
        inside.setLayout(self._grid)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._prepare_table()
        for widget in (area, self.table, self._state):
            self.stack.addWidget(widget)
        put(column(self, 0, 0), above, rule(), (self.stack, 1))
        self._arrange(2)
        self._update_toggle()

    def _prepare_table(self) -> None:
        read_only(self.table)
        self.table.setAccessibleName(self.tr("Chart data"))
        self.table.setHorizontalHeaderLabels(columns())
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)

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
            words = self.tr("Once the assistant has checked mail, this shows how much, how long it took, and what it cost.")
            self._state.show_state("activity", self.tr("No data yet"), words)
        self.stack.setCurrentIndex(2 if not some else 1 if self._table_shown else 0)

    def _draw(self) -> None:
        self._draw_kinds()
        self._draw_drafts()
        days = self.days
        times = Series(self.tr("Median of the day"), "accent", tuple(day.time_ms for day in days))
        median = median_ms(days)
        summary = self.tr("Median time: %1").replace("%1", seconds_words(median)) if median else ""
        self._show(self.times, [times], [seconds_words(day.time_ms) for day in days], summary)
        tokens = Series(self.tr("Tokens"), "slot", tuple(float(day.tokens) for day in days))
        calls = sum(day.calls for day in days)
        spent = money_words(sum(day.cost_usd for day in days))
        drawn = self.tr("tokens: %1").replace("%1", number_words(sum(day.tokens for day in days)))
        summary = (
            " · ".join((self.tr("%n call(s)", "", calls), drawn, spent)) if calls else self.tr("No language model was used.")
        )
        self._show(self.use, [tokens], [use_words(day) for day in days], summary)

    def _draw_kinds(self) -> None:
        days = self.days
        kinds = [
            Series(category_words(category), TOKENS[category], tuple(float(day.of(category)) for day in days))
            for category in Category
            if any(day.of(category) for day in days)
        ]
        mails = sum(day.mails for day in days)
        summary = self.tr("%n email(s) checked", "", mails).replace(str(mails), number_words(mails))
        self._show(self.kinds, kinds, [kinds_words(day) for day in days], summary)

    def _draw_drafts(self) -> None:
        days, names = self.days, decision_names()
        values = ([day.kept for day in days], [day.edited for day in days], [day.rejected for day in days])
        series = [
            Series(name, token, tuple(float(count) for count in counts))
            for name, token, counts in zip(names, ("positive", "accent", "danger"), values, strict=True)
        ]
        decided = sum(map(sum, values))
        summary = self.tr("%n draft(s) decided", "", decided) if decided else self.tr("No drafts decided.")
        self._show(self.drafts, series, [decided_words(day) for day in days], summary)

    def _show(self, card: ChartCard, series: list[Series], words: list[str], summary: str) -> None:
        spoken = [f"{day_spoken(day.day)}: {said}" for day, said in zip(self.days, words, strict=True)]
        card.show_bars(series, [day_short(day.day) for day in self.days], spoken, summary)

    def _fill_table(self) -> None:
        """Newest day first, without days on which nothing was done."""
        rows = [table_row(day) for day in reversed(self.days) if day.mails or day.calls or day.kept + day.edited + day.rejected]
        self.table.setRowCount(len(rows))
        for number, words in enumerate(rows):
            fill_row(self.table, number, words)
