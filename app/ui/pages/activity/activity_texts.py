"""Texts of the Activity page: run status, routes and node names, and the numbers of a day for charts and table."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.domain.agents.runs import DailyWork, Route, Run, RunStatus, middle
from app.domain.ids import ThreadId
from app.domain.mail.message import ThreadRow
from app.domain.mail.triage import Category
from app.ui.i18n.formatting import category_words, day_words, money_words, number_words, seconds_words, when_short
from app.ui.lists.row_painter import Chip, RowPresentation

TOKENS = {
    Category.INQUIRY: "accent",
    Category.MEETING_REQUEST: "slot",
    Category.COMPLAINT: "warning",
    Category.FOLLOW_UP: "positive",
    Category.SPAM: "danger",
    Category.OTHER: "line_strong",
}
"""Theme colour of each category."""


def day_short(day: date) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), QCoreApplication.translate("Words", "d MMM"))


def day_spoken(day: date) -> str:
    return day_words(QDate(day.year, day.month, day.day))


def amount(value: float) -> str:
    """A value of the axis; from 10,000 on in thousands."""
    if value >= 10_000:
        return QCoreApplication.translate("Charts", "%1 k").replace("%1", QLocale().toString(value / 1000, "g", 3))
    return QLocale().toString(value, "g", 4)


def kinds_words(day: DailyWork) -> str:
    parts = [f"{category_words(category)}: {number_words(day.of(category))}" for category in Category if day.of(category)]
    return ", ".join(parts) or QCoreApplication.translate("Charts", "no emails checked")


def decided_words(day: DailyWork) -> str:
    named = zip(decision_names(), (day.kept, day.edited, day.rejected), strict=True)
    return ", ".join(f"{name}: {number_words(count)}" for name, count in named)


def decision_names() -> tuple[str, str, str]:
    return (
        QCoreApplication.translate("Charts", "as proposed"),
        QCoreApplication.translate("Charts", "edited"),
        QCoreApplication.translate("Charts", "rejected"),
    )


def use_words(day: DailyWork) -> str:
    tokens = QCoreApplication.translate("Charts", "tokens: %1").replace("%1", number_words(day.tokens))
    return f"{tokens}, {money_words(day.cost_usd)}"


def median_ms(days: Sequence[DailyWork]) -> float:
    """Median of the days' median times, in milliseconds."""
    return middle(sorted(day.time_ms for day in days if day.time_ms))


def columns() -> list[str]:
    return [
        QCoreApplication.translate("Charts", "Day"),
        QCoreApplication.translate("Charts", "Emails"),
        QCoreApplication.translate("Charts", "Kinds"),
        QCoreApplication.translate("Charts", "Time per mail"),
        QCoreApplication.translate("Charts", "Drafts"),
        QCoreApplication.translate("Charts", "Use of the model"),
    ]


def table_row(day: DailyWork) -> list[str]:
    time = seconds_words(day.time_ms) if day.time_ms else ""
    use = use_words(day) if day.calls else ""
    decided = decided_words(day) if day.kept + day.edited + day.rejected else ""
    return [day_spoken(day.day), number_words(day.mails), kinds_words(day) if day.mails else "", time, decided, use]


def status_chip(status: RunStatus) -> Chip:
    return {
        RunStatus.QUEUED: Chip(QCoreApplication.translate("Activity", "queued")),
        RunStatus.RUNNING: Chip(QCoreApplication.translate("Activity", "running"), "accent"),
        RunStatus.WAITING: Chip(QCoreApplication.translate("Activity", "waits for you"), "warning"),
        RunStatus.DONE: Chip(QCoreApplication.translate("Activity", "done"), "positive"),
        RunStatus.NEEDS_REVIEW: Chip(QCoreApplication.translate("Activity", "needs your eyes"), "warning"),
        RunStatus.FAILED: Chip(QCoreApplication.translate("Activity", "failed"), "danger"),
        RunStatus.SUPERSEDED: Chip(QCoreApplication.translate("Activity", "overtaken by a newer mail")),
    }[status]


def route_words(run: Run) -> str:
    """The route of a run and the rule that chose it."""
    words = {
        Route.PIPELINE: QCoreApplication.translate("Activity", "the usual way"),
        Route.SORT: QCoreApplication.translate("Activity", "sorted only"),
        Route.RESPONSE_AGENT: QCoreApplication.translate("Activity", "the response agent"),
        Route.AGENT: QCoreApplication.translate("Activity", "the agent “%1”").replace("%1", run.profile),
    }
    way = words[run.route]
    if run.rule:
        way = QCoreApplication.translate("Activity", "%1, by the rule “%2”").replace("%1", way).replace("%2", run.rule)
    return way


def node_words(name: str) -> str:
    """Text of a graph node; unknown nodes are shown by their own name."""
    words = {
        "route": QCoreApplication.translate("Activity", "Took the mail up"),
        "classify": QCoreApplication.translate("Activity", "Sorted it"),
        "triage_interrupt": QCoreApplication.translate("Activity", "Told you about it"),
        "triage_gate": QCoreApplication.translate("Activity", "Heard your answer"),
        "retrieve": QCoreApplication.translate("Activity", "Gathered sources"),
        "decide": QCoreApplication.translate("Activity", "Decided what to do"),
        "execute_tools": QCoreApplication.translate("Activity", "Ran tools"),
        "generate": QCoreApplication.translate("Activity", "Wrote a draft"),
        "check": QCoreApplication.translate("Activity", "Checked the draft"),
        "review": QCoreApplication.translate("Activity", "Asked for your review"),
        "gate": QCoreApplication.translate("Activity", "Heard your decision"),
        "dispatch": QCoreApplication.translate("Activity", "Carried it out"),
        "llm_call": QCoreApplication.translate("Activity", "Asked the model for the next step"),
        "interrupt_plan": QCoreApplication.translate("Activity", "Checked the next step"),
        "interrupt_gate": QCoreApplication.translate("Activity", "Heard your word on the step"),
        "interrupt_act": QCoreApplication.translate("Activity", "Took the step"),
        "mark_as_read_node": QCoreApplication.translate("Activity", "Finished; the email will be marked as read"),
        "needs_review": QCoreApplication.translate("Activity", "Passed to you"),
        "profile_agent": QCoreApplication.translate("Activity", "Asked the model for the next step"),
        "profile_plan": QCoreApplication.translate("Activity", "Checked the next step"),
        "profile_gate": QCoreApplication.translate("Activity", "Heard your word on the step"),
        "profile_act": QCoreApplication.translate("Activity", "Took the step"),
        "profile_end": QCoreApplication.translate("Activity", "Carried it out"),
    }
    return words.get(name, name.replace("_", " "))


def run_look(run: Run, threads: Mapping[ThreadId, ThreadRow], now: datetime) -> RowPresentation:
    """List row of a run. If its mail was deleted, the row says so."""
    thread = threads.get(run.thread_id)
    who = thread.sender if thread else QCoreApplication.translate("Activity", "Deleted mail")
    subject = (thread.subject if thread else "") or QCoreApplication.translate("Words", "(no subject)")
    status = status_chip(run.status)
    when = when_short(run.created_at, now)
    snippet = run.error or route_words(run)
    spoken = ", ".join((who, subject, status.text, snippet, when))
    return RowPresentation(who, subject, snippet, when, spoken, chips=(status,))
