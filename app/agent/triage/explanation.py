"""The reason that explains a verdict, made from its strongest features.

Where the classifier decided and no single feature explains it: the correction with the largest share of the score, else the words
whose removal lowers the probability most. No word list is involved.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from app.agent.triage.cues import Cue
from app.agent.triage.evidence import MailEvidence
from app.agent.triage.linear_model import Matrix, RidgeClassifier, kernel
from app.domain.language.words import WORD, fold, words
from app.domain.mail.triage import NUMBERS, Category, Decision, Reason, ReasonClause, ReasonCode, encode_reason

_MOST_CLAUSES = 2


def explanation(decision: Decision, category: Category, seen: MailEvidence) -> str:
    """At most two clauses, strongest first, as they are stored. Empty where no feature explains the verdict."""
    return encode_reason(*list(dict.fromkeys(_clauses(decision, category, seen)))[:_MOST_CLAUSES])


def _clauses(decision: Decision, category: Category, seen: MailEvidence) -> Iterator[Reason]:
    if category is Category.SPAM:
        yield from _spam(seen)
    elif decision is Decision.RESPOND:
        yield from _respond(category, seen)
        yield from _sender(seen)
    else:
        yield from _quiet(decision, seen)


def _spam(seen: MailEvidence) -> Iterator[Reason]:
    if seen.suspicion.about:
        yield Reason(ReasonClause.LOOKS_LIKE, seen.suspicion.about)
    if seen.cues[Cue.TO_ASSISTANT]:
        yield Reason(ReasonClause.ORDERS)
    if seen.false_reply:
        yield Reason(ReasonClause.FALSE_REPLY)
    if seen.cues[Cue.CREDENTIAL] >= 2:
        yield Reason(ReasonClause.SECRETS)
    if seen.cues[Cue.MONEY_LURE] >= 1:
        yield Reason(ReasonClause.LURE)
    if seen.cues[Cue.SALES_PITCH] >= 1:
        yield Reason(ReasonClause.PITCH)
    if seen.cues[Cue.URGENCY] >= 1:
        yield Reason(ReasonClause.HASTE)
    if not (seen.known or seen.written_to):
        yield Reason(ReasonClause.STRANGER)


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
    if decision is Decision.NOTIFY and seen.cues[Cue.THANKS] and seen.reply_subject:
        yield Reason(ReasonClause.THANKS)
    if decision is Decision.NOTIFY and (seen.amounts or seen.dates):
        yield Reason(ReasonClause.FIGURE)
    if decision is Decision.IGNORE and seen.cues[Cue.RECEIPT] >= 1:
        yield Reason(ReasonClause.DONE)
    if not (seen.questions or seen.requests):
        yield Reason(ReasonClause.NOTHING_ASKED)


MOST_WORDS = 3
SHORTEST = 4
"""Letters of a word worth showing."""
LOOKED_AT = 120
"""Words of a mail that are tried; all of them take some milliseconds."""
DIFFERENCE = 0.002
"""Of the probability. A word that changes less is not named."""


def heaviest_example(ridge: RidgeClassifier, row: Matrix, classes: Sequence[int]) -> int:
    """The index of the training row that adds most to the score of these classes."""
    shares: Matrix = kernel(row[None, :], ridge.rows)[0] * ridge.weights[:, list(classes)].sum(axis=1)
    return int(np.argmax(shares))


def telling_words(text: str, sureness: Callable[[str], float]) -> Reason:
    """The words whose removal lowers `sureness` most."""
    whole = sureness(text)
    shown: dict[str, str] = {}
    for one in WORD.findall(text):
        shown.setdefault(fold(one), one.lower())
    known = [one for one in shown if len(one) >= SHORTEST and one.isalpha()][:LOOKED_AT]
    falls = [(whole - sureness(_without(text, one)), -place, one) for place, one in enumerate(known)]
    telling = [shown[one] for fall, _, one in sorted(falls, reverse=True)[:MOST_WORDS] if fall >= DIFFERENCE]
    return Reason(ReasonCode.WORDS, ", ".join(telling)) if telling else Reason(ReasonCode.WHOLE)


def _without(text: str, word: str) -> str:
    return " ".join(one for one in words(text) if one != word)
