"""Whether two texts talk about the same things, by their content words. English and Czech endings are forgiven:
words are alike when they begin alike.

Refuses to weigh meaning; similarity by embedding is the other half of the judgement.
"""

from collections.abc import Collection
from functools import lru_cache

from app.agent.local.words import is_stop_word, words

SHORTEST = 3
_SAME_BEGINNING = 4
_SHARE = 0.55
REMEMBERED_LENGTH = 20_000
"""Up to here a text's words are remembered: the same answers are weighed again for the next mail."""


def content_words(text: str) -> frozenset[str]:
    """The folded words of a text that carry content: no stop words, no bare numbers, nothing very short."""
    return _remembered(text) if len(text) <= REMEMBERED_LENGTH else _content_words(text)


@lru_cache(maxsize=128)
def _remembered(text: str) -> frozenset[str]:
    return _content_words(text)


def _content_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if len(word) >= SHORTEST and not word.isdigit() and not is_stop_word(word))


def alike(first: str, second: str) -> bool:
    """Whether two folded words are the same or endings of one stem."""
    if first == second:
        return True
    if first[:_SAME_BEGINNING] != second[:_SAME_BEGINNING]:
        return False
    common = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    return common >= _SAME_BEGINNING and common >= _SHARE * max(len(first), len(second))


def covered(wanted: Collection[str], there: Collection[str]) -> float:
    """The share of `wanted` words that have a like one in `there`, 0 for no words."""
    if not wanted:
        return 0.0
    return sum(word in there or any(alike(word, other) for other in there) for word in wanted) / len(wanted)
