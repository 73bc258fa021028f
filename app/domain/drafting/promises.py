"""Finds what the owner promised in sent mail, by rules: sentences like "I will send it by Friday", in English and Czech. Pure
functions.

Rules see words and not meaning, so every place that shows a promise says that a rule found it.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from app.domain.mail.quotes import newest_part

LONGEST = 240
"""Characters of a sentence; longer ones are not casual promises."""

REMEMBERED_LENGTH = 20_000
"""Up to this length a message's promises are cached, since contact cards read the same messages again."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_FIRST_PERSON = re.compile(
    r"\b(?:i|we)(?:'|’)ll\b|\b(?:i|we) (?:will|shall)\b(?! not\b)|\b(?:i am|i'm|i’m|we are|we're|we’re) going to\b"
    r"|\b(?:i|we) (?:promise|owe you)\b",
    re.IGNORECASE,
)
_CZECH = re.compile(
    r"\b(?:pošlu|zašlu|doručím|dodám|připravím|ozvu se|zavolám|napíšu|vrátím|zaplatím|opravím|zařídím|dám (?:vám |ti )?vědět"
    r"|pošleme|zašleme|dodáme|připravíme|ozveme se|zavoláme|vrátíme|zaplatíme|opravíme|zařídíme|dáme (?:vám |ti )?vědět)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:by|until|before|on|this|next|in) (?:the )?(?:end|week|month|\d+|mon|tue|wed|thu|fri|sat|sun|noon|evening|tonight"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|a |an |two|three)\w*"
    r"|\b(?:today|tomorrow|tonight|soon|as soon as|shortly|later today)\b"
    r"|\b(?:do|v|ve|příští|dnes|zítra|brzy|hned|během|za)\b",
    re.IGNORECASE,
)
_DEED = re.compile(
    r"\b(?:send|bring|call|write|reply|answer|get back|let you know|check|find out|prepare|finish|fix|repair|pay|refund|order"
    r"|deliver|ship|book|arrange|return|confirm|look into|take care)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Promise:
    """One sentence of the owner, and when it was sent."""

    text: str
    sent: datetime


def promises_in(body: str, sent: datetime) -> tuple[Promise, ...]:
    """The sentences of a sent message that promise something, in order, each once."""
    found = _remembered(body) if len(body) <= REMEMBERED_LENGTH else _promising(body)
    return tuple(Promise(sentence, sent) for sentence in found)


@lru_cache(maxsize=256)
def _remembered(body: str) -> tuple[str, ...]:
    return _promising(body)


def _promising(body: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for piece in _SENTENCE.split(newest_part(body)):
        sentence = " ".join(piece.split())
        if sentence and len(sentence) <= LONGEST and not sentence.startswith(">") and _promises(sentence):
            found[sentence] = None
    return tuple(found)


def _promises(sentence: str) -> bool:
    """First person, with a deed or a time, and not a question."""
    if sentence.endswith("?"):
        return False
    if _CZECH.search(sentence):
        return True
    return bool(_FIRST_PERSON.search(sentence)) and bool(_WHEN.search(sentence) or _DEED.search(sentence))
