"""Preferences learned from the user's decisions, each with its source. Pure functions.

Code follows a preference that has a `PreferenceRule`, with or without a language model; its sentence is made from the rule.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from app.domain.ids import MessageId, ReviewId
from app.domain.mail.message import Message
from app.domain.mail.recipients import SHARED_DOMAINS
from app.domain.mail.triage import Category, Decision, OwnerVerdict, Reason, ReasonCode, Triage, encode_reason
from app.domain.record import Record

TWICE = 2
"""This many decisions of the same kind on mail of one sender make a rule."""

LONGEST_TEXT = 300
"""Characters of one preference."""

LONGEST_PROFILE = 2000
"""Characters of one part of the owner's profile."""

MAKER = "rule:preference"
SETTLED_FOR_GOOD = frozenset({"rule:phishing", "rule:spam-label", "rule:own-mail"})
"""Makers whose verdict no preference changes."""

AUTOMATIC_MAIL = frozenset({"rule:delivery-status", "rule:auto-submitted"})
"""Makers whose mail is never answered, whatever preference the sender has."""


class Namespace(StrEnum):
    TRIAGE = "triage_preferences"
    RESPONSE = "response_preferences"
    CALENDAR = "cal_preferences"
    BACKGROUND = "background"


class RuleKind(StrEnum):
    SENDER = "sender"
    CORRECTION = "correction"
    GREETING = "greeting"
    SIGN_OFF = "sign_off"
    FORM_OF_ADDRESS = "form_of_address"
    SIGNATURE = "signature"
    MEETING_LENGTH = "meeting_length"
    MEETING_TIME = "meeting_time"
    VOICE = "voice"
    OWNER_FACTS = "owner_facts"


PROFILE = frozenset({RuleKind.VOICE, RuleKind.OWNER_FACTS})
"""What is made from sent mail, for one account each. Edited, its text is the owner's and its value is kept for later."""


class RejectionReason(StrEnum):
    """Why a draft was rejected, as far as code understands it. The first three after `NONE` mean that no answer is wanted."""

    NONE = ""
    NO_ANSWER = "no_answer"
    NEVER_SENDER = "never_sender"
    NEVER_DOMAIN = "never_domain"
    TONE = "tone"
    FACTS = "facts"
    OWN_WORDS = "own_words"


NOT_WANTED = frozenset({RejectionReason.NO_ANSWER, RejectionReason.NEVER_SENDER, RejectionReason.NEVER_DOMAIN})
"""Reasons that concern the message and not the draft."""


class PreferenceRule(Record):
    """A preference that code can follow.

    `scope` is `sender:`, `domain:`, `list:` or `person:` and an address or id in lower case, `message:` with the message's id,
    sender and subject, `account:` with its id, a language (`en`, `cs`, `de`), or empty for everywhere. `value` depends on
    `kind`: a `Decision` value for a sender; an `OwnerVerdict` for a corrected message; the text of a greeting (`{first}` is the
    first name) or sign-off (empty: none); `ty` or `vy` for the form of address; empty for the signature (its lines are left out);
    minutes for the length of meetings; `HH:MM` for their start; JSON for the parts of the owner's profile.
    """

    kind: RuleKind
    scope: str
    value: str

    @property
    def about(self) -> str:
        """The scope without its kind."""
        return self.scope.partition(":")[2] or self.scope


class Preference(Record):
    """One preference row.

    `text` goes into prompts. `rule` is None if only a model can follow it. `source_review` is 0 if the user typed it; `evidence`
    are all reviews that taught it; `typed` marks the user's own text, which nothing changes automatically. What was seen only
    once is not `confirmed` and changes nothing yet.
    """

    id: int
    namespace: Namespace
    text: str
    source_review: ReviewId
    created_at: datetime
    uses: int
    rule: PreferenceRule | None = None
    evidence: tuple[ReviewId, ...] = ()
    typed: bool = False
    deleted_at: datetime | None = None
    confirmed: bool = True


class MailFeedback(StrEnum):
    """What a decision said about its message."""

    REJECTED = "rejected"
    WISHED = "wished"
    NOTHING = "nothing"


class PreferenceChange(StrEnum):
    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


