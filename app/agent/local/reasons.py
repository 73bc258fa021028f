"""The one sentence of a verdict, built from the strongest things that were seen.

Refuses to claim what was not seen: each clause has its condition in the evidence.
"""

from collections.abc import Iterator
from enum import StrEnum

from app.agent.local.cues import Cue
from app.agent.local.evidence import Evidence
from app.domain.triage import Category, Decision


class Seen(StrEnum):
    """Sentences of the rules."""

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


_NUMBERS = ("no", "one", "two", "three", "four", "five")
_MOST_CLAUSES = 2


def sentence(decision: Decision, category: Category, seen: Evidence) -> str:
    """At most two clauses, strongest first, as one sentence with a full stop; empty where nothing single was seen."""
    clauses = list(dict.fromkeys(_clauses(decision, category, seen)))[:_MOST_CLAUSES]
    if not clauses:
        return ""
    text = " and ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}."


def _clauses(decision: Decision, category: Category, seen: Evidence) -> Iterator[str]:
    if category is Category.SPAM:
        yield from _spam(seen)
    elif decision is Decision.RESPOND:
        yield from _respond(category, seen)
        yield from _sender(seen)
    else:
        yield from _quiet(decision, seen)


def _spam(seen: Evidence) -> Iterator[str]:
    if seen.suspicion.about:
        yield f"the sender looks like {seen.suspicion.about} but is not"
    if seen.cues[Cue.TO_ASSISTANT]:
        yield "gives orders to a mail assistant"
    if seen.false_reply:
        yield "claims to answer a mail that you never sent"
    if seen.cues[Cue.CREDENTIAL] >= 2:
        yield "asks for passwords or card data"
    if seen.cues[Cue.MONEY_LURE] >= 1:
        yield "promises money or cures"
    if seen.cues[Cue.SALES_PITCH] >= 1:
        yield "offers services that nobody asked for"
    if seen.cues[Cue.URGENCY] >= 1:
        yield "presses for haste"
    if not (seen.known or seen.written_to):
        yield "the sender is a stranger"


def _respond(category: Category, seen: Evidence) -> Iterator[str]:
    if category is Category.COMPLAINT and seen.cues[Cue.COMPLAINT]:
        yield "reports that something went wrong"
    if category is Category.FOLLOW_UP and seen.cues[Cue.FOLLOW_UP]:
        yield "asks about something that is still open"
    if category is Category.MEETING_REQUEST and (seen.cues[Cue.MEETING] or seen.dates):
        yield "asks for a time to meet"
    asks = seen.questions or seen.requests
    if seen.questions:
        yield f"asks {_NUMBERS[min(seen.questions, 5)]} question{'s' if seen.questions > 1 else ''}"
    elif seen.requests:
        yield "asks you for something"
    if not asks and seen.second_person:
        yield "speaks to you directly"


def _sender(seen: Evidence) -> Iterator[str]:
    if seen.in_reply_to_own:
        yield "answers a mail of yours"
    elif seen.written_to:
        yield "you have written to this address before"
    elif seen.known:
        yield "the sender has written to you before"
    elif seen.addressed and seen.recipients == 1:
        yield "it was sent to you alone"


def _quiet(decision: Decision, seen: Evidence) -> Iterator[str]:
    if seen.no_reply or seen.auto_submitted:
        yield "a program sent it"
    if seen.list_unsubscribe or seen.cues[Cue.PROMOTION] >= 2:
        yield "it reads like a newsletter or an offer"
    if seen.cues[Cue.NO_ANSWER]:
        yield "says that no answer is needed"
    if decision is Decision.NOTIFY and seen.cues[Cue.THANKS] and seen.reply_subject:
        yield "thanks or agrees"
    if decision is Decision.NOTIFY and (seen.amounts or seen.dates):
        yield "names a date or an amount that you may want to know"
    if decision is Decision.IGNORE and seen.cues[Cue.RECEIPT] >= 1:
        yield "confirms something that is already done"
    if not (seen.questions or seen.requests):
        yield "asks nothing of you"
