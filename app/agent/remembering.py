"""An embedder that remembers its last texts: triage and retrieval of one run embed the same one. Holds at most `KEPT`."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from app.domain.ports.agents import Embedder

KEPT = 32


class RememberingEmbedder:
    """Implements `Embedder` over another one. Thread-safe; two threads may embed one text twice."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = Lock()

    @property
    def model_id(self) -> str:
        """The other's."""
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        """The other's."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit-length vectors, one per text."""
        with self._lock:
            missing = [text for text in texts if text not in self._known]
        fresh = dict(zip(missing, self._embedder.embed(missing), strict=True)) if missing else {}
        with self._lock:
            vectors = [fresh.get(text) or self._known.get(text) or [] for text in texts]
            self._known.update(fresh)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        lost = [text for text, vector in zip(texts, vectors, strict=True) if not vector]
        return vectors if not lost else self._embedder.embed(texts)
