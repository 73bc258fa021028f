"""How likely a sentence wants something of its reader, judged by its words.

Phrases in `domain/language/speech_tables` tell what a sentence asks in forms that somebody thought of. These weights find more
("comments before Thursday would help me a lot"), but cannot say what is asked. `app/evals/train_judgement` trains them.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

from app.config.paths import resource
from app.domain.language.words import fold
from app.domain.record import Record

NOTHING = -1.0
LOWEST, HIGHEST = -1.0, 1.5
_PIECE = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)?")
_STEM = 5
_BEGINNING = 4
"""Letters of a word that stand for its forms, alone and beside another word."""


class WishModel(Record):
    """A bias and the weights of pieces of a sentence."""

    weights: Mapping[str, float]
    bias: float

    def likelihood(self, sentences: Iterable[str]) -> float:
        """Log odds of the likeliest sentence to want something, within `LOWEST` and `HIGHEST`."""
        likely = NOTHING
        for number, found in enumerate(map(pieces, sentences)):
            odds = self.bias + sum(self.weights.get(one, 0.0) for one in found) / math.sqrt(len(found))
            likely = max(likely, odds) if number else odds
        return max(LOWEST, min(HIGHEST, likely))


@lru_cache(maxsize=1)
def shipped_wishes() -> WishModel:
    told = json.loads(resource("judgement", "wishes.json").read_bytes())
    return WishModel(told["weights"], told["bias"])


def pieces(sentence: str) -> frozenset[str]:
    """Words, their beginnings, and pairs with or without a word between them. All numbers are one word."""
    words = ["#" if one.isdigit() else one for one in _PIECE.findall(fold(sentence).replace("’", "'"))]
    ends = ["^", *words, "$"]
    found = {*words, *(f"{one[:_STEM]}*" for one in words if len(one) > _STEM)}
    for one, after in pairwise(ends):
        found |= {f"{one} {after}", f"{one[:_BEGINNING]}_{after[:_BEGINNING]}"}
    return frozenset(found.union(f"{one} . {after}" for one, after in zip(ends, ends[2:], strict=False)))
