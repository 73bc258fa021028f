"""Card of one plan step: its instruction, status, progress, answer, sources and documents. Also the editor of a plan."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.agents.requests import LONGEST_INSTRUCTION, PlannedStep, RequestStep, StepStatus
from app.domain.drafting.draft import Source, SourceKind
from app.domain.mail.files import ArtifactHandle
from app.domain.record import Record, replace
from app.ui.context import Context
from app.ui.i18n.error_messages import translated
from app.ui.i18n.formatting import number_words, seconds_words, size_words
from app.ui.pages.assistant.answer import AnswerText, ChipRow
from app.ui.pages.assistant.assistant_texts import STEPS, capability_look, step_chip
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import (
    RoleFrame,
    button,
    chip,
    clear,
    column,
    label,
    named,
    plain_tip,
    put,
    row,
    say,
    tab_through,
    tool_button,
)
from app.ui.widgets.form_controls import GrowingField
from app.ui.widgets.labels import ElidedLabel, IconLabel
from app.ui.widgets.notice_line import NoticeLine

WIDEST_CHIP, WIDEST_LARGE = 260, 360
"""Pixels of a chip's words at 100 %, and at any text size: a pane is no wider with large text."""


class StepDisplay(Record):
    """Facts about a step that are not in its row.

    `doing` is the progress text, `leaves` means that its mail was approved, `retried` that it may be run again, `model` that a
    language model planned it.
    """

    doing: str = ""
    leaves: bool = False
    retried: bool = False
    model: bool = True


