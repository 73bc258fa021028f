"""Profiles and servers in words: limits, states of servers and of tools. No widget here."""

from PySide6.QtCore import QCoreApplication, QLocale

from app.domain.audit import AgentStatus
from app.domain.policy import Verdict
from app.domain.profile_commands import ProfileRow
from app.domain.profile_trial import ProfileTried
from app.domain.servers import ServerState, ToolState
from app.domain.tools import Asking


def limits_words(profile: ProfileRow) -> str:
    """Model and limits in a line."""
    words = QCoreApplication.translate("Profiles", "%1 · at most %2 turns · %3 tokens an answer · temperature %4")
    locale = QLocale()
    values = (
        profile.model,
        locale.toString(profile.max_iterations),
        locale.toString(profile.max_tokens),
        locale.toString(profile.temperature, "g", 3),
    )
    for at, value in enumerate(values, 1):
        words = words.replace(f"%{at}", value)
    return words


def server_words(state: ServerState) -> str:
    """How a server stands."""
    return {
        ServerState.NEEDS_CONSENT: QCoreApplication.translate("Profiles", "needs your consent"),
        ServerState.STARTING: QCoreApplication.translate("Profiles", "starting"),
        ServerState.RUNNING: QCoreApplication.translate("Profiles", "running"),
        ServerState.RETRYING: QCoreApplication.translate("Profiles", "ended, tried again soon"),
        ServerState.STOPPED: QCoreApplication.translate("Profiles", "stopped"),
    }[state]


SERVER_TONES = {
    ServerState.NEEDS_CONSENT: "warning",
    ServerState.STARTING: "",
    ServerState.RUNNING: "positive",
    ServerState.RETRYING: "danger",
    ServerState.STOPPED: "",
}


def tool_words(state: ToolState, asking: Asking) -> str:
    """Whether a tool is offered, and whether its calls ask."""
    if state is ToolState.AGREED:
        return {
            Asking.ASK: QCoreApplication.translate("Profiles", "offered, asks each time"),
            Asking.ALLOW: QCoreApplication.translate("Profiles", "offered, allowed by you"),
        }[asking]
    return {
        ToolState.NEW: QCoreApplication.translate("Profiles", "new, off until you agree"),
        ToolState.CHANGED: QCoreApplication.translate("Profiles", "described differently now, off until you agree"),
        ToolState.UNFIT: QCoreApplication.translate("Profiles", "cannot be offered to a model"),
    }[state]


def tried_words(tried: ProfileTried) -> str:
    """A trial as plain text: how it ended, each call, the last words."""
    ends = {
        AgentStatus.COMPLETED: QCoreApplication.translate("Profiles", "The agent finished."),
        AgentStatus.MAX_ITERATIONS: QCoreApplication.translate("Profiles", "The agent used up its turns."),
        AgentStatus.ERROR: QCoreApplication.translate("Profiles", "The agent could not go on."),
    }
    held = {
        Verdict.ALLOW: QCoreApplication.translate("Profiles", "held back; it would have run without asking"),
        Verdict.ASK: QCoreApplication.translate("Profiles", "held back; it would have asked you"),
        Verdict.DENY: QCoreApplication.translate("Profiles", "refused"),
    }
    ran = QCoreApplication.translate("Profiles", "read")
    lines = [ends[AgentStatus(tried.status)]]
    for at, call in enumerate(tried.calls, 1):
        lines += ["", f"{at}. {call.tool}: {ran if call.ran else held[Verdict(call.verdict)]}", f"   {call.arguments}"]
        lines += [f"   → {call.result}"] if call.result else []
    if tried.final_message:
        lines += ["", QCoreApplication.translate("Profiles", "Its last words:"), tried.final_message]
    return "\n".join(lines)
