"""Texts and icons of requests and their steps: status, capability, list rows, durations."""

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.agents.requests import OVER, Capability, Request, RequestStatus, RequestStep, StepStatus
from app.ui.i18n.error_messages import sentence, translated
from app.ui.i18n.formatting import money_words, number_words, seconds_words, when_short
from app.ui.lists.row_painter import Chip, RowPresentation

ICONS: Mapping[RequestStatus, str] = {
    RequestStatus.PLANNING: "quota",
    RequestStatus.PROPOSED: "review",
    RequestStatus.RUNNING: "quota",
    RequestStatus.WAITING: "waiting",
    RequestStatus.DONE: "approve",
    RequestStatus.FAILED: "error",
    RequestStatus.STOPPED: "stop",
}

STEP_ICONS: Mapping[StepStatus, tuple[str, str]] = {
    StepStatus.OPEN: ("step_open", "line_strong"),
    StepStatus.RUNNING: ("quota", "accent"),
    StepStatus.WAITING: ("waiting", "warning"),
    StepStatus.DONE: ("online", "positive"),
    StepStatus.FAILED: ("error", "danger"),
    StepStatus.DECLINED: ("declined", "text_soft"),
}
"""Icon and tone by status of a step."""

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
    return {
        RequestStatus.PLANNING: Chip(QCoreApplication.translate("Assistant", "planning"), "accent"),
        RequestStatus.PROPOSED: Chip(QCoreApplication.translate("Assistant", "review plan"), "warning"),
        RequestStatus.RUNNING: Chip(QCoreApplication.translate("Assistant", "running"), "accent"),
        RequestStatus.WAITING: Chip(QCoreApplication.translate("Assistant", "waiting for you"), "warning"),
        RequestStatus.DONE: Chip(QCoreApplication.translate("Assistant", "done"), "positive"),
        RequestStatus.FAILED: Chip(QCoreApplication.translate("Assistant", "failed"), "danger"),
        RequestStatus.STOPPED: Chip(QCoreApplication.translate("Assistant", "stopped")),
    }[status]


def step_chip(status: StepStatus) -> Chip:
    return {
        StepStatus.OPEN: Chip(QCoreApplication.translate("Assistant", "not started")),
        StepStatus.RUNNING: Chip(QCoreApplication.translate("Assistant", "running"), "accent"),
        StepStatus.WAITING: Chip(QCoreApplication.translate("Assistant", "waiting"), "warning"),
        StepStatus.DONE: Chip(QCoreApplication.translate("Assistant", "done"), "positive"),
        StepStatus.FAILED: Chip(QCoreApplication.translate("Assistant", "failed"), "danger"),
        StepStatus.DECLINED: Chip(QCoreApplication.translate("Assistant", "declined")),
    }[status]


def capability_look(capability: Capability, model: bool = True) -> tuple[str, str]:
    """Text and icon of a kind of step; without a model research is a search."""
    searches = QCoreApplication.translate("Assistant", "Search")
    return {
        Capability.RESEARCH: (QCoreApplication.translate("Assistant", "Research") if model else searches, "search"),
        Capability.CREATE_DOCUMENT: (QCoreApplication.translate("Assistant", "Document"), "document"),
        Capability.GMAIL: (QCoreApplication.translate("Assistant", "Email"), "mail"),
        Capability.DIRECT_ANSWER: (QCoreApplication.translate("Assistant", "Answer"), "changes"),
    }[capability]


def request_look(request: Request, now: datetime, handed_over: bool) -> RowPresentation:
    """List row of a request. `handed_over`: it was sent but is not stored yet."""
    title, chip = title_words(request.text), request_chip(request.status)
    if handed_over:
        chip = chip._replace(text=QCoreApplication.translate("Assistant", "starting"))
    about, when = _about(request), when_short(request.created_at, now)
    progress = progress_words(request.steps) if request.steps else ""
    spoken = ", ".join(filter(None, (title, chip.text, progress, about, when)))
    strong = request.status in WANTS_OWNER
    return RowPresentation(title, about, progress, when, spoken, strong=strong, chips=(chip,), icon=ICONS[request.status])


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