class StepCard(RoleFrame):
    """Shows a step.

    `retry` carries the step's index, `waits` the step, `file_wanted` the `ArtifactHandle` of a clicked document.
    """

    retry = Signal(int)
    waits = Signal(object)
    file_wanted = Signal(object)
    link_wanted = Signal(QUrl)

    def __init__(self, context: Context) -> None:
        super().__init__("card")
        self._context = context
        self._shown: tuple[RequestStep, StepDisplay] | None = None
        self._icon = IconLabel(context.icons, size=18)
        self._kind_icon = IconLabel(context.icons, size=14)
        self._kind = ElidedLabel("", Type.CAPTION, "soft")
        self._status = chip()
        self._words = label("", Type.STRONG, wrap=True)
        self._words.setMinimumWidth(1)
        self.doing = label("", Type.CAPTION, "soft", wrap=True)
        self.waiting = NoticeLine(context.icons, "warning", below=True)
        self.failed = NoticeLine(context.icons, "danger", below=True)
        self.answer = AnswerText(context.appearance, self.tr("Answer"))
        self.answer.anchorClicked.connect(self.link_wanted)
        self.chips = ChipRow()
        self.copy = button(self.tr("Copy the answer"), "link", self.copy_answer)
        self.again = button(self.tr("Try again"), "link", lambda: self.retry.emit(self.step.index))
        self._footer = FlowRow((self.copy, self.again))
        head = put(row(None, 0, Space.TIGHT), self._kind_icon, (self._kind, 1), Space.TIGHT, self._status)
        inside = put(column(), head, self._words, self.doing, self.answer, self.chips, self.waiting, self.failed, self._footer)
        put(row(self, Space.MEDIUM, Space.MEDIUM), (self._icon, Qt.AlignmentFlag.AlignTop), (inside, 1))

    @property
    def step(self) -> RequestStep:
        assert self._shown is not None
        return self._shown[0]

    def show_step(self, step: RequestStep, standing: StepDisplay) -> None:
        """Shows a step. An unchanged one is not written again, so that selected text stays."""
        if (step, standing) == self._shown:
            return
        before, self._shown = self._shown, (step, standing)
        self._icon.show_icon(*STEPS[step.status][2:])
        capability, icon = capability_look(step.capability, standing.model)
        self._kind_icon.show_icon(icon)
        kind = f"{number_words(step.index + 1)} · {capability}"
        attempt = self.tr("attempt %1").replace("%1", number_words(step.attempt)) if step.attempt > 1 else ""
        self._kind.show_words(" · ".join(filter(None, (kind, attempt))))
        status = step_chip(step.status)
        say(self._status, *status)
        took = step.ended_at - step.started_at if step.started_at is not None and step.ended_at is not None else None
        self._status.setToolTip(plain_tip(seconds_words(took.total_seconds() * 1000)) if took is not None else "")
        self._words.setText(step.instruction)
        self.setAccessibleName(f"{kind}: {step.instruction}, {status.text}")
        doing = {
            StepStatus.RUNNING: standing.doing or self.tr("Working…"),
            StepStatus.DECLINED: self.tr("You rejected its email. Nothing was sent."),
        }.get(step.status, "")
        self.doing.setText(doing)
        self.doing.setVisible(bool(doing))
        self._say_waiting(step, standing)
        failed = (translated(step.error) or self.tr("It couldn't be done.")) if step.status is StepStatus.FAILED else ""
        again = self.tr("Try again") if standing.retried else ""
        self.failed.say(failed, "error", again, lambda: self.retry.emit(step.index))
        self.answer.show_answer(step.answer, step.sources)
        self.answer.setVisible(bool(step.answer))
        if before is None or (before[0].sources, before[0].documents) != (step.sources, step.documents):
            self.chips.show_chips([*map(self._source, step.sources), *map(self._document, step.documents)])
        self.copy.setVisible(bool(step.answer))
        self.again.setVisible(standing.retried and step.status is not StepStatus.FAILED)
        self._footer.setVisible(not (self.copy.isHidden() and self.again.isHidden()))

    def copy_answer(self) -> None:
        QGuiApplication.clipboard().setText(self.step.answer)
        self._context.notices.tell(self.tr("Copied."))

    def _say_waiting(self, step: RequestStep, standing: StepDisplay) -> None:
        act = partial(self.waits.emit, step)
        if step.status is not StepStatus.WAITING:
            self.waiting.say("")
        elif standing.leaves:
            self.waiting.say(self.tr("You approved it. It's being sent."), "sending", self.tr("Open the Outbox"), act)
        else:
            words = self.tr("Its email is in Review. Nothing is sent until you approve it.")
            self.waiting.say(words, "review", self.tr("Open in Review"), act)

    def _source(self, source: Source) -> QPushButton:
        """Chip of a source. It opens a cited message; other sources are disabled."""
        made = self._chip(
            source.title or self.tr("(no subject)"),
            "mail" if source.message_id else "web" if source.kind is SourceKind.PAGE else "info",
        )
        made.setToolTip(plain_tip(f"{source.title}\n{source.excerpt}"))
        made.setAccessibleName(self.tr("Email: %1").replace("%1", source.title) if source.message_id else source.title)
        if source.message_id:
            made.clicked.connect(lambda _checked=False: self._context.navigator.show_message(source.message_id))
        else:
            made.setEnabled(False)
        return made

    def _document(self, handle: ArtifactHandle) -> QPushButton:
        made = self._chip(f"{handle.name} · {size_words(handle.size)}", "document")
        made.setAccessibleName(self.tr("Document: %1").replace("%1", handle.name))
        made.clicked.connect(lambda _checked=False: self.file_wanted.emit(handle))
        return made

    def _chip(self, words: str, icon: str) -> QPushButton:
        widest = min(at_text_size(WIDEST_CHIP), WIDEST_LARGE)
        shown = self.fontMetrics().elidedText(" ".join(words.split()), Qt.TextElideMode.ElideMiddle, widest)
        made = button(shown, "chip")
        made.setIcon(self._context.icons.icon(icon))
        return made


UP, DOWN, OUT = "up", "down", "out"


