"""The open request: its text, status, actions, and its plan or steps."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.agents.requests import PlannedStep, Request, RequestStatus, StepStatus
from app.domain.mail.files import ArtifactHandle
from app.ui.context import Context
from app.ui.i18n.error_messages import translated
from app.ui.i18n.formatting import size_words, when_long
from app.ui.message.suspicion import LinkBar
from app.ui.pages.assistant.answer import DocumentBar
from app.ui.pages.assistant.ask_bar import scope_words
from app.ui.pages.assistant.assistant_texts import request_chip
from app.ui.pages.assistant.step_card import PlanEditor, StepCard, StepDisplay
from app.ui.theme.metrics import Space, Type, is_large_text
from app.ui.widgets.containers import Flowing, FlowRow, Scrolled
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import (
    RoleFrame,
    action_button,
    announce,
    button,
    chip,
    clear,
    column,
    label,
    put,
    row,
    say,
    set_role,
    set_style,
    tool_button,
)
from app.ui.widgets.notice_line import NoticeLine
from app.ui.widgets.split_view import Stack, first_control

SHORT = 160
"""Characters up to which a request is shown in the heading's type."""
ACTIONS = ("assistant.run", "assistant.go_on", "assistant.again", "assistant.stop", "assistant.forget")
PRIMARY = ("assistant.run", "assistant.go_on")


