"""What weighed most in a guess of the classifier: found by leaving out, never by a list of words.

A correction of the owner's counts where its share of the score is the largest; else the words without which the guess would
have been less sure. Refuses to name a word that made no difference.
"""

from collections.abc import Callable, Sequence

import numpy as np

from app.agent.local.ridge import Ridge, kernel
from app.agent.local.rows import Matrix
from app.agent.local.words import WORD, fold, words
from app.domain.reasons import Because, Ground

MOST_WORDS = 3
SHORTEST = 4
"""Letters of a word that says something to a reader."""
LOOKED_AT = 120
"""Words of a mail that are left out one by one; a guess is looked at in some milliseconds."""
DIFFERENCE = 0.002
"""Of the probability: a word that changes less made none."""


def heaviest_example(ridge: Ridge, row: Matrix, classes: Sequence[int]) -> int:
    """The number of the training row that adds most to the score of these classes."""
    shares: Matrix = kernel(row[None, :], ridge.rows)[0] * ridge.weights[:, list(classes)].sum(axis=1)
    return int(np.argmax(shares))


def telling_words(text: str, sureness: Callable[[str], float]) -> Because:
    """The words without which `sureness`, of the text that is left, would fall most."""
    whole = sureness(text)
    shown: dict[str, str] = {}
    for one in WORD.findall(text):
        shown.setdefault(fold(one), one.lower())
    known = [one for one in shown if len(one) >= SHORTEST and one.isalpha()][:LOOKED_AT]
    falls = [(whole - sureness(_without(text, one)), -place, one) for place, one in enumerate(known)]
    telling = [shown[one] for fall, _, one in sorted(falls, reverse=True)[:MOST_WORDS] if fall >= DIFFERENCE]
    return Because(Ground.WORDS, tuple(telling)) if telling else Because(Ground.WHOLE)


def _without(text: str, word: str) -> str:
    return " ".join(one for one in words(text) if one != word)
