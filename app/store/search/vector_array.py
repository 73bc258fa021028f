"""Vectors of one account in memory, so that a search compares with every mail exactly (6 ms for 100,000).

1.6 kB a mail. Chroma keeps the same vectors; a file beside it, written on closing, spares reading them all from Chroma.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.domain.ids import MessageId
from app.store.search.message_table import Mask

Rows = NDArray[np.float32]


class VectorArray:
    """Unit vectors by message id, each marked if the owner answered the message. Not thread-safe."""

    def __init__(self, dimension: int) -> None:
        self._rows: Rows = np.zeros((0, dimension), dtype=np.float32)
        self._ids: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._answered: Mask = np.zeros(0, dtype=np.bool_)
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> list[int]:
        """The messages that have a vector."""
        return list(self._places)

    @property
    def answered(self) -> int:
        """How many are marked as answered."""
        return int(np.count_nonzero(self._answered[: len(self)]))

    def put(self, ids: Sequence[int], rows: Rows, answered: Sequence[bool]) -> None:
        """Adds vectors; a known message gets the new vector and mark."""
        self._grow(len(self) + len(ids))
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12)) if len(rows) else rows
        for one, row, mark in zip(ids, rows, answered, strict=True):
            place = self._places.setdefault(int(one), len(self._places))
            self._rows[place], self._ids[place], self._answered[place] = row, one, mark

    def drop(self, ids: Sequence[int]) -> None:
        """Removes vectors: the last one takes the place of each."""
        for one in ids:
            place = self._places.pop(int(one), None)
            if place is None:
                continue
            last = len(self._places)
            if place != last:
                moved = int(self._ids[last])
                self._rows[place], self._ids[place], self._answered[place] = self._rows[last], moved, self._answered[last]
                self._places[moved] = place
            self._answered[last] = False

    def nearest(self, vector: Sequence[float], limit: int, among: Mask | None, answered: bool) -> list[tuple[MessageId, float]]:
        """The nearest messages with a cosine similarity from 0 to 1, nearest first."""
        count = len(self)
        ids = self._ids[:count]
        wanted = np.asarray(vector, dtype=np.float32)
        scores = self._rows[:count] @ (wanted / max(float(np.linalg.norm(wanted)), 1e-12))
        chosen: Mask = self._answered[:count] if answered else np.ones(count, dtype=np.bool_)
        if among is not None:
            inside = ids < len(among)
            chosen = chosen & inside & among[np.where(inside, ids, 0)] if len(among) else np.zeros(count, dtype=np.bool_)
        places = np.flatnonzero(chosen)
        if len(places) > limit:
            places = places[np.argpartition(-scores[places], limit)[:limit]]
        places = places[np.argsort(-scores[places], kind="stable")]
        return [(MessageId(int(ids[at])), min(1.0, max(0.0, float(scores[at])))) for at in places]

    def save(self, path: Path) -> None:
        """Writes everything to a file that `load` reads; the file is whole or not there."""
        count = len(self)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            for column in (self._ids[:count], self._answered[:count], self._rows[:count]):
                np.save(file, column)
        part.replace(path)

    @classmethod
    def load(cls, path: Path, dimension: int) -> "VectorArray | None":
        """What `save` wrote; None without a readable file."""
        made = cls(dimension)
        try:
            with path.open("rb") as file:
                ids, answered, rows = np.load(file), np.load(file), np.load(file)
        except (OSError, ValueError, EOFError):
            return None
        if rows.shape != (len(ids), dimension) or len(answered) != len(ids):
            return None
        made._ids, made._answered, made._rows = ids, answered, rows
        made._places = {int(one): at for at, one in enumerate(ids)}
        return made

    def _grow(self, wanted: int) -> None:
        """Makes room, an eighth more than needed."""
        if wanted <= len(self._ids):
            return
        room = wanted + wanted // 8 + 64
        rows = np.zeros((room, self._rows.shape[1]), dtype=np.float32)
        ids, answered = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.bool_)
        count = len(self)
        rows[:count], ids[:count], answered[:count] = self._rows[:count], self._ids[:count], self._answered[:count]
        self._rows, self._ids, self._answered = rows, ids, answered
