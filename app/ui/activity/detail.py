"""The right side of Activity: which run, how it went, and its timeline."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.domain.ids import MessageId
from app.domain.mail import ThreadRow
from app.domain.runs import Run, RunStatus, StepLog
from app.ui.activity.looks import TONES, route_words, status_words
from app.ui.activity.timeline import Timeline
from app.ui.build import button, chip, column, frame, label, row, rule, set_tone, tool_button
from app.ui.context import Context
from app.ui.scale import Space, Type
from app.ui.stack import Stack
from app.ui.state import StateView
from app.ui.text import number_words, seconds_words, when_long
from app.ui.title import Title


class RunDetail(QWidget):
    """`back` is pressed in a narrow window."""

    back = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Run"))
        self._context = context
        self.message_id = MessageId(0)
        self.back_button = tool_button(context.icons.icon("back"), self.tr("Back to the runs"), self.back.emit)
        self.subject = Title()
        self.status = chip()
        self.facts = label("", Type.CAPTION, "soft", wrap=True)
        self.error = label("", Type.BODY, "danger", wrap=True)
        self.open_mail = button(self.tr("Open the mail"), "", self._open_mail)
        self.timeline = Timeline(context.appearance)
        self._notice = frame("notice", "danger")
        self._empty_steps = StateView(context.icons)
        self._body = Stack()
        self._whole = Stack()
        self._state = StateView(context.icons)
        self._lay_out()
        self.show_nothing()

    def _lay_out(self) -> None:
        filled = QWidget()
        lines = column(filled, 0, 0)
        head = column(None, 0, 0)
        head.setContentsMargins(Space.LARGE, 0, Space.LARGE, Space.LARGE)
        self.subject.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # as high as the list's heading, whatever is beside it
        first = row(None, 0, Space.SMALL)
        first.addWidget(self.back_button)
        first.addWidget(self.subject, 1)
        first.addWidget(self.open_mail)
        head.addLayout(first)
        below = column(None, 0, Space.SMALL)
        second = row(None, 0, Space.SMALL)
        second.addWidget(self.status, 0, Qt.AlignmentFlag.AlignTop)
        second.addWidget(self.facts, 1)
        below.addLayout(second)
        column(self._notice, Space.MEDIUM, 0).addWidget(self.error)
        below.addWidget(self._notice)
        head.addLayout(below)
        lines.addLayout(head)
        lines.addWidget(rule())
        holder = QWidget()
        around = column(holder, 0, 0)
        around.setContentsMargins(Space.SMALL, Space.SMALL, Space.SMALL, 0)
        around.addWidget(self.timeline)
        self._body.addWidget(holder)
        self._body.addWidget(self._empty_steps)
        lines.addWidget(self._body, 1)
        self._whole.addWidget(filled)
        self._whole.addWidget(self._state)
        column(self, 0, 0).addWidget(self._whole)

    def show_nothing(self) -> None:
        """No run is chosen."""
        self.message_id = MessageId(0)
        self.timeline.show_nothing()
        words = self.tr("Choose one to see what was done, how long it took and why.")
        self._state.show_state("activity", self.tr("No run chosen"), words)
        self._whole.setCurrentIndex(1)

    def show_run(self, run: Run, thread: ThreadRow | None, steps: Sequence[StepLog]) -> None:
        """Show a run as it stands now."""
        self.message_id = run.message_id
        self.subject.show_words((thread.subject if thread else "") or self.tr("(no subject)"))
        self.status.setText(status_words(run.status))
        set_tone(self.status, TONES[run.status])
        self.facts.setText(" · ".join(self._facts(run, steps)))
        self.error.setText(run.error)
        self._notice.setVisible(bool(run.error))
        self.open_mail.setEnabled(thread is not None)
        self.timeline.show_steps(steps)
        if not steps:
            self._show_no_steps(run)
        self._body.setCurrentIndex(0 if steps else 1)
        self._whole.setCurrentIndex(0)

    def _facts(self, run: Run, steps: Sequence[StepLog]) -> list[str]:
        facts = [when_long(run.created_at), route_words(run)]
        if run.answer:
            facts.append(self.tr("you asked for this draft"))
        if steps:
            count = self.tr("%n step(s)", "", len(steps)).replace(str(len(steps)), number_words(len(steps)))
            facts += [count, seconds_words(sum(step.latency_ms for step in steps))]
        return facts

    def _show_no_steps(self, run: Run) -> None:
        if run.status in (RunStatus.QUEUED, RunStatus.RUNNING):
            words = self.tr("Steps appear here as they are done.")
            self._empty_steps.show_state("quota", self.tr("Nothing done yet"), words)
        else:
            self._empty_steps.show_state("empty", self.tr("No steps were noted"), "")

    def _open_mail(self) -> None:
        self._context.navigator.show_message(self.message_id)
