"""One row of numbers per mail for the classifier: its embedding, its evidence, and its word pieces.

Word pieces carry the languages that the embedder hardly knows. Refuses to learn: scaling is fixed by the seeds.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.agent.local.words import words

Matrix = NDArray[np.float64]
PIECE = 4
BUCKETS = 512
_SIGN_BIT = 1 << 16
_PIECES_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Scaling:
    """Mean and spread of the evidence over the seeds, shapes (features)."""

    mean: Matrix
    spread: Matrix

    @classmethod
    def of(cls, features: Matrix) -> "Scaling":
        """Measure `features`, shape (mails, features)."""
        return cls(features.mean(axis=0), features.std(axis=0) + 0.1)

    def row(self, vector: Sequence[float], features: Sequence[float], text: str) -> Matrix:
        """The row of one mail, shape (dimension + features + buckets)."""
        scaled = (np.asarray(features, dtype=np.float64) - self.mean) / self.spread / np.sqrt(len(self.mean))
        return np.concatenate([np.asarray(vector, dtype=np.float64), np.clip(scaled, -0.7, 0.7), _PIECES_SHARE * pieces(text)])


def with_text(row: Matrix, text: str) -> Matrix:
    """The same row with the word pieces of another text."""
    return np.concatenate([row[:-BUCKETS], _PIECES_SHARE * pieces(text)])


def pieces(text: str) -> Matrix:
    """Hashed pieces of four letters of each word, a unit vector of `BUCKETS` (zero for a text without words)."""
    counted = np.zeros(BUCKETS)
    for word in words(text):
        marked = f"^{word}$"
        for start in range(len(marked) - PIECE + 1):
            digest = zlib.crc32(marked[start : start + PIECE].encode())
            counted[digest % BUCKETS] += 1.0 if digest & _SIGN_BIT else -1.0
    damped: Matrix = np.sign(counted) * np.sqrt(np.abs(counted))
    length = float(np.linalg.norm(damped))
    return damped / length if length > 0 else damped
