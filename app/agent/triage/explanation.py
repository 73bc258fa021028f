"""The reason that explains a verdict, made from the features that decided it."""

from collections.abc import Iterator, Mapping, Sequence

from app.agent.triage.cues import Cue
from app.agent.triage.evidence import MailEvidence
from app.agent.triage.threat_signs import ThreatSign
from app.domain.language.speech_acts import ActKind
from app.domain.mail.triage import NUMBERS, Category, Decision, Reason, ReasonClause, ReasonCode, encode_reason

_MOST_CLAUSES = 2
_MOST_THREATS = 3
_MOST_FEATURES = 6
_THREATS: Mapping[ThreatSign, ReasonClause] = {
    ThreatSign.NAME_TWIN: ReasonClause.NAME_TWIN,
    ThreatSign.POSES_AS_PROVIDER: ReasonClause.PROVIDER,
    ThreatSign.NOT_AUTHENTIC: ReasonClause.FORGED,
    ThreatSign.LINK_ELSEWHERE: ReasonClause.LINK_ELSEWHERE,
    ThreatSign.SERVICE_LINK: ReasonClause.LINK_AWAY,
    ThreatSign.REPLY_ELSEWHERE: ReasonClause.REPLY_ELSEWHERE,
    ThreatSign.ASKS_SECRETS: ReasonClause.SECRETS,
    ThreatSign.FAVOUR: ReasonClause.FAVOUR,
    ThreatSign.CALL_BACK: ReasonClause.CALL_BACK,
    ThreatSign.DANGEROUS_FILE: ReasonClause.RISKY_FILE,
    ThreatSign.FOREIGN_ACCOUNT: ReasonClause.FOREIGN_ACCOUNT,
    ThreatSign.NEW_ACCOUNT: ReasonClause.NEW_ACCOUNT,
    ThreatSign.PAY_NOW: ReasonClause.PAY_NOW,
    ThreatSign.GIFT_CARD: ReasonClause.GIFT_CARD,
    ThreatSign.ASKS_WHO: ReasonClause.PERSONAL,
    ThreatSign.ADVANCE_FEE: ReasonClause.ADVANCE_FEE,
    ThreatSign.TITLED: ReasonClause.FALSE_BOSS,
    ThreatSign.SECRECY: ReasonClause.SECRECY,
    ThreatSign.ORDERS: ReasonClause.ORDERS,
    ThreatSign.MONEY: ReasonClause.LURE,
    ThreatSign.GOODS: ReasonClause.LURE,
    ThreatSign.PITCH: ReasonClause.PITCH,
    ThreatSign.OFFER: ReasonClause.OFFER,
    ThreatSign.ASKS_SIGN_IN: ReasonClause.SIGN_IN,
    ThreatSign.URGENT: ReasonClause.HASTE,
    ThreatSign.UNPROVEN: ReasonClause.UNPROVEN,
}
"""What is said about a sign, strongest first."""

_BY_FEATURE: Mapping[str, ReasonClause] = {
    "sender_answered": ReasonClause.OFTEN_ANSWERED,
    "sender_answers": ReasonClause.OFTEN_ANSWERED,
    "asks_other": ReasonClause.ASKS_OTHERS,
    "greets_other": ReasonClause.ASKS_OTHERS,
    "list": ReasonClause.LIST,
    "unsubscribe": ReasonClause.OFFER,
    "bulk": ReasonClause.OFFER,
}
"""What is said about a feature that weighed much."""

COUNTS_FROM = 0.2
"""Log odds from which a feature counts."""


def heaviest(shipped: Mapping[str, float], owner: Mapping[str, float]) -> list[str]:
    """The features that raised a score most in both models together."""
    added = {**shipped, **{name: shipped.get(name, 0.0) + share for name, share in owner.items()}}
    return sorted((name for name in added if added[name] > COUNTS_FROM), key=added.__getitem__, reverse=True)[:_MOST_FEATURES]


