"""Whether a mail is near enough to what is searched for, and which of its passages (some sentences in a row) is nearest.

Looks no further into a mail than the embedding of the whole mail does.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from app.agent.local.words import Language, language, sentences
from app.domain.ports.agents import Embedder

NEAR = 0.32
NEAR_OTHER = 0.48
"""Cosines from which a mail is alike, in English and in any other language: the model has read English, and to it everything in
Czech is somewhat alike. `app.evals.searching` measures what they keep and what they let through."""

LENGTH = 120
"""Characters of a passage, about a line of a wide list."""

LOOKED_AT = 1200
"""Characters of a mail: its embedding has seen 256 tokens, which are fewer."""

KEPT = 256
"""Mails whose passages stay embedded, 3 MB at most: whoever types on finds many of them again."""


def near_enough(cosine: float, text: str) -> bool:
    """Whether a mail with this text is worth showing, by the cosine of what is searched for and the whole mail."""
    return cosine >= NEAR_OTHER or (cosine >= NEAR and language(text) is Language.EN)


def passages(text: str) -> list[str]:
    """The beginning of a text in passages, each on one line."""
    found = [""]
    for sentence in sentences(text[:LOOKED_AT]):
        if found[-1] and len(found[-1]) + len(sentence) > LENGTH:
            found.append("")
        found[-1] = f"{found[-1]} {sentence}".strip()
    return [one for one in found if one]


class Passages:
    """Remembers what it embedded. Thread-safe; two threads may embed one text twice."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def nearest(self, text: str, vector: Sequence[float]) -> str:
        """The passage nearest to a unit vector, empty for an empty text; 3 to 8 ms for each passage the first time."""
        parts = passages(text)
        if len(parts) < 2:
            return "".join(parts)
        near = self._embedded(text, parts) @ np.asarray(vector, dtype=np.float32)
        return parts[int(near.argmax())]

    def _embedded(self, text: str, parts: Sequence[str]) -> NDArray[np.float32]:
        key = text[:LOOKED_AT]
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = np.asarray(self._embedder.embed(parts), dtype=np.float32)
        with self._lock:
            self._known[key] = known
            self._known.move_to_end(key)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return known
