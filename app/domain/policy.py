"""What an agent may do by itself: effect classes of tools, and when a draft needs nobody's approval.

Pure, and the only module that decides. Refuses to trust a confidence: the sender writes the text it is computed from, so it can
lower autonomy and never raise it. Red flags are computed in `domain.red_flags`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.draft import Draft, SpanKind
from app.domain.review import RedFlag
from app.domain.triage import Category, Triage

AUTO_APPROVE_FROM = 0.8
"""From this confidence on a reply may be approved without asking, if everything else allows it."""


class Effect(StrEnum):
    """What a tool does to the world."""

    READ = "read"
    READ_MARKS = "read_marks"
    LOCAL_WRITE = "local_write"
    SEND = "send"
    CALENDAR = "calendar"
    SHARE = "share"
    DELETE = "delete"
    NET = "net"


TOOL_EFFECTS: Mapping[str, Effect] = {
    "check_calendar": Effect.READ,
    "get_contact": Effect.READ,
    "create_draft": Effect.LOCAL_WRITE,
    "escalate": Effect.LOCAL_WRITE,
    "Question": Effect.LOCAL_WRITE,
    "Done": Effect.READ,
    "mark_as_read": Effect.READ_MARKS,
    "send_email": Effect.SEND,
    "schedule_meeting": Effect.CALENDAR,
}
"""The effect of each tool. A tool that is not here does not exist."""

QUIET = frozenset({Effect.READ, Effect.LOCAL_WRITE})
"""Effects that never ask."""


class Verdict(StrEnum):
    """What may happen with a tool call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Why(StrEnum):
    """Reason codes; the window has one sentence for each."""

    READS_ONLY = "reads_only"
    AFTER_DONE = "after_done"
    TYPED_BY_USER = "typed_by_user"
    EFFECT_ASKS = "effect_asks"
    SEND_ASKS = "send_asks"
    NOT_LISTED = "not_listed"
    APPROVED_BY_RULE = "approved_by_rule"
    AUTO_OFF = "auto_off"
    CATEGORY_NOT_ALLOWED = "category_not_allowed"
    COMPLAINT = "complaint"
    LOW_CONFIDENCE = "low_confidence"
    RED_FLAG = "red_flag"
    INCOMPLETE = "incomplete"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    NOT_TO_SENDER_ONLY = "not_to_sender_only"
    UNKNOWN_SENDER = "unknown_sender"
    DAILY_CAP = "daily_cap"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict and its reason."""

    verdict: Verdict
    why: Why


def judge_tool(tool: str, listed: Collection[str], typed_by_user: bool = False, done: bool = False) -> Ruling:
    """Whether a tool call may run. `listed` are the tools of the profile; `typed_by_user`: the user typed every argument that
    matters in this request; `done`: the run's work is finished, so that reading marks may be set."""
    effect = TOOL_EFFECTS.get(tool)
    if effect is None or tool not in listed:
        return Ruling(Verdict.DENY, Why.NOT_LISTED)
    if effect in QUIET:
        return Ruling(Verdict.ALLOW, Why.READS_ONLY)
    if effect is Effect.READ_MARKS and done:
        return Ruling(Verdict.ALLOW, Why.AFTER_DONE)
    if effect is Effect.SEND:
        return Ruling(Verdict.ASK, Why.SEND_ASKS)
    if typed_by_user:
        return Ruling(Verdict.ALLOW, Why.TYPED_BY_USER)
    return Ruling(Verdict.ASK, Why.EFFECT_ASKS)


@dataclass(frozen=True, slots=True)
class AutoApprove:
    """The user's setting: off unless categories are named. `daily_cap` is the most replies a day."""

    categories: frozenset[Category] = frozenset()
    daily_cap: int = 10


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What code knows about a reply: `answers` is the address the mail is answered at (lower case), `written_to` whether the
    owner has written to it before, `approved_today` the automatic approvals so far."""

    answers: str
    written_to: bool
    approved_today: int


def judge_reply(setting: AutoApprove, triage: Triage, draft: Draft, flags: Collection[RedFlag], seen: Circumstances) -> Ruling:
    """Whether a drafted reply may become a Gmail draft without asking."""
    recipients = {one.email.lower() for one in draft.recipients}
    doubts: list[tuple[bool, Why]] = [
        (not setting.categories, Why.AUTO_OFF),
        (triage.category is Category.COMPLAINT, Why.COMPLAINT),
        (triage.category not in setting.categories, Why.CATEGORY_NOT_ALLOWED),
        (not triage.confidence >= AUTO_APPROVE_FROM, Why.LOW_CONFIDENCE),
        (not draft.complete, Why.INCOMPLETE),
        (any(span.kind is SpanKind.UNSUPPORTED for span in draft.spans), Why.UNSUPPORTED_CLAIM),
        (bool(flags), Why.RED_FLAG),
        (recipients != {seen.answers}, Why.NOT_TO_SENDER_ONLY),
        (not seen.written_to, Why.UNKNOWN_SENDER),
        (seen.approved_today >= setting.daily_cap, Why.DAILY_CAP),
    ]
    why = next((why for doubt, why in doubts if doubt), None)
    return Ruling(Verdict.ALLOW, Why.APPROVED_BY_RULE) if why is None else Ruling(Verdict.ASK, why)
