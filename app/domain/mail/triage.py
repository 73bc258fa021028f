"""Triage verdicts, and the sentences that give their reasons. Pure functions.

Decision and category are separate axes. The English sentence is what is stored, logged and put into prompts; the window parses it
to show its own text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Decision(StrEnum):
    """Whether a message wants an answer, attention, or nothing."""

    RESPOND = "respond"
    NOTIFY = "notify"
    IGNORE = "ignore"


class Category(StrEnum):
    """The kind of a message."""

    INQUIRY = "inquiry"
    MEETING_REQUEST = "meeting_request"
    COMPLAINT = "complaint"
    FOLLOW_UP = "follow_up"
    SPAM = "spam"
    OTHER = "other"


SPAM_CERTAIN = 0.8
"""From this confidence on spam ends the run; below it the decision becomes notify."""

UNSURE_BELOW = 0.65
"""Below this confidence the window says "unsure"."""


@dataclass(frozen=True, slots=True)
class Triage:
    """One verdict.

    `confidence` is in 0..1. `maker` is for example `rule:list-mail`, `local:212` (classifier and its number of examples) or a
    litellm model id. `reason` is one sentence.
    """

    decision: Decision
    category: Category
    confidence: float
    reason: str
    maker: str


def settle_spam(triage: Triage) -> Triage:
    """Makes uncertain spam notify and certain spam ignore."""
    if triage.category is not Category.SPAM:
        return triage
    decision = Decision.IGNORE if triage.confidence >= SPAM_CERTAIN else Decision.NOTIFY
    return Triage(decision, triage.category, triage.confidence, triage.reason, triage.maker)


class Ground(StrEnum):
    """What decided most: single words, a message the owner judged, or nothing in particular."""

    WORDS = "words"
    JUDGED = "judged"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class ClassifierReason:
    """`about` are the words, or the sender of the other message; may be empty."""

    ground: Ground
    about: tuple[str, ...] = ()


WHOLE = "No single word decided; the text as a whole is most like such mail."
_WORDS = re.compile(r"Words such as (“[^”]+”(?:, “[^”]+”)*) speak for it\.")
_JUDGED = re.compile(r"Most like a mail from (\S+) that you judged this way\.")


def ground_sentence(because: ClassifierReason) -> str:
    """The reason as an English sentence."""
    match because.ground:
        case Ground.WORDS:
            return f"Words such as {', '.join(f'“{word}”' for word in because.about)} speak for it."
        case Ground.JUDGED:
            return f"Most like a mail from {because.about[0]} that you judged this way."
    return WHOLE


def read_ground(sentence: str) -> ClassifierReason | None:
    """Parses a sentence of `ground_sentence`, None for any other."""
    if sentence == WHOLE:
        return ClassifierReason(Ground.WHOLE)
    if found := _WORDS.fullmatch(sentence):
        return ClassifierReason(Ground.WORDS, tuple(re.findall(r"“([^”]+)”", found[1])))
    if found := _JUDGED.fullmatch(sentence):
        return ClassifierReason(Ground.JUDGED, (found[1],))
    return None


class ReasonCode(StrEnum):
    """Whole sentences."""

    OWN_MAIL = "You sent this mail yourself."
    DELIVERY_STATUS = "A mail server reports on the delivery of a mail of yours."
    LABELLED_SPAM = "Your mail server marked it as spam."
    PHISHING = "The sender poses as somebody else and presses for data or a click."
    AUTO_REPLY = "An automatic reply, no person wrote it."
    CALENDAR_NOTE = "A calendar reports an answer or a change."
    INVITATION = "Carries a calendar invitation that asks for your answer."
    LIST_MAIL = "Sent to a list or in bulk, not to you alone."
    NEWSLETTER = "Reads like a newsletter and says how to leave its list."
    CORRECTED = "You judged mail from this sender this way before."
    ANSWERED = "You have already answered in this thread."
    NEWER = "A newer mail of the same thread takes its place."
    TAUGHT_ANSWER = "Your decisions say that mails from %1 are answered."
    TAUGHT_QUIET = "Your decisions say that mails from %1 need no answer."


class ReasonClause(StrEnum):
    """Parts of a sentence.

    `%1` is an address, a domain, a brand or a number in words.
    """

    LOOKS_LIKE = "the sender looks like %1 but is not"
    ORDERS = "gives orders to a mail assistant"
    FALSE_REPLY = "claims to answer a mail that you never sent"
    SECRETS = "asks for passwords or card data"
    LURE = "promises money or cures"
    PITCH = "offers services that nobody asked for"
    HASTE = "presses for haste"
    STRANGER = "the sender is a stranger"
    COMPLAINT = "reports that something went wrong"
    STILL_OPEN = "asks about something that is still open"
    MEETING = "asks for a time to meet"
    ONE_QUESTION = "asks one question"
    QUESTIONS = "asks %1 questions"
    REQUEST = "asks you for something"
    TO_YOU = "speaks to you directly"
    ANSWERS_YOURS = "answers a mail of yours"
    WRITTEN_TO = "you have written to this address before"
    KNOWN = "the sender has written to you before"
    ALONE = "it was sent to you alone"
    PROGRAM = "a program sent it"
    OFFER = "it reads like a newsletter or an offer"
    NO_ANSWER = "says that no answer is needed"
    THANKS = "thanks or agrees"
    FIGURE = "names a date or an amount that you may want to know"
    DONE = "confirms something that is already done"
    NOTHING_ASKED = "asks nothing of you"


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a reason; `about` fills `%1`, else it is empty."""

    said: ReasonCode | ReasonClause
    about: str = ""


NUMBERS = ("no", "one", "two", "three", "four", "five")
"""Numbers of questions; the last one also stands for more."""


def told_words(told: Reason) -> str:
    """The English text of one part."""
    return told.said.value.replace("%1", told.about)


def reason_sentence(clauses: Sequence[Reason]) -> str:
    """Joins clauses to one sentence with a full stop; empty for none."""
    text = " and ".join(told_words(clause) for clause in clauses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def read_reason(sentence: str) -> tuple[Reason, ...]:
    """Parses a reason's sentence into its parts; empty for any other sentence."""
    whole = _among(ReasonCode, sentence)
    if whole is not None:
        return (whole,)
    if not sentence.endswith("."):
        return ()
    text = f"{sentence[:1].lower()}{sentence[1:-1]}"
    found = [_among(ReasonClause, part) for part in text.split(" and ")]
    return tuple(reason for reason in found if reason is not None) if None not in found else ()


def _among(kinds: type[ReasonCode] | type[ReasonClause], text: str) -> Reason | None:
    for kind in kinds:
        before, mark, after = kind.value.partition("%1")
        if not mark:
            if text == kind.value:
                return Reason(kind)
        elif found := re.fullmatch(f"{re.escape(before)}(\\S(?:.*\\S)?){re.escape(after)}", text):
            return Reason(kind, found[1])
    return None
