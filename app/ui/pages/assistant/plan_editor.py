"""Editor of a proposed plan: steps can be reworded, moved or removed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.agents.requests import LONGEST_INSTRUCTION, PlannedStep
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.pages.assistant.assistant_texts import capability_look
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import clear, column, label, put, row, tab_through, tool_button
from app.ui.widgets.form_controls import GrowingField
from app.ui.widgets.labels import ElidedLabel, IconLabel

UP, DOWN, OUT = "up", "down", "out"


class StepLine(QFrame):
    """One step. `changed`: its text was edited; `wanted(up | down | out)`: a button was pressed."""

    changed = Signal()
    wanted = Signal(str)

    def __init__(self, context: Context, at: int, count: int, step: PlannedStep) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.planned = step
        number = number_words(at + 1)
        self.field = GrowingField(fewest=1, most=8)
        self.field.setPlainText(step.instruction)
        self.field.setAccessibleName(self.tr("Step %1: what to do").replace("%1", number))
        self.too_long = label("", Type.CAPTION, "danger")
        self.too_long.hide()
        icons = context.icons
        up, down = (self.tr("Move step %1 up"), self.tr("Move step %1 down"))
        out = self.tr("Take step %1 out")
        self.tools = {
            UP: tool_button(icons.icon("up"), up.replace("%1", number), partial(self.wanted.emit, UP)),
            DOWN: tool_button(icons.icon("down"), down.replace("%1", number), partial(self.wanted.emit, DOWN)),
            OUT: tool_button(icons.icon("close"), out.replace("%1", number), partial(self.wanted.emit, OUT)),
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
        self._lines: list[StepLine] = []
        self._rows = column(self, 0, Space.SMALL)

    @property
    def steps(self) -> tuple[PlannedStep, ...]:
        return tuple(line.planned for line in self._lines)

    @property
    def lines(self) -> tuple[StepLine, ...]:
        return tuple(self._lines)

    @property
    def fits(self) -> bool:
        return bool(self._lines) and all(line.fits for line in self._lines)

    def show_plan(self, steps: Sequence[PlannedStep]) -> None:
        """Shows a plan. An unchanged one is not built again, so that the focus stays."""
        if tuple(steps) != self.steps:
            self._fill(steps)

    def put_in(self, step: PlannedStep, at: int) -> None:
        """Puts back a step that was removed."""
        steps = list(self.steps)
        steps.insert(min(at, len(steps)), step)
        self._fill(steps)
        self.edited.emit()

    def _fill(self, steps: Sequence[PlannedStep]) -> None:
        clear(self._rows)
        self._lines = [StepLine(self._context, at, len(steps), step) for at, step in enumerate(steps)]
        for line in self._lines:
            self._rows.addWidget(line)
            line.changed.connect(self.edited)
            line.wanted.connect(partial(self._move, line))
        tab_through(self, [widget for line in self._lines for widget in (*line.tools.values(), line.field)])

    def _move(self, line: StepLine, where: str) -> None:
        steps, at = list(self.steps), self._lines.index(line)
        step = steps.pop(at)
        if where == OUT:
            self._fill(steps)
            self._lines[min(at, len(steps) - 1)].field.setFocus()
            self.taken_out.emit(step, at)
        else:
            there = at + (1 if where == DOWN else -1)
            steps.insert(there, step)
            self._fill(steps)
            tools = self._lines[there].tools
            (tools[where] if tools[where].isEnabled() else tools[UP if where == DOWN else DOWN]).setFocus()
        self.edited.emit()
