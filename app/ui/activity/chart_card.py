"""A chart on a card: what it shows, what it comes to in words, the bars, and which colour is what."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from app.ui.activity.bar_chart import BarChart, Series
from app.ui.activity.filling import Swatch
from app.ui.appearance import Appearance
from app.ui.build import column, label
from app.ui.scale import Space, Type

LEGEND_COLUMNS = 3


class ChartCard(QFrame):
    """One chart; `words_of` names values on its axis."""

    def __init__(self, appearance: Appearance, title: str, words_of: Callable[[float], str]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._appearance = appearance
        self.summary = label("", Type.CAPTION, "soft", wrap=True)
        self.bars = BarChart(appearance, title, words_of)
        self._legend = QWidget()
        self._grid = QGridLayout(self._legend)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.SMALL)
        self._grid.setVerticalSpacing(Space.TIGHT)
        lines = column(self, Space.LARGE, Space.TIGHT)
        lines.addWidget(label(title, Type.STRONG, wrap=True))
        lines.addWidget(self.summary)
        lines.addSpacing(Space.SMALL)
        lines.addWidget(self.bars, 1)
        lines.addWidget(self._legend)

    def show_bars(self, series: Sequence[Series], labels: Sequence[str], spoken: Sequence[str], summary: str) -> None:
        """Draw these; a single series needs no legend."""
        self.summary.setText(summary)
        self.bars.show_bars(series, labels, spoken, summary)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, one in enumerate(series if len(series) > 1 else ()):
            place, across = divmod(number, LEGEND_COLUMNS)
            self._grid.addWidget(Swatch(self._appearance, one.token), place, 2 * across, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(label(one.name, Type.CAPTION, "soft"), place, 2 * across + 1)
            self._grid.setColumnStretch(2 * across + 1, 1)
        self._legend.setVisible(len(series) > 1)
