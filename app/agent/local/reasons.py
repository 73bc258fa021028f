"""The one sentence of a verdict, built from the strongest things that were seen.

Refuses to claim what was not seen: each clause has its condition in the evidence.
"""

from collections.abc import Iterator

from app.agent.local.cues import Cue
from app.agent.local.evidence import Evidence
from app.domain.seen import NUMBERS, Clause, Told, as_sentence
from app.domain.triage import Category, Decision

_MOST_CLAUSES = 2


def sentence(decision: Decision, category: Category, seen: Evidence) -> str:
    """At most two clauses, strongest first, as one sentence with a full stop; empty where nothing single was seen."""
    return as_sentence(list(dict.fromkeys(_clauses(decision, category, seen)))[:_MOST_CLAUSES])


def _clauses(decision: Decision, category: Category, seen: Evidence) -> Iterator[Told]:
    if category is Category.SPAM:
        yield from _spam(seen)
    elif decision is Decision.RESPOND:
        yield from _respond(category, seen)
        yield from _sender(seen)
    else:
        yield from _quiet(decision, seen)


def _spam(seen: Evidence) -> Iterator[Told]:
    if seen.suspicion.about:
        yield Told(Clause.LOOKS_LIKE, seen.suspicion.about)
    if seen.cues[Cue.TO_ASSISTANT]:
        yield Told(Clause.ORDERS)
    if seen.false_reply:
        yield Told(Clause.FALSE_REPLY)
    if seen.cues[Cue.CREDENTIAL] >= 2:
        yield Told(Clause.SECRETS)
    if seen.cues[Cue.MONEY_LURE] >= 1:
        yield Told(Clause.LURE)
    if seen.cues[Cue.SALES_PITCH] >= 1:
        yield Told(Clause.PITCH)
    if seen.cues[Cue.URGENCY] >= 1:
        yield Told(Clause.HASTE)
    if not (seen.known or seen.written_to):
        yield Told(Clause.STRANGER)


def _respond(category: Category, seen: Evidence) -> Iterator[Told]:
    if category is Category.COMPLAINT and seen.cues[Cue.COMPLAINT]:
        yield Told(Clause.COMPLAINT)
    if category is Category.FOLLOW_UP and seen.cues[Cue.FOLLOW_UP]:
        yield Told(Clause.STILL_OPEN)
    if category is Category.MEETING_REQUEST and (seen.cues[Cue.MEETING] or seen.dates):
        yield Told(Clause.MEETING)
    asks = seen.questions or seen.requests
    if seen.questions:
        many = Told(Clause.QUESTIONS, NUMBERS[min(seen.questions, len(NUMBERS) - 1)])
        yield Told(Clause.ONE_QUESTION) if seen.questions == 1 else many
    elif seen.requests:
        yield Told(Clause.REQUEST)
    if not asks and seen.second_person:
        yield Told(Clause.TO_YOU)


def _sender(seen: Evidence) -> Iterator[Told]:
    if seen.in_reply_to_own:
        yield Told(Clause.ANSWERS_YOURS)
    elif seen.written_to:
        yield Told(Clause.WRITTEN_TO)
    elif seen.known:
        yield Told(Clause.KNOWN)
    elif seen.addressed and seen.recipients == 1:
        yield Told(Clause.ALONE)


def _quiet(decision: Decision, seen: Evidence) -> Iterator[Told]:
    if seen.no_reply or seen.auto_submitted:
        yield Told(Clause.PROGRAM)
    if seen.list_unsubscribe or seen.cues[Cue.PROMOTION] >= 2:
        yield Told(Clause.OFFER)
    if seen.cues[Cue.NO_ANSWER]:
        yield Told(Clause.NO_ANSWER)
    if decision is Decision.NOTIFY and seen.cues[Cue.THANKS] and seen.reply_subject:
        yield Told(Clause.THANKS)
    if decision is Decision.NOTIFY and (seen.amounts or seen.dates):
        yield Told(Clause.FIGURE)
    if decision is Decision.IGNORE and seen.cues[Cue.RECEIPT] >= 1:
        yield Told(Clause.DONE)
    if not (seen.questions or seen.requests):
        yield Told(Clause.NOTHING_ASKED)
