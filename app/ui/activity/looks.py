"""How runs look as rows and in words: status, way, node names."""

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.ids import ThreadId
from app.domain.mail import ThreadRow
from app.domain.runs import Route, Run, RunStatus
from app.ui.lists.look import Chip, RowLook
from app.ui.text import when_short

TONES = {
    RunStatus.QUEUED: "",
    RunStatus.RUNNING: "accent",
    RunStatus.WAITING: "warning",
    RunStatus.DONE: "positive",
    RunStatus.NEEDS_REVIEW: "warning",
    RunStatus.FAILED: "danger",
    RunStatus.SUPERSEDED: "",
}
"""The chip's tone for each status."""


def status_words(status: RunStatus) -> str:
    """A run's status."""
    words = {
        RunStatus.QUEUED: QCoreApplication.translate("Activity", "queued"),
        RunStatus.RUNNING: QCoreApplication.translate("Activity", "running"),
        RunStatus.WAITING: QCoreApplication.translate("Activity", "waits for you"),
        RunStatus.DONE: QCoreApplication.translate("Activity", "done"),
        RunStatus.NEEDS_REVIEW: QCoreApplication.translate("Activity", "needs your eyes"),
        RunStatus.FAILED: QCoreApplication.translate("Activity", "failed"),
        RunStatus.SUPERSEDED: QCoreApplication.translate("Activity", "overtaken by a newer mail"),
    }
    return words[status]


def route_words(run: Run) -> str:
    """Which way a mail went, and by whose word."""
    words = {
        Route.PIPELINE: QCoreApplication.translate("Activity", "the usual way"),
        Route.RESPONSE_AGENT: QCoreApplication.translate("Activity", "the response agent"),
        Route.AGENT: QCoreApplication.translate("Activity", "the agent “%1”").replace("%1", run.profile),
    }
    way = words[run.route]
    if run.rule:
        way = QCoreApplication.translate("Activity", "%1, by the rule “%2”").replace("%1", way).replace("%2", run.rule)
    return way


def node_words(name: str) -> str:
    """A node of the graph in words; an unknown one (a rule's agent, an older graph) by its own name."""
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
        "interrupt_plan": QCoreApplication.translate("Activity", "Looked at the next step"),
        "interrupt_gate": QCoreApplication.translate("Activity", "Heard your word on the step"),
        "interrupt_act": QCoreApplication.translate("Activity", "Took the step"),
        "mark_as_read_node": QCoreApplication.translate("Activity", "Finished; the mail is to be marked read"),
        "needs_review": QCoreApplication.translate("Activity", "Handed over to you"),
        "profile_agent": QCoreApplication.translate("Activity", "Asked the model for the next step"),
        "profile_plan": QCoreApplication.translate("Activity", "Looked at the next step"),
        "profile_gate": QCoreApplication.translate("Activity", "Heard your word on the step"),
        "profile_act": QCoreApplication.translate("Activity", "Took the step"),
        "profile_end": QCoreApplication.translate("Activity", "Carried it out"),
    }
    return words.get(name, name.replace("_", " "))


def run_look(run: Run, threads: Mapping[ThreadId, ThreadRow], now: datetime) -> RowLook:
    """A run in the list. Its mail may be gone; then the run's way stands for it."""
    thread = threads.get(run.thread_id)
    who = thread.sender if thread else QCoreApplication.translate("Activity", "Deleted mail")
    subject = (thread.subject if thread else "") or QCoreApplication.translate("Words", "(no subject)")
    status = status_words(run.status)
    when = when_short(run.created_at, now)
    snippet = run.error or route_words(run)
    spoken = ", ".join((who, subject, status, snippet, when))
    return RowLook(who, subject, snippet, when, spoken, chips=(Chip(status, TONES[run.status]),))
