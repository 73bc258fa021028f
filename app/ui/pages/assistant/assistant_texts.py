"""Texts and icons of requests and their steps: status, capability, list rows, durations."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.agents.requests import OVER, Capability, Request, RequestStatus, RequestStep, StepStatus
from app.ui.i18n.error_messages import sentence, translated
from app.ui.i18n.formatting import money_words, number_words, seconds_words, when_short
from app.ui.i18n.translation import QT_TRANSLATE_NOOP
from app.ui.lists.row_painter import Chip, RowPresentation

REQUESTS = {
    RequestStatus.PLANNING: (QT_TRANSLATE_NOOP("Assistant", "planning"), "accent", "quota"),
    RequestStatus.PROPOSED: (QT_TRANSLATE_NOOP("Assistant", "review plan"), "warning", "review"),
    RequestStatus.RUNNING: (QT_TRANSLATE_NOOP("Assistant", "running"), "accent", "quota"),
    RequestStatus.WAITING: (QT_TRANSLATE_NOOP("Assistant", "waiting for you"), "warning", "waiting"),
    RequestStatus.DONE: (QT_TRANSLATE_NOOP("Assistant", "done"), "positive", "approve"),
    RequestStatus.FAILED: (QT_TRANSLATE_NOOP("Assistant", "failed"), "danger", "error"),
    RequestStatus.STOPPED: (QT_TRANSLATE_NOOP("Assistant", "stopped"), "", "stop"),
}
"""Text and tone of the chip, and the icon, by status of a request."""
STEPS = {
    StepStatus.OPEN: (QT_TRANSLATE_NOOP("Assistant", "not started"), "", "step_open", "line_strong"),
    StepStatus.RUNNING: (QT_TRANSLATE_NOOP("Assistant", "running"), "accent", "quota", "accent"),
    StepStatus.WAITING: (QT_TRANSLATE_NOOP("Assistant", "waiting"), "warning", "waiting", "warning"),
    StepStatus.DONE: (QT_TRANSLATE_NOOP("Assistant", "done"), "positive", "online", "positive"),
    StepStatus.FAILED: (QT_TRANSLATE_NOOP("Assistant", "failed"), "danger", "error", "danger"),
    StepStatus.DECLINED: (QT_TRANSLATE_NOOP("Assistant", "declined"), "", "declined", "text_soft"),
}
"""Text and tone of the chip, icon and its tone, by status of a step."""
CAPABILITIES = {
    Capability.RESEARCH: (QT_TRANSLATE_NOOP("Assistant", "Research"), "search"),
    Capability.CREATE_DOCUMENT: (QT_TRANSLATE_NOOP("Assistant", "Document"), "document"),
    Capability.GMAIL: (QT_TRANSLATE_NOOP("Assistant", "Email"), "mail"),
    Capability.DIRECT_ANSWER: (QT_TRANSLATE_NOOP("Assistant", "Answer"), "changes"),
}
"""Text and icon of a kind of step."""
WANTS_OWNER = frozenset({RequestStatus.PROPOSED, RequestStatus.WAITING})
"""Requests that go on only after the owner acts."""

TITLE_LENGTH = 200
CENT = 0.01


def examples(model: bool) -> tuple[str, ...]:
    """Example requests: with a language model, or such as need none."""
    if not model:
        return (
            QCoreApplication.translate("Assistant", "Find the last invoice"),
            QCoreApplication.translate("Assistant", "Find emails about the delivery"),
        )
    return (
        QCoreApplication.translate("Assistant", "What did I promise to whom this week?"),
        QCoreApplication.translate("Assistant", "Find the last invoice and tell me what it was for"),
        QCoreApplication.translate("Assistant", "Write a summary of the emails about the delivery and send it to me"),
    )


def request_chip(status: RequestStatus) -> Chip:
    words, tone, _icon = REQUESTS[status]
    return Chip(QCoreApplication.translate("Assistant", words), tone)


def step_chip(status: StepStatus) -> Chip:
    words, tone, *_icon = STEPS[status]
    return Chip(QCoreApplication.translate("Assistant", words), tone)


def capability_look(capability: Capability, model: bool = True) -> tuple[str, str]:
    """Text and icon of a kind of step; without a model research is a search."""
    words, icon = CAPABILITIES[capability]
    if capability is Capability.RESEARCH and not model:
        words = QT_TRANSLATE_NOOP("Assistant", "Search")
    return QCoreApplication.translate("Assistant", words), icon


def request_look(request: Request, now: datetime, handed_over: bool) -> RowPresentation:
    """List row of a request. `handed_over`: it was sent but is not stored yet."""
    title, chip = title_words(request.text), request_chip(request.status)
    if handed_over:
        chip = chip._replace(text=QCoreApplication.translate("Assistant", "starting"))
    about, when = _about(request), when_short(request.created_at, now)
    progress = progress_words(request.steps) if request.steps else ""
    spoken = ", ".join(filter(None, (title, chip.text, progress, about, when)))
    strong = request.status in WANTS_OWNER
    return RowPresentation(title, about, progress, when, spoken, strong=strong, chips=(chip,), icon=REQUESTS[request.status][2])


def title_words(text: str) -> str:
    """The request on one line, at most 200 characters."""
    return " ".join(text[: 2 * TITLE_LENGTH].split())[:TITLE_LENGTH]


def progress_words(steps: tuple[RequestStep, ...]) -> str:
    over = sum(step.status in OVER for step in steps)
    if over == len(steps) == 1:
        return QCoreApplication.translate("Assistant", "1 step, done")
    words = QCoreApplication.translate("Assistant", "%1 of %2 steps")
    return words.replace("%1", number_words(over)).replace("%2", number_words(len(steps)))


def maker_words(request: Request) -> str:
    """Who made the plan; empty before there is one."""
    if not request.maker:
        return ""
    if request.maker == "rules":
        return QCoreApplication.translate("Assistant", "planned without a language model")
    return QCoreApplication.translate("Assistant", "planned by %1").replace("%1", request.maker)


def took_words(request: Request) -> str:
    """Total duration of the ended steps; empty if there is none."""
    times = [(step.ended_at - step.started_at).total_seconds() for step in request.steps if step.started_at and step.ended_at]
    return seconds_words(1000 * sum(times)) if times else ""


def spent_words(calls: int, tokens: int, usd: float) -> str:
    """Model calls, tokens and cost; empty without calls."""
    if not calls:
        return ""
    words = QCoreApplication.translate("Assistant", "model calls: %1, tokens: %2, %3")
    cost = money_words(usd)
    if 0 < usd < CENT:
        cost = QCoreApplication.translate("Assistant", "less than %1").replace("%1", money_words(CENT))
    return words.replace("%1", number_words(calls)).replace("%2", number_words(tokens)).replace("%3", cost)


def _about(request: Request) -> str:
    """Second line of the row: the error, the current step or the answer."""
    if request.delayed_by:
        return title_words(sentence(request.delayed_by, request.error))
    if request.error:
        return title_words(translated(request.error))
    step = request.next_step
    if request.status is RequestStatus.DONE:
        return title_words(next((done.answer for done in reversed(request.steps) if done.answer), ""))
    if step is None:
        return ""
    return title_words(translated(step.error) or step.instruction)