class StepLine(RoleFrame):
    """One step. `changed`: its text was edited; `wanted(up | down | out)`: a button was pressed."""

    changed = Signal()
    wanted = Signal(str)

    def __init__(self, context: Context, at: int, count: int, step: PlannedStep) -> None:
        super().__init__("card")
        self.planned = step
        number = number_words(at + 1)
        self.field = named(GrowingField(fewest=1, most=8), self.tr("Step %1: what to do").replace("%1", number))
        self.field.setPlainText(step.instruction)
        self.too_long = label("", Type.CAPTION, "danger")
        self.too_long.hide()
        icons = context.icons
        names = {UP: self.tr("Move step %1 up"), DOWN: self.tr("Move step %1 down"), OUT: self.tr("Remove step %1")}
        signs = {UP: "up", DOWN: "down", OUT: "close"}
        self.tools = {
            what: tool_button(icons.icon(signs[what]), name.replace("%1", number), partial(self.wanted.emit, what))
            for what, name in names.items()
        }
        self.tools[UP].setEnabled(at > 0)
        self.tools[DOWN].setEnabled(at < count - 1)
        self.tools[OUT].setEnabled(count > 1)
        capability, icon = capability_look(step.capability)
        head = put(
            row(None, 0, Space.TIGHT),
            IconLabel(icons, icon, size=14),
            (ElidedLabel(f"{number} · {capability}", Type.CAPTION, "soft"), 1),
            *self.tools.values(),
        )
        put(column(self, Space.MEDIUM, Space.TIGHT), head, self.field, self.too_long)
        self.field.textChanged.connect(self._typed)

    @property
    def fits(self) -> bool:
        return 0 < len(self.planned.instruction) <= LONGEST_INSTRUCTION

    def _typed(self) -> None:
        self.planned = replace(self.planned, instruction=self.field.toPlainText().strip())
        size = len(self.planned.instruction)
        self.too_long.setText(f"{number_words(size)} / {number_words(LONGEST_INSTRUCTION)}")
        self.too_long.setVisible(size > LONGEST_INSTRUCTION)
        self.changed.emit()


class PlanEditor(QWidget):
    """`edited`: the plan changed; `taken_out(step, index)`: a step was removed and can be put back."""

    edited = Signal()
    taken_out = Signal(object, int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Plan"))
        self._context = context
        self.lines: list[StepLine] = []
        self._rows = column(self, 0, Space.SMALL)

    @property
    def steps(self) -> tuple[PlannedStep, ...]:
        return tuple(line.planned for line in self.lines)

    @property
    def fits(self) -> bool:
        return bool(self.lines) and all(line.fits for line in self.lines)

    def show_plan(self, steps: Sequence[PlannedStep]) -> None:
        """Shows a plan. An unchanged one is not built again, so that the focus stays."""
        if tuple(steps) != self.steps:
            self._fill(steps)

    def put_in(self, step: PlannedStep, at: int) -> None:
        steps = list(self.steps)
        steps.insert(min(at, len(steps)), step)
        self._fill(steps)
        self.edited.emit()

    def _fill(self, steps: Sequence[PlannedStep]) -> None:
        clear(self._rows)
        self.lines = [StepLine(self._context, at, len(steps), step) for at, step in enumerate(steps)]
        for line in self.lines:
            self._rows.addWidget(line)
            line.changed.connect(self.edited)
            line.wanted.connect(partial(self._move, line))
        tab_through(self, [widget for line in self.lines for widget in (*line.tools.values(), line.field)])

    def _move(self, line: StepLine, where: str) -> None:
        steps, at = list(self.steps), self.lines.index(line)
        step = steps.pop(at)
        if where == OUT:
            self._fill(steps)
            self.lines[min(at, len(steps) - 1)].field.setFocus()
            self.taken_out.emit(step, at)
        else:
            there = at + (1 if where == DOWN else -1)
            steps.insert(there, step)
            self._fill(steps)
            tools = self.lines[there].tools
            (tools[where] if tools[where].isEnabled() else tools[UP if where == DOWN else DOWN]).setFocus()
        self.edited.emit()
