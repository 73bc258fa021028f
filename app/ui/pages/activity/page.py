"""The Activity page: every run, newest first, and the timeline of the selected run."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.domain.agents.runs import Run, RunStatus, TraceStep
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, RunId, ThreadId
from app.domain.mail.message import ThreadRow
from app.domain.protocol.events import MailChanged, ReviewDecided, RunChanged
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import number_words, seconds_words, when_long
from app.ui.lists.model import RowNumbers
from app.ui.lists.row_painter import RowPresentation
from app.ui.pages.activity.activity_texts import route_words, run_look, status_chip, trace_json, trace_text
from app.ui.pages.activity.charts import Charts
from app.ui.pages.activity.timeline import Timeline, TraceText
from app.ui.pages.base import RowsPage
from app.ui.services.files import ask_where, write_text
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, button, chip, column, label, put, row, rule, say, tool_button
from app.ui.widgets.labels import Title
from app.ui.widgets.split_view import EmptyState, Stack, first_control, listing


class RunDetail(QWidget):
    """Right pane: subject, status, error and trace of one run, in words or with all data. `back` is for a narrow window."""

    back = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Run"))
        self._context = context
        self.message_id = MessageId(0)
        self._run: tuple[Run, Sequence[TraceStep]] | None = None
        self.back_button = tool_button(context.icons.icon("back"), self.tr("Back to the runs"), self.back.emit)
        self.subject = Title()
        self.status = chip()
        self.facts = label("", Type.CAPTION, "soft", wrap=True)
        self.error = label("", Type.BODY, "danger", wrap=True)
        self.open_mail = button(self.tr("Open message"), "", lambda: self._context.navigator.show_message(self.message_id))
        self.trace, self.timeline = TraceText(context.appearance), Timeline(context.appearance)
        self._technical = False
        self.more = button(self.tr("Technical details"), "link", self._toggle_technical)
        self.copy = button(self.tr("Copy"), "link", self._copy)
        self.save = button(self.tr("Save…"), "link", self._save)
        self._notice = RoleFrame("notice", "danger")
        self._empty_steps, self._state = EmptyState(context.icons), EmptyState(context.icons)
        filled, words, data = QWidget(), QWidget(), QWidget()
        column(words, (Space.LARGE, Space.SMALL, Space.LARGE, 0), 0, self.trace)
        column(data, (Space.SMALL, Space.SMALL, Space.SMALL, 0), 0, self.timeline)
        self._body = Stack(words, data, self._empty_steps)
        self.subject.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # as high as the list's heading
        first = put(row(), self.back_button, (self.subject, 1), self.open_mail)
        second = put(row(), (self.status, Qt.AlignmentFlag.AlignTop), (self.facts, 1))
        column(self._notice, Space.MEDIUM, 0, self.error)
        below = column(None, 0, Space.SMALL, second, FlowRow([self.more, self.copy, self.save]), self._notice)
        head = column(None, (Space.LARGE, 0, Space.LARGE, Space.LARGE), 0, first, below)
        column(filled, 0, 0, head, rule(), (self._body, 1))
        self._stack = Stack(filled, self._state)
        column(self, 0, 0, self._stack)
        self.show_nothing()

    def show_nothing(self) -> None:
        self.message_id = MessageId(0)
        self.timeline.show_steps(())
        words = self.tr("Choose one to see what was done and why.")
        self._state.show_state("activity", self.tr("No run chosen"), words)
        self._stack.setCurrentIndex(1)

    def show_run(self, run: Run, thread: ThreadRow | None, steps: Sequence[TraceStep]) -> None:
        """Shows a run with its steps. `thread` is None if its mail was deleted."""
        self.message_id = run.message_id
        self.subject.show_words((thread.subject if thread else "") or self.tr("(no subject)"))
        say(self.status, *status_chip(run.status))
        self.facts.setText(" · ".join(self._facts(run, steps)))
        self.error.setText(run.error)
        self._notice.setVisible(bool(run.error))
        self.open_mail.setEnabled(thread is not None)
        self._run = (run, steps)
        for one in (self.more, self.copy, self.save):
            one.setVisible(bool(steps))
        self._show_steps(run, steps)
        self._stack.setCurrentIndex(0)

    def _show_steps(self, run: Run, steps: Sequence[TraceStep]) -> None:
        """Fills only the view that is shown, or says why there are no steps."""
        if steps:
            (self.timeline if self._technical else self.trace).show_steps(steps)
            self._body.setCurrentIndex(1 if self._technical else 0)
            return
        if run.status in (RunStatus.QUEUED, RunStatus.RUNNING):
            words = self.tr("Steps appear here as they are done.")
            self._empty_steps.show_state("quota", self.tr("Nothing here yet"), words)
        else:
            self._empty_steps.show_state("empty", self.tr("No steps recorded"), "")
        self._body.setCurrentIndex(2)

    def _facts(self, run: Run, steps: Sequence[TraceStep]) -> list[str]:
        facts = [when_long(run.created_at), route_words(run)]
        if run.answer:
            facts.append(self.tr("you asked for this draft"))
        if steps and self._technical:
            count = self.tr("%n step(s)", "", len(steps)).replace(str(len(steps)), number_words(len(steps)))
            facts += [count, seconds_words(sum(step.log.latency_ms for step in steps))]
        return facts

    def _toggle_technical(self) -> None:
        """Changes between words and all data."""
        self._technical = not self._technical
        self.more.setText(self.tr("In words") if self._technical else self.tr("Technical details"))
        if self._run is not None:
            self.facts.setText(" · ".join(self._facts(*self._run)))
            self._show_steps(*self._run)

    def written(self) -> str:
        """The trace as text: in words, with all data below where the technical details are shown."""
        if self._run is None:
            return ""
        run, steps = self._run
        words = trace_text(f"{self.subject.text()}\n{' · '.join(self._facts(run, steps))}", steps)
        return f"{words}\n{trace_json(steps)}\n" if self._technical else words

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.written())
        self._context.notices.tell(self.tr("Copied."))

    def _save(self) -> None:
        text = self.written()
        ask_where(self._context, self, f"{self.subject.text()}.txt", lambda path: write_text(self._context.notices, path, text))


SHOWN = 500


class ActivityPage(RowsPage[Run]):
    """List of the newest 500 runs, or the charts. Both read only while visible."""

    def __init__(self, context: Context) -> None:
        self._numbers = RowNumbers()
        super().__init__(context, "activity", self.tr("Activity"), self.tr("Runs"), self._numbers)
        self._runs: dict[str, Run] = {}
        self._threads: dict[ThreadId, ThreadRow] = {}
        self._chosen = 0
        self._asked: Run | None = None
        self.model.unreadable.connect(self._show_error, Qt.ConnectionType.QueuedConnection)
        self.detail = RunDetail(context)
        self.detail.back.connect(self.go_back)
        self._count = label("", Type.CAPTION, "soft")
        self._lists = Stack(self.list, self.state)
        self.to_changes = button(self.tr("Mailbox changes"), "link", partial(context.navigator.show_page, "changes"))
        self.to_charts = button(self.tr("Charts"), "link", self.show_charts)
        self.charts: Charts | None = None
        listed = listing(self.title, self._lists, [FlowRow([self.to_changes, self.to_charts], Space.SMALL, 0)], self._count)
        self._stack = Stack(self._split(listed, self.detail))
        column(self, 0, 0).addWidget(self._stack)

    def show_charts(self) -> None:
        """Replaces the runs by the charts, which are built at the first call."""
        if self.charts is None:
            self.charts = Charts(self.context, self.show_runs)
            self._stack.addWidget(self.charts)
        self._stack.setCurrentWidget(self.charts)
        self.charts.refresh()
        self.take_focus()

    def show_runs(self) -> None:
        self._stack.setCurrentWidget(self.panes)
        self.refresh()
        self.take_focus()

    @property
    def _charts_shown(self) -> bool:
        return self._stack.currentWidget() is self.charts

    def refresh(self) -> None:
        if self.charts is not None and self._charts_shown:
            self.charts.follow()
            return
        try:
            runs = self.context.reader.runs(SHOWN)
            if self._asked is not None and all(run.id != self._asked.id for run in runs):
                runs = (*runs, self._asked)
        except ExpectedError as error:
            self._show_error(error)
            return
        self._threads = {}
        self._runs = {run.id: run for run in runs}
        self.model.set_ids(self._numbers.take(self._runs))
        self._count.setText(number_words(len(runs)) if runs else "")
        if not runs:
            words = self.tr("Each email the assistant checks appears here with every step.")
            self.state.show_state("activity", self.tr("Nothing here yet"), words)
        self._show_list(bool(runs))
        if self.model.row_of(self._chosen) >= 0:
            self._choose(self._chosen)
        else:
            self._chosen = 0
            self.detail.show_nothing()

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, RunChanged | MailChanged | ReviewDecided)

    def take_focus(self) -> None:
        """Focuses the list at its first row, or the period of the charts."""
        if self.charts is not None and self._charts_shown:
            self.charts.period.setFocus()
            return
        self.list.setFocus()
        if self.list.current_row() < 0 and self.model.rowCount():
            self.list.select_row(0)

    def go_back(self) -> bool:
        """From the charts to the runs, or from the timeline to the list."""
        if self._charts_shown:
            self.show_runs()
            return True
        return self.panes.go_back(self.list)

    def _choose(self, number: int) -> None:
        run = self._runs.get(self._numbers.name(number))
        if run is None:
            return
        self._chosen = number
        self.detail.back_button.setVisible(self.panes.narrow)
        try:
            steps = self.context.reader.trace(run.id)
            self._read_threads([run])
        except ExpectedError as error:
            self._show_error(error)
            return
        self.detail.show_run(run, self._threads.get(run.thread_id), steps)

    def _open(self, number: int) -> None:
        self._choose(number)
        self.panes.show_detail()
        views = (self.detail.trace, self.detail.timeline)  # both are hidden for a run without steps
        next((one for one in views if one.isVisibleTo(self.detail)), first_control(self.detail)).setFocus()

    def open_run(self, run_id: RunId) -> None:
        """Opens a run from elsewhere, also one that is older than those of the list."""
        if self._charts_shown:
            self.show_runs()
        run = self.context.reader.run(run_id)
        if run is None:
            self.context.notices.tell(self.tr("This run is no longer stored."))
            return
        self._asked = run
        self.touch()
        self.refresh()
        number = next(at for at in map(self.model.id_at, range(self.model.rowCount())) if self._numbers.name(at) == run_id)
        self.list.select_row(self.model.row_of(number))
        self._open(number)

    def _row(self, run: Run) -> RowPresentation:
        return run_look(run, self._threads, self.context.clock())

    def _read(self, numbers: Sequence[int]) -> Mapping[int, Run]:
        """Reads the runs of the visible rows with their conversations. Reading all takes longer than a frame."""
        named = self._numbers.names(numbers)
        runs = {named[name]: self._runs[name] for name in named if name in self._runs}
        self._read_threads(runs.values())
        return runs

    def _read_threads(self, runs: Iterable[Run]) -> None:
        wanted = {run.thread_id for run in runs} - self._threads.keys()
        if wanted:
            self._threads.update(self.context.reader.thread_rows(sorted(wanted)))

    def _show_list(self, some: bool) -> None:
        self._lists.setCurrentIndex(0 if some else 1)
        self.panes.show_alone(not some)

    def _show_error(self, error: ExpectedError) -> None:
        words = sentence(error.code, error.text)
        self.state.show_state("error", self.tr("The runs couldn't be loaded"), words, self.tr("Try again"), self.touch)
        self._show_list(False)
        self.detail.show_nothing()
