"""The open request: its text, status, plan or steps, and its actions.

Each action is a command. The request's row in the store shows its effect.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.agents.requests import RESTING, PlannedStep, Request, RequestStatus, RequestStep, StepStatus, reads_only
from app.domain.drafting.review import ReviewStatus
from app.domain.ids import RequestId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import GMAIL
from app.domain.protocol.assistant_commands import (
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RequestChanged,
    RetryStep,
    RunPlan,
    StepProgress,
    StopRequest,
)
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence, translated
from app.ui.i18n.formatting import size_words, when_long
from app.ui.message.banners import LinkBar
from app.ui.pages.assistant.answer import DocumentBar
from app.ui.pages.assistant.ask_bar import scope_words
from app.ui.pages.assistant.assistant_texts import maker_words, request_chip, spent_words, took_words
from app.ui.pages.assistant.step_card import PlanEditor, StepCard, StepDisplay, standing_of
from app.ui.services.notices import ErrorNotice
from app.ui.session.pending_requests import PendingRequestCommands, Wish
from app.ui.theme.metrics import Space, Type, is_large_text
from app.ui.widgets.containers import Flowing, FlowRow, Scrolled
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
from app.ui.widgets.split_view import EmptyState, Stack, first_control

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


APPROVED = frozenset({ReviewStatus.APPROVED, ReviewStatus.SAVED_AS_DRAFT})
GOING_ON = frozenset({RequestStatus.PLANNING, RequestStatus.RUNNING, RequestStatus.WAITING})
OFFERED_MS = 10_000


class RequestPanel(QObject):
    """Controller of the request that is open in `place`, a page or a panel.

    `changed`: requests must be read again; `edited`: a plan was edited.
    """

    changed = Signal()
    edited = Signal()

    def __init__(self, context: Context, detail: RequestDetail, wishes: PendingRequestCommands, place: QWidget) -> None:
        super().__init__(detail)
        self._place = place
        place.installEventFilter(self)
        self._context, self._detail, self._commands = context, detail, wishes
        self.request: Request | None = None
        self._handed_over = False
        self.plans: dict[RequestId, tuple[PlannedStep, ...]] = {}
        self._progress: dict[tuple[RequestId, int], str] = {}
        detail.retry.connect(self.retry)
        detail.waits.connect(self._open_waiting)
        detail.edited.connect(self._plan_edited)
        detail.plan.taken_out.connect(self._offer_undo)
        self._set_actions()

    @property
    def handlers(self) -> Mapping[str, Callable[[], object]]:
        return {
            "assistant.run": self.run,
            "assistant.again": self._plan_again,
            "assistant.stop": lambda: self._send_once(StopRequest),
            "assistant.go_on": self._continue,
            "assistant.open": self._open_first,
            "assistant.copy": self._copy,
            "assistant.forget": self.forget,
        }

    def show(self, request: Request | None, handed_over: bool = False) -> None:
        """Opens a request, or updates it. `handed_over`: it was sent but is not stored yet."""
        self.request, self._handed_over = request, handed_over
        if request is None:
            self._detail.show_nothing()
        else:
            standings = [self._display(request, step) for step in request.steps]
            self._detail.show_request(request, self._facts(request), standings, handed_over)
            self._show_plan(request)
            self._update_notice(request)
        self._set_actions()

    def hear(self, event: Event) -> None:
        """Shows the progress of a running step. Drops the progress texts of a request whose status changed."""
        if isinstance(event, StepProgress):
            self._show_progress(event)
        elif isinstance(event, RequestChanged):
            self._progress = {key: words for key, words in self._progress.items() if key[0] != event.request_id}

    def _show_progress(self, event: StepProgress) -> None:
        self._progress[event.request_id, event.index] = event.words
        request = self.request
        if request is not None and request.id == event.request_id and event.index < len(self._detail.cards):
            step = request.steps[event.index] if event.index < len(request.steps) else None
            if step is not None and step.status is StepStatus.RUNNING:
                self._detail.cards[event.index].show_step(step, self._display(request, step))

    def run(self) -> None:
        request = self.request
        if request is not None and self._detail.plan.fits:
            self._send_once(RunPlan, steps=self._edited(request))

    def retry(self, index: int) -> None:
        """Runs this step and all later ones again."""
        self._send_once(RetryStep, index=index)

    def forget(self) -> None:
        request = self.request
        if request is None:
            return
        self._send_once(ForgetRequest)
        back = partial(self._send, RecallRequest(request.id))
        self._context.notices.tell(self.tr("Deleted"), self.tr("Undo"), back, OFFERED_MS)

    def _plan_again(self) -> None:
        if self.request is not None:
            self.plans.pop(self.request.id, None)
            self.edited.emit()
        self._send_once(PlanAgain)

    def _continue(self) -> None:
        step = self.request.next_step if self.request is not None else None
        if step is not None:
            self.retry(step.index)

    def _open_first(self) -> None:
        waiting = self._waiting
        if waiting is not None:
            self._open_waiting(waiting.index)

    def _open_waiting(self, index: int) -> None:
        """Opens the review of a waiting step, or the outbox once it was approved."""
        request = self.request
        if request is None:
            return
        with ErrorNotice(self._context.notices):
            if self._approved(request.steps[index]):
                self._context.navigator.show_page("outbox")
            else:
                self._context.navigator.show_review(request.steps[index].review_id)

    def _copy(self) -> None:
        card = next((card for card in reversed(self._detail.cards) if not card.isHidden() and card.step.answer), None)
        if card is not None:
            card.copy_answer()

    def _send_once(self, kind: Callable[..., Wish], **more: object) -> None:
        """Sends a command for the open request, unless one is pending."""
        if self.request is not None and not self._commands.under_way(self.request.id):
            self._send(kind(self.request.id, **more))

    def _send(self, command: Wish) -> None:
        self._commands.send(command)
        self.changed.emit()

    @property
    def _waiting(self) -> RequestStep | None:
        steps = self.request.steps if self.request is not None else ()
        return next((step for step in steps if step.status is StepStatus.WAITING), None)

    def _display(self, request: Request, step: RequestStep) -> StepDisplay:
        return standing_of(request, step, self._progress.get((request.id, step.index), ""), self._approved)

    def _approved(self, step: RequestStep) -> bool:
        review = self._context.reader.review(step.review_id) if step.review_id else None
        return review is not None and review.status in APPROVED

    def _facts(self, request: Request) -> list[str]:
        """Account (if there are several), planner, duration and cost."""
        accounts = [account for account in self._context.reader.accounts() if account.kind == GMAIL]
        facts = [account.email for account in accounts if account.id == request.account_id and len(accounts) > 1]
        if self._handed_over:
            return facts
        spent = spent_words(*self._context.reader.spent_on(request))
        return [*facts, *filter(None, (maker_words(request), took_words(request), spent))]

    def _update_notice(self, request: Request) -> None:
        notice, refusal = self._detail.notice, self._commands.error_of(request.id)
        if refusal:
            notice.say(refusal, "error")
        elif self._handed_over:
            notice.say(self.tr("Queued. It runs when Replyroom is ready."), "outbox")
        elif request.delayed_by:
            goes_on = self.tr("The request resumes automatically.")
            notice.say(f"{sentence(request.delayed_by, request.error)} {goes_on}", "quota")
        elif request.status is RequestStatus.PLANNING:
            notice.say(self.tr("The assistant makes a plan. Nothing is written or sent before you see it."), "quota")
        elif request.status is RequestStatus.STOPPED:
            notice.say(self.tr("Stopped. Finished steps are kept."), "stop")
        else:
            notice.say("")

    def _show_plan(self, request: Request) -> None:
        if request.status is not RequestStatus.PROPOSED:
            if self.plans.pop(request.id, None) is not None:
                self.edited.emit()
            return
        steps = self.plans.get(request.id, planned(request))
        self._detail.show_plan(steps, reads_only(steps))

    def _plan_edited(self) -> None:
        request = self.request
        if request is None:
            return
        steps = self._detail.plan.steps
        self.plans[request.id] = steps
        if steps == planned(request):
            del self.plans[request.id]
        self.edited.emit()
        self._set_actions()

    def _edited(self, request: Request) -> tuple[PlannedStep, ...]:
        """The edited plan; empty if it was not edited."""
        steps = self._detail.plan.steps
        return () if steps == planned(request) else steps

    def _offer_undo(self, step: PlannedStep, at: int) -> None:
        request_id = self.request.id if self.request is not None else None

        def put_back() -> None:
            if self.request is not None and self.request.id == request_id:
                self._detail.plan.put_in(replace(step), at)

        self._context.notices.tell(self.tr("Step removed."), self.tr("Undo"), put_back, OFFERED_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The actions are shared with other places that show a request, so they follow the one that comes on screen."""
        if event.type() is QEvent.Type.Show:
            self._set_actions()
        return super().eventFilter(watched, event)

    def _set_actions(self) -> None:
        if not self._place.isVisible():
            return
        request = None if self._handed_over else self.request
        free = request is not None and not self._commands.under_way(request.id)
        possible = _allowed_actions(request)
        for name, there in possible.items():
            action = self._context.actions[name]
            action.setVisible(there)
            action.setEnabled(there and free)
        self._context.actions["assistant.open"].setEnabled(self._waiting is not None)
        run, go_on = self._context.actions["assistant.run"], self._context.actions["assistant.go_on"]
        run.setEnabled(run.isEnabled() and self._detail.plan.fits)
        failed = request is not None and request.status is RequestStatus.FAILED
        go_on.setText(self.tr("Try again") if failed else self.tr("Resume"))


