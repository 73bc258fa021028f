"""Finds what a mail asks: questions, and requests without a question mark."""

import re
from dataclasses import dataclass

from app.domain.language.words import fold, sentences
from app.domain.mail.text_cache import remembered

_REQUEST = re.compile(
    r"^(?:please\b|kindly\b|could you|can you|would you|let me know|let us know|tell me|send me|"
    r"i(?: would|'d) like to know|i need to know|i was wondering|i wonder|"
    r"prosim|poslete|posli|dejte|dej mi|napiste|napis|zajima me|zajimalo by|"
    r"(?:chtel|chtela|rad|rada|potreboval|potrebovala) bych (?:vedet|se zeptat|se dozvedet))"
)
_GREETING_OR_CLOSING = re.compile(
    r"^(?:please (?:find|see|note|be|do not|accept|keep|ignore)|prosim nereaguj|please forgive|prosim omluv|prosim nezapom)"
)
_COURTESY = re.compile(
    r"^(?:how are you|how is it going|how's it going|how do you do|how are things|hope you|jak se mas|jak se mate|jak se vede|"
    r"jak se dari|right|ok|okay|isn't it|what's up)[^?]{0,25}\?$"
)
_OPENERS = re.compile(
    r"^(?:(?:hi|hello|dear|hey|good (?:morning|afternoon|evening|day)|morning|ahoj|dobry den|zdravim|mila|mily|vazena|vazeny|cau)"
    r"[^,.!?\n]{0,40}[,.!]\s*)"
)
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A sentence that asks for something, as written. `question`: it ends in a question mark."""

    text: str
    question: bool


@remembered(64)
def asked(text: str) -> tuple[AskedQuestion, ...]:
    """The questions and explicit requests of a text, in order, without duplicates, greetings and courtesies."""
    found: dict[str, AskedQuestion] = {}
    for sentence in sentences(text):
        one = _asked(_without_opener(sentence))
        if one is not None:
            found.setdefault(fold(one.text), one)
    return tuple(found.values())


def questions(text: str) -> tuple[str, ...]:
    """Only sentences with a question mark."""
    return tuple(one.text for one in asked(text) if one.question)


def _asked(sentence: str) -> AskedQuestion | None:
    folded = fold(sentence)
    if not 3 <= len(sentence) <= _LONGEST or _COURTESY.match(folded):
        return None
    if sentence.rstrip("\"'”“)» ").endswith("?"):
        return AskedQuestion(sentence, True) if any(char.isalpha() for char in sentence) else None
    if _REQUEST.match(folded) and not _GREETING_OR_CLOSING.match(folded):
        return AskedQuestion(sentence, False)
    return None


def _without_opener(sentence: str) -> str:
    """The sentence without a greeting before its first comma."""
    hit = _OPENERS.match(fold(sentence)) if len(fold(sentence)) == len(sentence) else None
    if hit is None:
        return sentence
    rest = sentence[hit.end() :]
    return rest[:1].upper() + rest[1:] if rest else sentence
