"""Reuses the owner's answer to an earlier question for a new sender.

What belongs to the old case (its dates, numbers, names) becomes an open slot. What holds for everybody (prices, opening hours)
stays, marked with its source.
"""

import re

from app.agent.drafting.matching import HABIT
from app.agent.drafting.templates import PROMPTS, DraftBuilder
from app.agent.language.reply_parts import LetterParts, closing_only, greet, split_letter
from app.domain.language.facts import Fact, FactKind, facts, fold_in_place
from app.domain.language.words import alike, fold, language, sentences, words
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.ports.agents import OwnReply

_RANGE = re.compile(
    r"^[\s,]*(?:(?:to|and|from|until|through|between|at|on|or|bis|von|und|um|oder|az|a|od|do|v|ve|nebo|-|–)[\s,]*){1,2}$"
)
_SPOKEN_TO = re.compile(r"\b(?:byste|jste|bys|jsi)\b(?:\s+\w+){0,3}?\s+(\w{2,}(?:la|l))\b")


def rewrite(message: Message, text: str, reply: OwnReply) -> DraftBuilder:
    """The body for `message`: greeting and the old answer with slots and marks."""
    letter = _without_name(split_letter(newest_part(reply.answer.body_text)), reply.question)
    greeting = greet(language(text), message, newest_part(message.body_text), letter.greeting)
    body = DraftBuilder().text(greeting).paragraph()
    _write(body, letter, message, text, reply)
    if letter.sign_off and closing_only(letter.sign_off):
        body.paragraph().text(letter.sign_off)
    return body


def _without_name(letter: LetterParts, question: Message) -> LetterParts:
    """The letter without the old sender's name before its first sentence: "Hugh, straight from us"."""
    name, comma, rest = letter.body.partition(",")
    if letter.greeting or not comma or fold(name.strip()) not in words(question.sender.name):
        return letter
    return LetterParts(f"{name.strip()},", rest.strip(), letter.sign_off)


def _write(body: DraftBuilder, letter: LetterParts, message: Message, text: str, reply: OwnReply) -> None:
    """Writes the old answer fact by fact: kept and marked, or replaced by a slot."""
    here = {one.key for one in facts(text)}
    then = {one.key for one in facts(f"{reply.question.subject} {newest_part(reply.question.body_text)}")}
    at = 0
    marks = sorted([*_marks(letter.body, here, then, _names(reply.question)), *_forms(letter.body, message, reply.question)])
    for start, end, bound in _joined(letter.body, marks):
        body.text(letter.body[at:start])
        if bound:
            body.slot(PROMPTS["specific"].format(letter.body[start:end]))
        else:
            body.taken(letter.body[start:end], reply.answer.id)
        at = end
    body.text(letter.body[at:])


def _joined(text: str, marks: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Joins kept spans with only small words between them: `Monday to Friday from 9:00 to 18:00`."""
    joined: list[tuple[int, int, bool]] = []
    for start, end, bound in marks:
        if joined and not bound and not joined[-1][2] and _RANGE.match(fold(text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], end, False)
        else:
            joined.append((start, end, bound))
    return joined


def _marks(text: str, here: set[str], then: set[str], names: frozenset[str]) -> list[tuple[int, int, bool]]:
    """Spans (start, end, bound to the old case): facts, and words that are the old sender's names."""
    found = [(one.start, one.end, _bound(text, one, here, then)) for one in facts(text)]
    for hit in re.finditer(r"[^\W\d_]{3,}", text):
        inside = any(start <= hit.start() < end for start, end, _ in found)
        if not inside and hit.group(0)[0].isupper() and any(alike(fold(hit.group(0)), name) for name in names):
            found.append((hit.start(), hit.end(), True))
    return found


def _forms(text: str, message: Message, question: Message) -> list[tuple[int, int, bool]]:
    """Czech verb forms that show the reader's gender. Empty where both senders clearly have the same."""
    now, then = _gender(message), _gender(question)
    if now is not None and now == then:
        return []
    return [(hit.start(1), hit.end(1), True) for hit in _SPOKEN_TO.finditer(fold_in_place(text))]


def _gender(message: Message) -> str | None:
    """`f` or `m` by a Czech name's ending, None without a name."""
    names = words(message.sender.name)
    if not names:
        return None
    return "f" if names[-1].endswith(("ova", "ska", "cka")) or names[0].endswith("a") else "m"


def _bound(text: str, fact: Fact, here: set[str], then: set[str]) -> bool:
    """Whether a fact of the answer belonged to the old case only."""
    if fact.key in here or fact.kind in {FactKind.LINK, FactKind.EMAIL}:
        return False
    if not fact.relative and fact.kind in _MOMENTS and HABIT.search(_sentence_at(text, fact)):
        return False
    if fact.key in then or fact.kind in {FactKind.DATE, FactKind.DAY}:
        return True
    if fact.kind is FactKind.TIME:
        return any(other.kind in {FactKind.DATE, FactKind.DAY} and _bound(text, other, here, then) for other in _near(text, fact))
    return fact.kind is FactKind.NUMBER


_MOMENTS = frozenset({FactKind.DATE, FactKind.DAY, FactKind.TIME})


def _near(text: str, fact: Fact) -> list[Fact]:
    """Other facts in the same sentence."""
    sentence = _sentence_at(text, fact)
    return [other for other in facts(text) if other != fact and fold(other.text) in sentence]


def _sentence_at(text: str, fact: Fact) -> str:
    """The folded sentence that contains a fact."""
    return next((fold(one) for one in sentences(text) if " ".join(fact.text.split()) in one), fold(text))


def _names(question: Message) -> frozenset[str]:
    """The folded words of the old sender's name."""
    return frozenset(word for word in words(question.sender.name) if len(word) >= 3)
