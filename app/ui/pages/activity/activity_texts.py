"""Texts of the Activity page: run status, routes, nodes, the trace of a run, and a day's numbers for charts and table."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.domain.agents.runs import DailyWork, Route, Run, RunStatus, TraceStep, middle
from app.domain.ids import ThreadId
from app.domain.mail.message import ThreadRow
from app.domain.mail.triage import Category
from app.ui.i18n.formatting import (
    category_words,
    clock_words,
    day_words,
    decision_words,
    money_words,
    number_words,
    reason_words,
    seconds_words,
    tool_name,
    when_short,
)
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
        QCoreApplication.translate("Charts", "Time per email"),
        QCoreApplication.translate("Charts", "Drafts"),
        QCoreApplication.translate("Charts", "Model usage"),
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
        RunStatus.WAITING: Chip(QCoreApplication.translate("Activity", "waiting for you"), "warning"),
        RunStatus.DONE: Chip(QCoreApplication.translate("Activity", "done"), "positive"),
        RunStatus.NEEDS_REVIEW: Chip(QCoreApplication.translate("Activity", "needs attention"), "warning"),
        RunStatus.FAILED: Chip(QCoreApplication.translate("Activity", "failed"), "danger"),
        RunStatus.SUPERSEDED: Chip(QCoreApplication.translate("Activity", "replaced by a newer email")),
    }[status]


def route_words(run: Run) -> str:
    words = {
        Route.PIPELINE: QCoreApplication.translate("Activity", "standard"),
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
        "route": QCoreApplication.translate("Activity", "Received the message"),
        "classify": QCoreApplication.translate("Activity", "Sorted it"),
        "triage_interrupt": QCoreApplication.translate("Activity", "Notified you"),
        "triage_gate": QCoreApplication.translate("Activity", "Got your answer"),
        "retrieve": QCoreApplication.translate("Activity", "Gathered sources"),
        "decide": QCoreApplication.translate("Activity", "Decided what to do"),
        "execute_tools": QCoreApplication.translate("Activity", "Ran tools"),
        "generate": QCoreApplication.translate("Activity", "Wrote a draft"),
        "check": QCoreApplication.translate("Activity", "Checked the draft"),
        "review": QCoreApplication.translate("Activity", "Asked for your review"),
        "gate": QCoreApplication.translate("Activity", "Got your decision"),
        "dispatch": QCoreApplication.translate("Activity", "Carried it out"),
        "llm_call": QCoreApplication.translate("Activity", "Asked the model for the next step"),
        "interrupt_plan": QCoreApplication.translate("Activity", "Checked the next step"),
        "interrupt_gate": QCoreApplication.translate("Activity", "Got your decision on the step"),
        "interrupt_act": QCoreApplication.translate("Activity", "Ran the step"),
        "mark_as_read_node": QCoreApplication.translate("Activity", "Finished; the email will be marked as read"),
        "needs_review": QCoreApplication.translate("Activity", "Handed to you"),
        "profile_agent": QCoreApplication.translate("Activity", "Asked the model for the next step"),
        "profile_plan": QCoreApplication.translate("Activity", "Checked the next step"),
        "profile_gate": QCoreApplication.translate("Activity", "Got your decision on the step"),
        "profile_act": QCoreApplication.translate("Activity", "Ran the step"),
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


EXCERPT = 600
"""Characters of a mail or of a tool's result in the trace. The whole is under the technical details."""
Line = tuple[str, str]
"""What a line of the trace is about, and its text. The first line of a step has no text."""


def trace_lines(steps: Sequence[TraceStep]) -> Iterator[Line]:
    """The trace of a run for people: each step with what it read, asked, used and wrote, and its error."""
    purposes = {
        "triage": QCoreApplication.translate("Trace", "to sort the email"),
        "generate": QCoreApplication.translate("Trace", "to write a draft"),
        "agent": QCoreApplication.translate("Trace", "for the next step"),
        "memory": QCoreApplication.translate("Trace", "to learn from your decision"),
    }
    known: dict[str, Any] = {}
    for step in steps:
        yield f"{clock_words(step.log.at)}  {node_words(step.log.step_name)}", ""
        yield from _read_lines(step, known)
        for call in step.models:
            words = (call.model, purposes.get(call.call_type, ""), f"({call.error})" if call.error else "")
            yield QCoreApplication.translate("Trace", "Asked the model"), " ".join(filter(None, words))
        for tool in step.tools:
            result = tool.error or "\n".join(_pairs(tool.result))
            lines = [tool_name(tool.tool), *_pairs(tool.arguments), *([f"→ {_short(result)}"] if result else [])]
            yield QCoreApplication.translate("Trace", "Used"), "\n".join(lines)
        yield from _wrote_lines(step)
        if step.log.error:
            yield QCoreApplication.translate("Trace", "Error"), step.log.error
        known = {**step.read, **step.wrote}


