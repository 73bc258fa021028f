"""The open request: its text, status, plan or steps, and its actions.

Each action is a command. The request's row in the store shows its effect.
"""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.domain.agents.requests import RESTING, PlannedStep, Request, RequestStatus, RequestStep, StepStatus, reads_only
from app.domain.drafting.review import ReviewStatus
from app.domain.ids import RequestId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import GMAIL
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RequestChanged,
    RetryStep,
    RunPlan,
    StepProgress,
    StopRequest,
)
from app.domain.protocol.events import CommandFailed
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence, translated
from app.ui.i18n.formatting import size_words, when_long
from app.ui.message.banners import LinkBar
from app.ui.pages.assistant.answer import ChipRow, DocumentBar
from app.ui.pages.assistant.ask_bar import limits_of
from app.ui.pages.assistant.assistant_texts import maker_words, request_chip, spent_words, took_words
from app.ui.pages.assistant.step_card import PlanEditor, StepCard, StepDisplay
from app.ui.services.notices import ErrorNotice
from app.ui.session.pending_requests import Wish
from app.ui.theme.metrics import Space, Type, is_large_text
from app.ui.widgets.containers import Flowing, FlowRow, Scrolled
from app.ui.widgets.factory import (
    RoleFrame,
    action_button,
    announce,
    button,
    chip,
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
APPROVED = frozenset({ReviewStatus.APPROVED, ReviewStatus.SAVED_AS_DRAFT})
GOING_ON = frozenset({RequestStatus.PLANNING, RequestStatus.RUNNING, RequestStatus.WAITING})
CURRENT = frozenset({StepStatus.RUNNING, StepStatus.WAITING, StepStatus.FAILED})
OFFERED_MS = 10_000


class RequestDetail(QWidget):
    """Shows a request and acts on it.

    `back` is emitted in a narrow window, `changed` when requests must be read again, `edited` when a plan was edited.
    """

    back = Signal()
    changed = Signal()
    edited = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Request"))
        self._context, self._session = context, context.requests
        self._place: QWidget = self
        self.request: Request | None = None
        self._handed_over = False
        self.plans: dict[RequestId, tuple[PlannedStep, ...]] = {}
        """Plans that the owner edited and has not run yet."""
        self._progress: dict[tuple[RequestId, int], str] = {}
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
        self.plan.edited.connect(self._plan_edited)
        self.plan.taken_out.connect(self._offer_undo)
        self.hint = label("", Type.CAPTION, "soft", wrap=True)
        self.cards: list[StepCard] = []
        self._steps = QWidget()
        self._rows = column(self._steps, 0, Space.SMALL)
        self._files = ChipRow()
        self._files_shown: tuple[ArtifactHandle, ...] = ()
        self.documents = DocumentBar(context)
        self.links = LinkBar(context.open_link)
        self.state = EmptyState(context.icons)
        self.buttons = [action_button(context.actions[name], "primary" if name in PRIMARY else "") for name in ACTIONS]
        head, made, filled, top = RoleFrame("card"), Flowing(), QWidget(), Qt.AlignmentFlag.AlignTop
        first = put(row(), (self.back_button, top), (self.words, 1))
        second = column(None, 0, Space.TIGHT) if is_large_text() else row()
        put(second, (self.status, 0, top), (self.facts, 1), (self.more, 0, top))
        buttons = FlowRow(self.buttons, Space.SMALL, Space.SMALL)
        below = (self._files, self.limits, self.technical, self.notice, self.failed, self.hint, buttons)
        put(column(head, Space.LARGE), first, second, *below)
        put(column(made, Space.LARGE, Space.MEDIUM), head, self.plan, self.documents, self._steps, 1)
        self.area: Scrolled = Scrolled(made)
        put(column(filled, 0, 0), (self.area, 1), self.links)
        self._stack = Stack(filled, self.state)
        column(self, 0, 0).addWidget(self._stack)

    def stand_in(self, place: QWidget) -> None:
        """Sets the page or panel around it. Several places share the actions, so they follow the one that comes on screen."""
        self._place = place
        place.installEventFilter(self)
        self._set_actions()

    @property
    def handlers(self) -> Mapping[str, Callable[[], object]]:
        return {
            "assistant.run": self.run,
            "assistant.again": self._plan_again,
            "assistant.stop": lambda: self._send_once(StopRequest),
            "assistant.go_on": self._continue,
            "assistant.open": lambda: self._open_waiting(self._waiting),
            "assistant.copy": self._copy,
            "assistant.forget": self.forget,
        }

    def take_focus(self) -> None:
        first_control(self).setFocus()

    def open(self, request: Request | None) -> None:
        """Opens a request, or updates it. One that was sent is shown before it is stored."""
        self.request = request
        self._handed_over = request is not None and request.id in self._session.asked.ids
        if request is None:
            self._announced = ("", None)
            words = self.tr("Choose one to see its plan and result.")
            self.state.show_state("assistant", self.tr("No request chosen"), words)
        else:
            self._show_head(request)
            self._show_notice(request)
            self._show_plan(request)
            self._show_steps(request)
        self._stack.setCurrentIndex(1 if request is None else 0)
        self._set_actions()

    def says(self, event: Event) -> bool:
        """Whether this failed command is shown beside its request."""
        if not isinstance(event, CommandFailed) or not self._place.isVisible():
            return False
        if event.command == AskAssistant.__name__:
            return bool(self._session.asked.ids)
        return self.request is not None and self._session.wishes.expects(event) == self.request.id

    def hear(self, event: Event) -> None:
        """Shows the progress of a running step. Drops the progress texts of a request whose status changed."""
        self._session.hear(event)
        if isinstance(event, RequestChanged):
            self._progress = {key: words for key, words in self._progress.items() if key[0] != event.request_id}
        elif isinstance(event, StepProgress):
            self._progress[event.request_id, event.index] = event.words
            request, at = self.request, event.index
            if request is not None and request.id == event.request_id and at < min(len(self.cards), len(request.steps)):
                step = request.steps[at]
                if step.status is StepStatus.RUNNING:
                    self.cards[at].show_step(step, self._display(request, step))

    def show_current(self) -> None:
        """Scrolls to the step that runs, waits or failed, else to the top."""
        card = next((card for card in self.cards if not card.isHidden() and card.step.status in CURRENT), None)
        if card is None:
            QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(0))
        else:
            QTimer.singleShot(0, self, lambda: self.area.ensureWidgetVisible(card, 0, Space.LARGE))

    def run(self) -> None:
        if self.request is not None and self.plan.fits:
            steps = self.plan.steps
            self._send_once(RunPlan, steps=() if steps == planned(self.request) else steps)

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

    def _show_head(self, request: Request) -> None:
        before, self._announced = self._announced, (request.id, request.status)
        shown = request_chip(request.status)
        if before[0] != request.id:
            self.documents.hide()
            self.links.hide()
        elif before[1] is not request.status:
            announce(self.status, shown.text)
        short = len(request.text) <= SHORT and "\n" not in request.text
        set_style(self.words, "type", str(Type.TITLE if short else Type.BODY))
        self.words.setText(request.text)
        self.words.setAccessibleName(request.text)
        say(self.status, self.tr("starting") if self._handed_over else shown.text, shown.tone)
        self.facts.setText(when_long(request.created_at))
        limits = " · ".join(words for words, _icon, _without in limits_of(self._context, request.scope))
        self.limits.setText(self.tr("Reads only: %1").replace("%1", limits))
        self.limits.setVisible(bool(limits))
        accounts = [account for account in self._context.reader.accounts() if account.kind == GMAIL]
        facts = [account.email for account in accounts if account.id == request.account_id and len(accounts) > 1]
        if not self._handed_over:
            spent = spent_words(*self._context.reader.spent_on(request))
            facts += filter(None, (maker_words(request), took_words(request), spent))
        self.technical.setText(" · ".join(facts))
        self.more.setVisible(bool(facts))
        self.technical.setVisible(bool(facts) and not self.technical.isHidden())
        if request.files != self._files_shown:
            self._files_shown, chips = request.files, []
            for handle in request.files:
                made = button(f"{handle.name} · {size_words(handle.size)}", "chip", partial(self.documents.offer, handle))
                made.setIcon(self._context.icons.icon("attachment"))
                chips.append(made)
            self._files.show_chips(chips)

    def _show_notice(self, request: Request) -> None:
        notice, refusal = self.notice, self._session.wishes.error_of(request.id)
        failed = translated(request.error) if request.status is RequestStatus.FAILED else ""
        self.failed.say(failed, "error")
        set_role(self.buttons[ACTIONS.index("assistant.again")], "primary" if failed else "")
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
        proposed = request.status is RequestStatus.PROPOSED
        self.plan.setVisible(proposed)
        self.hint.setVisible(proposed)
        self._steps.setVisible(not proposed)
        if proposed:
            steps = self.plans.get(request.id, planned(request))
            self.plan.show_plan(steps)
            reading = self.tr("Review the plan, change it if you like, and run it. It only reads.")
            writing = self.tr(
                "Review the plan, change it if you like, and run it. Mail is never sent without your approval in Review."
            )
            self.hint.setText(reading if reads_only(steps) else writing)
        elif self.plans.pop(request.id, None) is not None:
            self.edited.emit()

    def _show_steps(self, request: Request) -> None:
        steps = () if request.status is RequestStatus.PROPOSED else request.steps
        while len(self.cards) < len(steps):
            card = StepCard(self._context)
            card.retry.connect(self.retry)
            card.waits.connect(self._open_waiting)
            card.file_wanted.connect(self.documents.offer)
            card.link_wanted.connect(self.links.offer)
            self.cards.append(card)
            self._rows.addWidget(card)
        for card, step in zip(self.cards, steps, strict=False):
            card.show_step(step, self._display(request, step))
        for at, card in enumerate(self.cards):
            card.setVisible(at < len(steps))

    def _display(self, request: Request, step: RequestStep) -> StepDisplay:
        begun = step.status is not StepStatus.OPEN
        runs = any(other.status is StepStatus.RUNNING for other in request.steps)
        leaves = step.status is StepStatus.WAITING and self._approved(step)
        doing = self._progress.get((request.id, step.index), "")
        return StepDisplay(doing, leaves, begun and not runs and not _mailed(request, step), request.maker != "rules")

    def _plan_again(self) -> None:
        if self.request is not None:
            self.plans.pop(self.request.id, None)
            self.edited.emit()
        self._send_once(PlanAgain)

    def _continue(self) -> None:
        step = self.request.next_step if self.request is not None else None
        if step is not None:
            self.retry(step.index)

    def _open_waiting(self, step: RequestStep | None) -> None:
        """Opens the review of a waiting step, or the outbox once it was approved."""
        if step is None:
            return
        with ErrorNotice(self._context.notices):
            if self._approved(step):
                self._context.navigator.show_page("outbox")
            else:
                self._context.navigator.show_review(step.review_id)

    def _copy(self) -> None:
        card = next((card for card in reversed(self.cards) if not card.isHidden() and card.step.answer), None)
        if card is not None:
            card.copy_answer()

    def _send_once(self, kind: Callable[..., Wish], **more: object) -> None:
        """Sends a command for the open request, unless one is pending."""
        if self.request is not None and not self._session.wishes.under_way(self.request.id):
            self._send(kind(self.request.id, **more))

    def _send(self, command: Wish) -> None:
        self._session.wishes.send(command)
        self.changed.emit()

    @property
    def _waiting(self) -> RequestStep | None:
        steps = self.request.steps if self.request is not None else ()
        return next((step for step in steps if step.status is StepStatus.WAITING), None)

    def _approved(self, step: RequestStep) -> bool:
        review = self._context.reader.review(step.review_id) if step.review_id else None
        return review is not None and review.status in APPROVED

    def _plan_edited(self) -> None:
        if self.request is None:
            return
        self.plans[self.request.id] = self.plan.steps
        if self.plan.steps == planned(self.request):
            del self.plans[self.request.id]
        self.edited.emit()
        self._set_actions()

    def _offer_undo(self, step: PlannedStep, at: int) -> None:
        request_id = self.request.id if self.request is not None else None

        def put_back() -> None:
            if self.request is not None and self.request.id == request_id:
                self.plan.put_in(replace(step), at)

        self._context.notices.tell(self.tr("Step removed."), self.tr("Undo"), put_back, OFFERED_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and watched is self._place:
            self._set_actions()
        return super().eventFilter(watched, event)

    def _set_actions(self) -> None:
        if not self._place.isVisible():
            return
        actions, request = self._context.actions, None if self._handed_over else self.request
        free = request is not None and not self._session.wishes.under_way(request.id)
        for name, there in _allowed_actions(request).items():
            actions[name].setVisible(there)
            actions[name].setEnabled(there and free)
        actions["assistant.open"].setEnabled(self._waiting is not None)
        actions["assistant.run"].setEnabled(actions["assistant.run"].isEnabled() and self.plan.fits)
        failed = request is not None and request.status is RequestStatus.FAILED
        actions["assistant.go_on"].setText(self.tr("Try again") if failed else self.tr("Resume"))


def planned(request: Request) -> tuple[PlannedStep, ...]:
    return tuple(PlannedStep(step.capability, step.instruction) for step in request.steps)


def _mailed(request: Request, step: RequestStep) -> bool:
    """Whether this step or a later one made mail that waits or left, so that it must not be made again."""
    done = (StepStatus.WAITING, StepStatus.DONE)
    return any(other.review_id and other.status in done for other in request.steps[step.index :])


def _allowed_actions(request: Request | None) -> dict[str, bool]:
    """By action: whether the request's stored state allows it."""
    if request is None:
        return dict.fromkeys((*ACTIONS, "assistant.copy", "assistant.open"), False)
    status, steps, step = request.status, request.steps, request.next_step
    proposed, rests = status is RequestStatus.PROPOSED, status in RESTING
    begun = any(step.status is not StepStatus.OPEN for step in steps)
    return {
        "assistant.run": proposed,
        "assistant.again": (proposed or status in (RequestStatus.FAILED, RequestStatus.STOPPED)) and not begun,
        "assistant.stop": status in GOING_ON,
        "assistant.go_on": rests and step is not None and not _mailed(request, step),
        "assistant.forget": rests or proposed,
        "assistant.copy": any(step.answer for step in steps),
        "assistant.open": any(step.status is StepStatus.WAITING for step in steps),
    }
