"""What a mail was judged by where something was seen: sentences of rules and clauses of verdicts, and the way back from them.

The English sentence is what is stored and what logs and prompts have; windows read it back for words of their own. Pure.
Refuses to read back a sentence of which one part is unknown: a half translated reason would say less than was seen.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Seen(StrEnum):
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


class Clause(StrEnum):
    """Parts of a sentence; `%1` is an address, a domain, a brand or a number in words."""

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
class Told:
    """One part of a reason with what it is about, empty where it is about nothing particular."""

    said: Seen | Clause
    about: str = ""


NUMBERS = ("no", "one", "two", "three", "four", "five")
"""Numbers of questions; the last one stands for more, too."""


def told_words(told: Told) -> str:
    """The English words of one part."""
    return told.said.value.replace("%1", told.about)


def as_sentence(clauses: Sequence[Told]) -> str:
    """Clauses as one sentence with a full stop; empty for none."""
    text = " and ".join(told_words(one) for one in clauses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def read_back(sentence: str) -> tuple[Told, ...]:
    """What a sentence says, part by part; nothing for a sentence that was not made here."""
    whole = _among(Seen, sentence)
    if whole is not None:
        return (whole,)
    if not sentence.endswith("."):
        return ()
    text = f"{sentence[:1].lower()}{sentence[1:-1]}"
    found = [_among(Clause, part) for part in text.split(" and ")]
    return tuple(one for one in found if one is not None) if None not in found else ()


def _among(kinds: type[Seen] | type[Clause], text: str) -> Told | None:
    for kind in kinds:
        before, mark, after = kind.value.partition("%1")
        if not mark:
            if text == kind.value:
                return Told(kind)
        elif found := re.fullmatch(f"{re.escape(before)}(\\S(?:.*\\S)?){re.escape(after)}", text):
            return Told(kind, found[1])
    return None