def explanation(decision: Decision, category: Category, seen: MailEvidence, heaviest: Sequence[str]) -> str:
    """At most two clauses, strongest first, as they are stored. `heaviest` are the features that weighed most."""
    return encode_reason(*list(dict.fromkeys(_clauses(decision, category, seen, heaviest)))[:_MOST_CLAUSES])


def threat_reasons(seen: MailEvidence, named: ReasonCode | None = None) -> str:
    """Why a mail is called spam or phishing, or wants care, as stored. `named` stands first."""
    told = [ReasonClause.LOOKS_LIKE] if seen.threats.about else []
    told += [clause for sign, clause in _THREATS.items() if sign in seen.threats.signs]
    clauses = [Reason(one, seen.threats.about if one is ReasonClause.LOOKS_LIKE else "") for one in dict.fromkeys(told)][
        :_MOST_THREATS
    ]
    return encode_reason(*([Reason(named)] if named else []), *clauses)


def _clauses(decision: Decision, category: Category, seen: MailEvidence, heaviest: Sequence[str]) -> Iterator[Reason]:
    if decision is Decision.RESPOND:
        yield from _respond(category, seen)
    for clause in (_BY_FEATURE[name] for name in heaviest if name in _BY_FEATURE):
        if decision is Decision.RESPOND or clause is not ReasonClause.OFTEN_ANSWERED:  # to be answered seldom counts, too
            yield Reason(clause)
    yield from _sender(seen) if decision is Decision.RESPOND else _quiet(decision, seen)


def _respond(category: Category, seen: MailEvidence) -> Iterator[Reason]:
    if category is Category.COMPLAINT and seen.cues[Cue.COMPLAINT]:
        yield Reason(ReasonClause.COMPLAINT)
    if category is Category.FOLLOW_UP and seen.cues[Cue.FOLLOW_UP]:
        yield Reason(ReasonClause.STILL_OPEN)
    if category is Category.MEETING_REQUEST and (seen.cues[Cue.MEETING] or seen.dates):
        yield Reason(ReasonClause.MEETING)
    asks = seen.questions or seen.requests
    if seen.questions:
        many = Reason(ReasonClause.QUESTIONS, NUMBERS[min(seen.questions, len(NUMBERS) - 1)])
        yield Reason(ReasonClause.ONE_QUESTION) if seen.questions == 1 else many
    elif seen.requests:
        yield Reason(ReasonClause.REQUEST)
    if not asks and seen.second_person:
        yield Reason(ReasonClause.TO_YOU)


def _sender(seen: MailEvidence) -> Iterator[Reason]:
    if seen.in_reply_to_own:
        yield Reason(ReasonClause.ANSWERS_YOURS)
    elif seen.written_to:
        yield Reason(ReasonClause.WRITTEN_TO)
    elif seen.known:
        yield Reason(ReasonClause.KNOWN)
    elif seen.addressed and seen.recipients == 1:
        yield Reason(ReasonClause.ALONE)


def _quiet(decision: Decision, seen: MailEvidence) -> Iterator[Reason]:
    if seen.no_reply or seen.auto_submitted:
        yield Reason(ReasonClause.PROGRAM)
    if seen.list_unsubscribe or seen.cues[Cue.PROMOTION] >= 2:
        yield Reason(ReasonClause.OFFER)
    if seen.cues[Cue.NO_ANSWER]:
        yield Reason(ReasonClause.NO_ANSWER)
    if decision is Decision.NOTIFY and any(act.kind is ActKind.THANKS for act in seen.acts):
        yield Reason(ReasonClause.THANKS)
    if decision is Decision.NOTIFY and (seen.amounts or seen.dates):
        yield Reason(ReasonClause.FIGURE)
    if decision is Decision.IGNORE and seen.cues[Cue.RECEIPT] >= 1:
        yield Reason(ReasonClause.DONE)
    if not (seen.questions or seen.requests):
        yield Reason(ReasonClause.NOTHING_ASKED)
