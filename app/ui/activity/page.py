"""The activity page: every run, newest first, and the timeline of the chosen one. Reads only while on screen."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt

from app.domain.errors import ExpectedError
from app.domain.events import Event, MailChanged, ReviewDecided, RunChanged
from app.domain.ids import ThreadId
from app.domain.mail import ThreadRow
from app.domain.runs import Run
from app.ui.activity.charts import Charts
from app.ui.activity.detail import RunDetail
from app.ui.activity.looks import run_look
from app.ui.activity.numbering import RunNumbers
from app.ui.build import button, column, label
from app.ui.context import Context
from app.ui.listing import listing
from app.ui.lists.model import IdModel
from app.ui.lists.place import ListPlace
from app.ui.lists.view import RowList
from app.ui.page import Page
from app.ui.panes import ListAndDetail, first_control
from app.ui.scale import Type
from app.ui.scroll_place import ScrollPlace
from app.ui.stack import Stack
from app.ui.state import StateView
from app.ui.text import number_words
from app.ui.trouble import sentence
from app.ui.whereabouts import Spot, long_numbers, number

SHOWN = 500


class ActivityPage(Page):
    """The newest 500 runs."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "activity", "")
        self.title = self.tr("Activity")
        self.setAccessibleName(self.title)
        self._numbers = RunNumbers()
        self._threads: dict[ThreadId, ThreadRow] = {}
        self._chosen = 0
        self.model: IdModel[Run] = IdModel(self._read, lambda run: run_look(run, self._threads, context.clock()), self)
        self.list = RowList(context.appearance, context.icons, self.tr("Runs"))
        self.model.unreadable.connect(self._show_trouble, Qt.ConnectionType.QueuedConnection)
        self.list.setModel(self.model)
        self._keep_place(ListPlace(self.list, self.model, self._numbers.name, self._numbers.number), self.list.moved)
        self.list.chosen.connect(self.show_number)
        self.list.opened.connect(self._open)
        self.list.clicked.connect(lambda _index: self.panes.show_detail())
        self.detail = RunDetail(context)
        self.detail.back.connect(self.go_back)
        self._count = label("", Type.CAPTION, "soft")
        self._state = StateView(context.icons)
        self._lists = Stack()
        self.to_charts = button(self.tr("Charts"), "link", self.show_charts)
        for one in (self.list, self._state):
            self._lists.addWidget(one)
        left = listing(self.title, self._lists, [self.to_charts], self._count)
        self.panes: ListAndDetail = ListAndDetail(left, self.detail, context.state, "activity")
        self.charts: Charts | None = None
        self._whole = Stack()
        self._whole.addWidget(self.panes)
        column(self, 0, 0).addWidget(self._whole)
        self.parts.add("charts", self._charts_place, self._show_charts_again, self._whole.currentChanged)
        steps, tree = ScrollPlace(self.detail.timeline), self.detail.timeline
        signals = (steps.moved, tree.expanded, tree.collapsed)
        self.parts.add("steps", partial(self._steps_place, steps), partial(self._scroll_steps, steps), *signals, fleeting=True)

    def show_charts(self) -> None:
        """Numbers by day instead of single runs."""
        if self.charts is None:
            self.charts = Charts(self.context, self.show_runs)
            self._whole.addWidget(self.charts)
        self._whole.setCurrentWidget(self.charts)
        self.charts.refresh()
        self.take_focus()

    def show_runs(self) -> None:
        """Back to single runs."""
        self._whole.setCurrentWidget(self.panes)
        self.refresh()
        self.take_focus()

    def _charts_place(self) -> Spot:
        return {"shown": 1} if self._charted else {}

    def _show_charts_again(self, _place: Spot) -> bool:
        if self.isVisible():
            self.show_charts()
        return self.isVisible()

    def _steps_place(self, steps: ScrollPlace) -> Spot:
        """Which steps of the chosen run are unfolded, and how far they are scrolled."""
        if not self._chosen:
            return {}
        return {"run": self._numbers.name(self._chosen), "y": steps.at, "open": " ".join(map(str, self.detail.timeline.unfolded))}

    def _scroll_steps(self, steps: ScrollPlace, place: Spot) -> bool:
        here = bool(self._chosen) and self._numbers.name(self._chosen) == place.get("run")
        if here:
            self.detail.timeline.unfold(long_numbers(place, "open"))
            steps.go(number(place, "y"))
        return here

    @property
    def _charted(self) -> bool:
        return self._whole.currentWidget() is self.charts

    def refresh(self) -> None:
        """Read the runs again; the chosen one stays chosen."""
        if self.charts is not None and self._charted:
            self.charts.follow()
            return
        try:
            runs = self.context.reader.runs(SHOWN)
        except ExpectedError as error:
            self._show_trouble(error)
            return
        self._threads = {}
        self.model.set_ids(self._numbers.take(runs))
        self._count.setText(number_words(len(runs)) if runs else "")
        self._show_list(bool(runs))
        if self.model.row_of(self._chosen) >= 0:
            self.show_number(self._chosen)
        else:
            self._chosen = 0
            self.detail.show_nothing()

    def concerned_by(self, event: Event) -> bool:
        """Runs, the mail they are about, and decisions."""
        return isinstance(event, RunChanged | MailChanged | ReviewDecided)

    def take_focus(self) -> None:
        """The list, at its first row; of the charts the period."""
        if self.charts is not None and self._charted:
            self.charts.period.setFocus()
            return
        self.list.setFocus()
        if self.list.current_row() < 0 and self.model.rowCount():
            self.list.select_row(0)

    def go_back(self) -> bool:
        """From the charts to the runs, from the timeline to the list."""
        if self._charted:
            self.show_runs()
            return True
        return self.panes.go_back(self.list)

    def show_number(self, number: int) -> None:
        """Show the run that has this number in the list."""
        run = self._numbers.run(number)
        if run is None:
            return
        self._chosen = number
        self.detail.back_button.setVisible(self.panes.narrow)
        try:
            steps = self.context.reader.steps(run.id)
            self._read_threads([run])
        except ExpectedError as error:
            self._show_trouble(error)
            return
        self.detail.show_run(run, self._threads.get(run.thread_id), steps)

    def _open(self, number: int) -> None:
        self.show_number(number)
        self.panes.show_detail()
        timeline = self.detail.timeline  # hidden for a run without steps
        (timeline if timeline.isVisibleTo(self.detail) else first_control(self.detail)).setFocus()

    def _read(self, numbers: Sequence[int]) -> Mapping[int, Run]:
        """Runs with the mail they are about: of those on screen, for all of them take longer than a frame."""
        runs = self._numbers.rows(numbers)
        self._read_threads(runs.values())
        return runs

    def _read_threads(self, runs: Iterable[Run]) -> None:
        wanted = {run.thread_id for run in runs} - self._threads.keys()
        if wanted:
            self._threads.update(self.context.reader.thread_rows(sorted(wanted)))

    def _show_list(self, some: bool) -> None:
        if not some:
            words = self.tr("Each mail that the assistant looks at appears here with every step.")
            self._state.show_state("activity", self.tr("Nothing was done yet"), words)
        self._lists.setCurrentIndex(0 if some else 1)
        self.panes.show_alone(not some)

    def _show_trouble(self, error: ExpectedError) -> None:
        words = sentence(error.code, error.detail, error.remedy)
        self._state.show_state("error", self.tr("The runs could not be read"), words, self.tr("Try again"), self.touch)
        self._lists.setCurrentIndex(1)
        self.panes.show_alone(True)
        self.detail.show_nothing()