def trace_text(title: str, steps: Sequence[TraceStep]) -> str:
    lines = (f"    {name}: {text}".replace("\n", "\n        ") if text else f"\n{name}" for name, text in trace_lines(steps))
    return "\n".join([title, *lines]) + "\n"


def trace_json(steps: Sequence[TraceStep]) -> str:
    """The trace with everything that is stored, as JSON."""
    rows = [
        {
            "step": step.log.step_name,
            "at": step.log.at.isoformat(),
            "latency_ms": step.log.latency_ms,
            "error": step.log.error,
            "read": step.read,
            "wrote": step.wrote,
            "models": [{"model": one.model, "for": one.call_type, "error": one.error} for one in step.models],
            "tools": [{"tool": one.tool, "arguments": parsed(one.arguments), "result": parsed(one.result)} for one in step.tools],
        }
        for step in steps
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2, default=str)


READERS = {
    "route": ("email",),
    "classify": ("email",),
    "retrieve": ("email",),
    "execute_tools": ("selected_tools",),
    "generate": ("email", "context"),
    "check": ("context",),
    "review": ("draft_response",),
    "gate": ("draft_response",),
    "dispatch": ("draft_response",),
    "llm_call": ("email", "messages"),
    "profile_agent": ("email", "messages"),
}
"""The fields of the state that a node works on."""


def _read_lines(step: TraceStep, known: Mapping[str, Any]) -> Iterator[Line]:
    """What the node read; the text of the mail only where it comes first."""
    for field in READERS.get(step.log.step_name, ()):
        value = step.read.get(field)
        if not value:
            continue
        if field == "email":
            words = _mail_line(value, whole=not known)
        elif field == "draft_response":
            words = QCoreApplication.translate("Trace", "the draft")
        else:
            mail = step.read.get("email")  # which is no source of its own
            others = [one for one in value if mail is None or not isinstance(one, dict) or one.get("mail") != mail]
            words = _field_words(field, others)
        if words:
            yield QCoreApplication.translate("Trace", "Read"), words


def _wrote_lines(step: TraceStep) -> Iterator[Line]:
    names = {
        "decision": QCoreApplication.translate("Trace", "Sorted as"),
        "reason": QCoreApplication.translate("Trace", "Why"),
        "context": QCoreApplication.translate("Trace", "Found"),
        "selected_tools": QCoreApplication.translate("Trace", "Tools"),
        "draft_response": QCoreApplication.translate("Trace", "Draft"),
        "unsupported": QCoreApplication.translate("Trace", "Without a source"),
        "feedback": QCoreApplication.translate("Trace", "You wrote"),
        "without_model": QCoreApplication.translate("Trace", "Without the model"),
        "call": QCoreApplication.translate("Trace", "Next step"),
        "final_response": QCoreApplication.translate("Trace", "Outbox"),
        "failure": QCoreApplication.translate("Trace", "Error"),
        "outcome": QCoreApplication.translate("Trace", "Outcome"),
    }
    for field, name in names.items():
        value = step.wrote.get(field)
        words = _field_words(field, value) if value and value != step.read.get(field) else ""
        if words:
            yield name, words


def _field_words(field: str, value: Any) -> str:
    match field, value:
        case "decision", str():
            return decision_words(value)
        case "reason" | "without_model", str():
            return reason_words(value)
        case "context", list():
            return "\n".join(filter(None, (_mail_line(one.get("mail"), whole=False) for one in value)))
        case "selected_tools", list():
            return ", ".join(tool_name(str(one)) for one in value)
        case "unsupported", list():
            return ", ".join(map(str, value))
        case "messages", list():
            return QCoreApplication.translate("Trace", "results of tools: %1").replace("%1", number_words(len(value)))
        case "draft_response", dict():
            return str(value.get("body", ""))
        case "final_response", dict():
            return f"{value.get('subject', '')} → {value.get('recipients', '')} ({value.get('state', '')})"
        case "outcome", str() if value in list(RunStatus):
            return status_chip(RunStatus(value)).text
    return value if isinstance(value, str) else ""


def _mail_line(mail: Mapping[str, Any] | None, whole: bool) -> str:
    if not isinstance(mail, Mapping):
        return QCoreApplication.translate("Trace", "an email that has since been deleted")
    words = QCoreApplication.translate("Trace", "“%1” from %2").replace("%1", str(mail["subject"]))
    words = words.replace("%2", str(mail["sender_email"]))
    return f"{words}\n{_short(str(mail['text']))}" if whole else words


def _pairs(text: str) -> list[str]:
    """The members of a JSON object, one a line."""
    value = parsed(text)
    if isinstance(value, dict):
        return [f"{name}: {one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)}" for name, one in value.items()]
    return [str(value)] if value not in (None, "") else []


def parsed(text: str) -> Any:
    """Parses JSON; returns the text itself if it is not JSON."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):  # RecursionError: deeply nested brackets
        return text


def _short(text: str) -> str:
    return text.strip() if len(text) <= EXCERPT else text[:EXCERPT].strip() + "…"
