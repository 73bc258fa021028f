"""Decides what an agent may do alone: the effects of tools, and which replies need no approval. Pure functions.

No other module decides this. `red_flags` in this package computes the flags.
"""

from collections.abc import Collection
from enum import StrEnum

from app.domain.drafting.draft import Draft, SpanKind
from app.domain.drafting.review import RedFlag
from app.domain.mail.triage import Category, Triage
from app.domain.record import Record

AUTO_APPROVE_FROM = 0.8
"""From this confidence on, a reply may be approved automatically if everything else allows it."""


class Effect(StrEnum):
    READ = "read"
    READ_MARKS = "read_marks"
    LOCAL_WRITE = "local_write"
    SEND = "send"
    CALENDAR = "calendar"
    DELETE = "delete"
    NET = "net"


QUIET = frozenset({Effect.READ, Effect.LOCAL_WRITE})
"""Effects that never need approval."""


class Verdict(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class PolicyReason(StrEnum):
    """Reason codes; the window has a sentence for each."""

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
    PAUSED = "paused"
    ITERATIONS_SPENT = "iterations_spent"
    TOKENS_SPENT = "tokens_spent"
    SENDS_SPENT = "sends_spent"
    SENDS_THIS_HOUR = "sends_this_hour"
    BAD_RECIPIENT = "bad_recipient"
    NOT_AN_ARTIFACT = "not_an_artifact"
    TOOL_ASKS = "tool_asks"
    OWNER_ALLOWS = "owner_allows"
    OWNER_REFUSED = "owner_refused"
    PLAN_CHANGED = "plan_changed"
    BAD_ARGUMENTS = "bad_arguments"
    NET_WITHIN_RULES = "net_within_rules"
    NET_PRIVATE_WORDS = "net_private_words"
    NET_TOO_LONG = "net_too_long"
    NET_BAD_ADDRESS = "net_bad_address"
    NET_HOST_NOT_ALLOWED = "net_host_not_allowed"
    NET_QUERY_NOT_TYPED = "net_query_not_typed"


class Ruling(Record):
    verdict: Verdict
    why: PolicyReason


class Budget(Record):
    """Limits of one run. Model turns, tokens, sends of this run, and sends of all agents in an hour."""

    iterations: int = 10
    tokens: int = 200_000
    sends: int = 1
    sends_an_hour: int = 20


class BudgetSpent(Record):
    """How much of a budget is used; `sends` are those the owner approved."""

    iterations: int = 0
    tokens: int = 0
    sends: int = 0
    sends_this_hour: int = 0


def overspent(effect: Effect, budget: Budget, spent: BudgetSpent) -> PolicyReason | None:
    """Returns which limit another call would exceed, None if there is room."""
    sending = effect is Effect.SEND
    limits = [
        (spent.iterations > budget.iterations, PolicyReason.ITERATIONS_SPENT),
        (spent.tokens > budget.tokens, PolicyReason.TOKENS_SPENT),
        (sending and spent.sends >= budget.sends, PolicyReason.SENDS_SPENT),
        (sending and spent.sends_this_hour >= budget.sends_an_hour, PolicyReason.SENDS_THIS_HOUR),
    ]
    return next((why for broken, why in limits if broken), None)


class CallFacts(Record):
    """What is known of a tool call.

    `listed`: the agent has this tool. `typed`: the user typed every argument that matters in this request. `asks`: calls like
    this one need approval although their effect would not. `owner_allows`: the owner allowed this tool for good. `net_clean`: a
    net call within its rules. `trouble`: what forbids the call, worst first.
    """

    effect: Effect
    listed: bool
    typed: bool = False
    asks: bool = False
    owner_allows: bool = False
    net_clean: bool = False
    done: bool = False
    paused: bool = False
    denial: PolicyReason | None = None


def judge_call(call: CallFacts) -> Ruling:
    """Decides whether a call may run, needs approval, or is denied. A `send` always needs approval."""
    if call.paused:
        return Ruling(Verdict.DENY, PolicyReason.PAUSED)
    if not call.listed:
        return Ruling(Verdict.DENY, PolicyReason.NOT_LISTED)
    if call.denial is not None:
        return Ruling(Verdict.DENY, call.denial)
    if call.effect is Effect.SEND:
        return Ruling(Verdict.ASK, PolicyReason.SEND_ASKS)
    allowed = [
        (call.effect in QUIET and not call.asks, PolicyReason.READS_ONLY),
        (call.effect is Effect.READ_MARKS and call.done, PolicyReason.AFTER_DONE),
        (call.net_clean and not call.asks, PolicyReason.NET_WITHIN_RULES),
        (call.typed, PolicyReason.TYPED_BY_USER),
        (call.owner_allows, PolicyReason.OWNER_ALLOWS),
    ]
    why = next((why for holds, why in allowed if holds), None)
    if why is not None:
        return Ruling(Verdict.ALLOW, why)
    return Ruling(Verdict.ASK, PolicyReason.TOOL_ASKS if call.asks else PolicyReason.EFFECT_ASKS)


class AutoApprove(Record):
    """The user's setting: off unless categories are named. `daily_cap` is in replies."""

    categories: frozenset[Category] = frozenset()
    daily_cap: int = 10


class ReplyFacts(Record):
    """What is known of a reply.

    `answers` is the address the message is answered at (lower case); `written_to`, whether the owner has written to it before;
    `approved_today`, the number of automatic approvals.
    """

    answers: str
    written_to: bool
    approved_today: int


def judge_reply(setting: AutoApprove, triage: Triage, draft: Draft, flags: Collection[RedFlag], seen: ReplyFacts) -> Ruling:
    """Decides whether a drafted reply may become a Gmail draft without approval."""
    recipients = {address.email.lower() for address in draft.recipients}
    doubts: list[tuple[bool, PolicyReason]] = [
        (not setting.categories, PolicyReason.AUTO_OFF),
        (triage.category is Category.COMPLAINT, PolicyReason.COMPLAINT),
        (triage.category not in setting.categories, PolicyReason.CATEGORY_NOT_ALLOWED),
        (not triage.confidence >= AUTO_APPROVE_FROM, PolicyReason.LOW_CONFIDENCE),
        (not draft.complete, PolicyReason.INCOMPLETE),
        (any(span.kind is SpanKind.UNSUPPORTED for span in draft.spans), PolicyReason.UNSUPPORTED_CLAIM),
        (bool(draft.attachments) or any(flag.red for flag in flags), PolicyReason.RED_FLAG),
        (recipients != {seen.answers}, PolicyReason.NOT_TO_SENDER_ONLY),
        (not seen.written_to, PolicyReason.UNKNOWN_SENDER),
        (seen.approved_today >= setting.daily_cap, PolicyReason.DAILY_CAP),
    ]
    why = next((why for doubt, why in doubts if doubt), None)
    return Ruling(Verdict.ALLOW, PolicyReason.APPROVED_BY_RULE) if why is None else Ruling(Verdict.ASK, why)