def planned(request: Request) -> tuple[PlannedStep, ...]:
    return tuple(PlannedStep(step.capability, step.instruction) for step in request.steps)


def _allowed_actions(request: Request | None) -> dict[str, bool]:
    """By action: whether the request's stored state allows it."""
    if request is None:
        return dict.fromkeys((*_ACTIONS, "assistant.copy", "assistant.open"), False)
    status, steps = request.status, request.steps
    proposed, rests = status is RequestStatus.PROPOSED, status in RESTING
    begun = any(step.status is not StepStatus.OPEN for step in steps)
    step = request.next_step
    left = step is not None and any(
        other.review_id and other.status in (StepStatus.WAITING, StepStatus.DONE) for other in steps[step.index :]
    )
    return {
        "assistant.run": proposed,
        "assistant.again": (proposed or status in (RequestStatus.FAILED, RequestStatus.STOPPED)) and not begun,
        "assistant.stop": status in GOING_ON,
        "assistant.go_on": rests and step is not None and not left,
        "assistant.forget": rests or proposed,
        "assistant.copy": any(step.answer for step in steps),
        "assistant.open": any(step.status is StepStatus.WAITING for step in steps),
    }


_ACTIONS = ("assistant.run", "assistant.again", "assistant.stop", "assistant.go_on", "assistant.forget")
