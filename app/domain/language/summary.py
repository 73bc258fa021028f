"""Summarizes a long conversation by its own sentences: agreements, figures, days, what is asked now. Pure functions."""

import re
from collections.abc import Sequence

from app.domain.language.facts import FactKind, facts
from app.domain.language.own_words import own_words
from app.domain.language.speech_acts import ASKING, ActKind, speech_acts
from app.domain.language.words import fold, words
from app.domain.record import Record

LINES = 3
LONGEST = 220
"""Characters of a sentence that is still a line."""
ALIKE = 0.6
"""Share of common words from which two sentences say the same."""
_AGREED = re.compile(
    r"\b(?:agree[ds]?|agreement|decided|decision|settled|deal|confirm\w*|approved|final\w*|in the end|we(?:'ll| will)|"
    r"domluv\w*|dohod\w*|souhlas\w*|potvrz\w*|rozhodl\w*|nakonec|plati|"
    r"vereinbar\w*|einverstanden|bestatig\w*|entschieden|beschlossen)\b"
)
_POINTS = {FactKind.AMOUNT: 2.0, FactKind.DATE: 1.5, FactKind.DAY: 1.5, FactKind.TIME: 1.0, FactKind.NUMBER: 1.0}
_ACTS = {ActKind.COMMITMENT: 1.5, ActKind.DECLINE: 1.5, ActKind.NOTICE: 0.5}


class SummaryLine(Record):
    """A sentence as written, with who wrote it. `number` is its message's place in the conversation."""

    number: int
    who: str
    sentence: str
    weight: float


def weighed(number: int, count: int, who: str, body: str) -> tuple[SummaryLine, ...]:
    """The sentences of message `number` of `count` with weights: later ones weigh more, what is asked last the most."""
    acts: dict[str, float] = {}
    thanks = {act.sentence for act in speech_acts(body) if act.kind is ActKind.THANKS}
    for act in speech_acts(body):
        asks = (2.5 if number == count - 1 else 0.5) if act.kind in ASKING else _ACTS.get(act.kind, 0.0)
        acts[act.sentence] = acts.get(act.sentence, 0.0) + asks
    found = []
    for sentence in own_words(body).sentences:
        if 12 <= len(sentence) <= LONGEST and sentence not in thanks:
            points = sum(_POINTS.get(one.kind, 0.0) for one in facts(sentence)[:3])
            agreed = 2.5 if _AGREED.search(fold(sentence)) else 0.0
            late = 2.0 * number / max(1, count - 1)
            found.append(SummaryLine(number, who, sentence, points + agreed + late + acts.get(sentence, 0.0)))
    return tuple(found)


def chosen(lines: Sequence[SummaryLine], most: int = LINES) -> tuple[SummaryLine, ...]:
    """The weightiest lines that do not repeat each other, in the order of the conversation. Of two alike the later one."""
    picked: list[SummaryLine] = []
    for line in sorted(lines, key=lambda one: (-one.weight, -one.number)):
        if len(picked) < most and not any(_alike(line.sentence, other.sentence) for other in picked):
            picked.append(line)
    return tuple(sorted(picked, key=lambda one: one.number))


def _alike(one: str, other: str) -> bool:
    first, second = set(words(one)), set(words(other))
    return len(first & second) >= ALIKE * min(len(first), len(second))