class Lesson(Record):
    """A proposed change of one preference.

    `target` is the preference to replace or remove, 0 for an addition. A rule replaces the one with the same kind and scope
    automatically. `evidence` are earlier reviews that say the same. A lesson is kept but not followed until `SIGNS` decisions
    teach it, unless it is `sure`, because the user chose exactly this.
    """

    change: PreferenceChange
    namespace: Namespace
    text: str = ""
    rule: PreferenceRule | None = None
    target: int = 0
    evidence: tuple[ReviewId, ...] = ()
    sure: bool = False


SIGNS = 2
"""Decisions that must teach the same before it is followed."""


class SenderIdentity(Record):
    """The sender as rules see it. `written_to`: the owner has written there before."""

    email: str
    list_id: str
    written_to: bool

    @property
    def domain(self) -> str:
        return self.email.rpartition("@")[2]


def sender_of(message: Message, written_to: bool) -> SenderIdentity:
    return SenderIdentity(message.sender.email.lower(), _list_id(message), written_to)


def lesson_of(rule: PreferenceRule, evidence: Sequence[ReviewId] = (), sure: bool = False) -> Lesson:
    namespaces = {
        RuleKind.SENDER: Namespace.TRIAGE,
        RuleKind.CORRECTION: Namespace.TRIAGE,
        RuleKind.MEETING_LENGTH: Namespace.CALENDAR,
        RuleKind.MEETING_TIME: Namespace.CALENDAR,
    }
    return Lesson(
        PreferenceChange.ADD, namespaces.get(rule.kind, Namespace.RESPONSE), sentence(rule), rule, 0, tuple(evidence), sure
    )


def learn_from_rejection(sender: SenderIdentity, reason: RejectionReason, rejections: Sequence[ReviewId]) -> Lesson | None:
    """The lesson from a rejected draft, None for none.

    Given at once if the user chose a reason about the sender, otherwise at the second rejection. `rejections` are the standing
    rejections of that sender's mail, this one included, that did not concern the draft.
    """
    if reason not in NOT_WANTED and reason is not RejectionReason.NONE:
        return None
    quiet = Decision.NOTIFY if sender.written_to else Decision.IGNORE
    if reason is RejectionReason.NEVER_DOMAIN and sender.domain and sender.domain not in SHARED_DOMAINS:
        return lesson_of(PreferenceRule(RuleKind.SENDER, f"domain:{sender.domain}", quiet), sure=True)
    if reason in (RejectionReason.NEVER_SENDER, RejectionReason.NEVER_DOMAIN):
        scope = f"list:{sender.list_id}" if sender.list_id else f"sender:{sender.email}"
        return lesson_of(PreferenceRule(RuleKind.SENDER, scope, quiet), sure=True)
    if len(set(rejections)) >= TWICE:
        return lesson_of(PreferenceRule(RuleKind.SENDER, f"sender:{sender.email}", quiet), rejections)
    return None


def learn_from_wish(sender: SenderIdentity, wishes: Sequence[ReviewId]) -> Lesson | None:
    """The lesson when the user wants to answer a sender's mail again.

    Given at the second time, for mail that triage had merely shown.
    """
    if len(set(wishes)) < TWICE or sender.list_id:
        return None
    return lesson_of(PreferenceRule(RuleKind.SENDER, f"sender:{sender.email}", Decision.RESPOND), wishes)


def settle_by_rules(verdict: Triage, message: Message, written_to: bool, known: Iterable[Preference]) -> tuple[Triage, int]:
    """Applies preferences about the sender to a verdict.

    Returns the verdict and the id of the preference that decided (0: none).
    """
    found = _rule_about(message, known)
    if found is None or found.rule is None or verdict.maker in SETTLED_FOR_GOOD:
        return verdict, 0
    decision = Decision(found.rule.value)
    if decision is Decision.RESPOND and verdict.maker in AUTOMATIC_MAIL:
        return verdict, 0
    if decision is Decision.IGNORE and written_to and not found.rule.scope.startswith("list:"):
        decision = Decision.NOTIFY
    category = Category.OTHER if verdict.category is Category.SPAM else verdict.category
    code = ReasonCode.TAUGHT_ANSWER if decision is Decision.RESPOND else ReasonCode.TAUGHT_QUIET
    return Triage(decision, category, 1.0, encode_reason(Reason(code, found.rule.about)), MAKER), found.id