class RequestDetail(QWidget):
    """View of a request.

    `back` is emitted in a narrow window, `retry` and `waits` with a step's index, `edited` when the plan was edited.
    """

    back = Signal()
    retry = Signal(int)
    waits = Signal(int)
    edited = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Request"))
        self._context = context
        self._announced: tuple[str, RequestStatus | None] = ("", None)
        self.back_button = tool_button(context.icons.icon("back"), self.tr("Back to the requests"), self.back.emit)
        self.back_button.hide()
        self.words = label("", Type.TITLE, wrap=True)
        self.words.setMinimumWidth(1)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.status = chip()
        self.facts = label("", Type.CAPTION, "soft", wrap=True)
        self.limits = label("", Type.CAPTION, "soft", wrap=True)
        self.technical = label("", Type.CAPTION, "soft", wrap=True)
        self.technical.hide()
        self.more = button(self.tr("Technical details"), "link", lambda: self.technical.setVisible(self.technical.isHidden()))
        self.notice = NoticeLine(context.icons)
        self.failed = NoticeLine(context.icons, "danger")
        self.plan = PlanEditor(context)
        self.plan.edited.connect(self.edited)
        self.hint = label("", Type.CAPTION, "soft", wrap=True)
        self.cards: list[StepCard] = []
        self._steps = QWidget()
        self._rows = column(self._steps, 0, Space.SMALL)
        self._files = QWidget()
        self._files_shown: tuple[ArtifactHandle, ...] = ()
        self._file_rows = column(self._files, 0, 0)
        self._files.hide()
        self.documents = DocumentBar(context)
        self.links = LinkBar(context.open_link)
        self.state = EmptyState(context.icons)
        self.buttons = [action_button(context.actions[name], "primary" if name in PRIMARY else "") for name in ACTIONS]
        self.area: Scrolled = Scrolled(self._make_content())
        self._stack = Stack()
        self._lay_out()

    def take_focus(self) -> None:
        first_control(self).setFocus()

    def show_nothing(self) -> None:
        self._announced = ("", None)
        words = self.tr("Choose one to see its plan and result.")
        self.state.show_state("assistant", self.tr("No request chosen"), words)
        self._stack.setCurrentIndex(1)

    def show_request(self, request: Request, facts: Sequence[str], standings: Sequence[StepDisplay], handed_over: bool) -> None:
        """Shows a request with one `StepDisplay` for each step. `handed_over`: it is not stored yet."""
        if self._announced[0] != request.id:
            self.documents.hide()
            self.links.hide()
        self._announce_status(request)
        short = len(request.text) <= SHORT and "\n" not in request.text
        set_style(self.words, "type", str(Type.TITLE if short else Type.BODY))
        self.words.setText(request.text)
        self.words.setAccessibleName(request.text)
        chip = request_chip(request.status)
        say(self.status, self.tr("starting") if handed_over else chip.text, chip.tone)
        self.facts.setText(when_long(request.created_at))
        limits = scope_words(self._context, request.scope)
        self.limits.setText(self.tr("Reads only: %1").replace("%1", limits))
        self.limits.setVisible(bool(limits))
        self.technical.setText(" · ".join(facts))
        self.more.setVisible(bool(facts))
        self.technical.setVisible(bool(facts) and not self.technical.isHidden())
        failed = translated(request.error) if request.status is RequestStatus.FAILED else ""
        self.failed.say(failed, "error")
        set_role(self.buttons[ACTIONS.index("assistant.again")], "primary" if failed else "")
        proposed = request.status is RequestStatus.PROPOSED
        self.plan.setVisible(proposed)
        self.hint.setVisible(proposed)
        self._steps.setVisible(not proposed)
        self._show_files(request)
        self._show_steps(request, standings)
        self._stack.setCurrentIndex(0)

    def _show_files(self, request: Request) -> None:
        """The files that the owner gave with the request."""
        if request.files == self._files_shown:
            return
        self._files_shown = request.files
        clear(self._file_rows)
        chips = []
        for handle in request.files:
            made = button(f"{handle.name} · {size_words(handle.size)}", "chip", partial(self.documents.offer, handle))
            made.setIcon(self._context.icons.icon("attachment"))
            chips.append(made)
        if chips:
            self._file_rows.addWidget(FlowRow(chips, Space.SMALL, Space.TIGHT))
        self._files.setVisible(bool(chips))

    def show_current(self) -> None:
        """Scrolls to the step that runs, waits or failed, else to the top."""
        now = (StepStatus.RUNNING, StepStatus.WAITING, StepStatus.FAILED)
        card = next((card for card in self.cards if not card.isHidden() and card.step.status in now), None)
        QTimer.singleShot(0, self, partial(self._scroll_to, card))

    def _scroll_to(self, card: StepCard | None) -> None:
        if card is None:
            self.area.verticalScrollBar().setValue(0)
        else:
            self.area.ensureWidgetVisible(card, 0, Space.LARGE)

    def show_plan(self, steps: Sequence[PlannedStep], reads_only: bool) -> None:
        self.plan.show_plan(steps)
        reading = self.tr("Review the plan, change it if you like, and run it. It only reads.")
        writing = self.tr(
            "Review the plan, change it if you like, and run it. Mail is never sent without your approval in Review."
        )
        self.hint.setText(reading if reads_only else writing)

    def _show_steps(self, request: Request, standings: Sequence[StepDisplay]) -> None:
        steps = () if request.status is RequestStatus.PROPOSED else request.steps
        while len(self.cards) < len(steps):
            card = StepCard(self._context)
            card.retry.connect(self.retry)
            card.waits.connect(self.waits)
            card.file_wanted.connect(self.documents.offer)
            card.link_wanted.connect(self.links.offer)
            self.cards.append(card)
            self._rows.addWidget(card)
        for card, step, standing in zip(self.cards, steps, standings, strict=False):
            card.show_step(step, standing)
        for at, card in enumerate(self.cards):
            card.setVisible(at < len(steps))

    def _announce_status(self, request: Request) -> None:
        """Announces a new status of the open request to screen readers."""
        before, self._announced = self._announced, (request.id, request.status)
        if before[0] == request.id and before[1] is not request.status:
            announce(self.status, request_chip(request.status).text)

    def _make_content(self) -> QWidget:
        head: QFrame = RoleFrame("card")
        first = put(row(), (self.back_button, Qt.AlignmentFlag.AlignTop), (self.words, 1))
        second = column(None, 0, Space.TIGHT) if is_large_text() else row()
        second.addWidget(self.status, 0, Qt.AlignmentFlag.AlignTop)
        second.addWidget(self.facts, 1)
        second.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        below: tuple[QWidget, ...] = (
            self._files,
            self.limits,
            self.technical,
            self.notice,
            self.failed,
            self.hint,
            FlowRow(self.buttons, Space.SMALL, Space.SMALL),
        )
        put(column(head, Space.LARGE), first, second, *below)
        made = Flowing()
        put(column(made, Space.LARGE, Space.MEDIUM), head, self.plan, self.documents, self._steps, 1)
        return made

    def _lay_out(self) -> None:
        filled = QWidget()
        put(column(filled, 0, 0), (self.area, 1), self.links)
        self._stack.addWidget(filled)
        self._stack.addWidget(self.state)
        column(self, 0, 0).addWidget(self._stack)