def sentence(rule: PreferenceRule) -> str:
    """A rule in English, for prompts and logs. The window has its own texts."""
    match rule.kind:
        case RuleKind.SENDER:
            ends = {"ignore": "is ignored", "notify": "is shown and not answered", "respond": "gets a draft"}
            return f"Mail from {rule.about} {ends[rule.value]}."
        case RuleKind.CORRECTION:
            sender, subject = corrected_mail(rule)
            return f'The email "{subject}" from {sender} {_CORRECTED[OwnerVerdict(rule.value)]}.'
        case RuleKind.GREETING:
            return f"Begin replies {_where(rule)} with: {rule.value}"
        case RuleKind.SIGN_OFF:
            words = rule.value.replace("\n", " / ")
            return f"End replies {_where(rule)} with: {words}" if words else f"End replies {_where(rule)} without a closing."
        case RuleKind.FORM_OF_ADDRESS:
            return f"In Czech, address {rule.about} with {'ty (tykání)' if rule.value == 'ty' else 'vy (vykání)'}."
        case RuleKind.SIGNATURE:
            return "Leave the lines of the signature out of the text; it is added."
        case RuleKind.MEETING_LENGTH:
            return f"Meetings {_with_whom(rule)} last {rule.value} minutes."
        case RuleKind.MEETING_TIME:
            return f"Meetings {_with_whom(rule)} begin around {rule.value} where that is free."
        case RuleKind.VOICE | RuleKind.OWNER_FACTS:
            return rule.value


_CORRECTED = {
    OwnerVerdict.NEEDS_REPLY: "needed a reply",
    OwnerVerdict.FOR_INFORMATION: "was for information only",
    OwnerVerdict.NO_ACTION: "needed no attention",
    OwnerVerdict.SPAM: "was spam",
    OwnerVerdict.NOT_SPAM: "was not spam",
    OwnerVerdict.PHISHING: "was phishing",
    OwnerVerdict.NOT_SUSPICIOUS: "was not suspicious",
}
LONGEST_SUBJECT = 120


def correction_rule(message: Message, verdict: OwnerVerdict) -> PreferenceRule:
    subject = " ".join(message.subject.split())[:LONGEST_SUBJECT]
    return PreferenceRule(RuleKind.CORRECTION, f"message:{message.id} {message.sender.email.lower()} {subject}", verdict)


def corrected_mail(rule: PreferenceRule) -> tuple[str, str]:
    """Sender and subject of the message that a correction is about."""
    _id, sender, subject = rule.about.split(" ", 2)
    return sender, subject


def correction_of(message_id: MessageId, known: Iterable[Preference]) -> OwnerVerdict | None:
    """The owner's verdict on a message, None where there is none."""
    start = f"message:{message_id} "
    rules = (one.rule for one in known if one.rule is not None and one.rule.kind is RuleKind.CORRECTION)
    return next((OwnerVerdict(rule.value) for rule in rules if rule.scope.startswith(start)), None)


EDITABLE = frozenset({RuleKind.GREETING, RuleKind.SIGN_OFF})
"""Rules whose value is the user's own text."""


def with_value(rule: PreferenceRule, value: str) -> PreferenceRule:
    """The rule with another text. Raises `ValueError` if its value is not free text."""
    if rule.kind not in EDITABLE:
        raise ValueError(f"A {rule.kind} rule is kept or deleted, not edited.")
    return PreferenceRule(rule.kind, rule.scope, value.strip())


def _rule_about(message: Message, known: Iterable[Preference]) -> Preference | None:
    """The most specific rule about the message's sender."""
    rules = {one.rule.scope: one for one in known if one.rule is not None and one.rule.kind is RuleKind.SENDER}
    email, list_id = message.sender.email.lower(), _list_id(message)
    scopes = (f"sender:{email}", f"list:{list_id}" if list_id else "", f"domain:{email.rpartition('@')[2]}")
    return next((rules[scope] for scope in scopes if scope in rules), None)


def _where(rule: PreferenceRule) -> str:
    languages = {"en": "in English", "cs": "in Czech", "de": "in German"}
    return languages.get(rule.scope) or (f"to {rule.about}" if rule.scope else "in every language")


def _with_whom(rule: PreferenceRule) -> str:
    return f"with {rule.about}" if rule.scope else "with anybody"


def _list_id(message: Message) -> str:
    """The id of a mailing list without its description."""
    value = message.header("List-Id").strip().lower()
    return value[value.rfind("<") + 1 :].rstrip(">").strip() if "<" in value else value


def as_lines(preferences: Iterable[Preference]) -> str:
    return "\n".join(f"- {line}" for preference in preferences for line in preference.text.splitlines() if line.strip())
