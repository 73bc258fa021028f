"""Kernel ridge regression on one-hot classes with a calibrated softmax, and the feature row of a mail.

Deterministic; one solve refits hundreds of examples in milliseconds and also gives the leave-one-out scores for calibration. A
row is embedding, features and hashed word pieces. The pieces help for languages the embedder hardly knows.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.language.words import words

Matrix = NDArray[np.float64]
_STEEPNESS = np.geomspace(1.0, 16.0, 41)


@dataclass(frozen=True, slots=True)
class RidgeClassifier:
    """A fitted classifier: training rows (n, d), weights (n, classes), the classes' prior, and the softmax's steepness."""

    rows: Matrix
    weights: Matrix
    prior: Matrix
    steepness: float
    left_out: Matrix
    """Leave-one-out scores of the training rows, shape (n, classes)."""

    def scores(self, row: Matrix) -> Matrix:
        """Raw scores of one row (d), about 0 to 1 per class."""
        scored: Matrix = (kernel(row[None, :], self.rows) @ self.weights + self.prior[None, :])[0]
        return scored

    def probabilities(self, row: Matrix) -> Matrix:
        """Calibrated class probabilities of one row; they sum to 1."""
        shares: Matrix = softmax(self.scores(row)[None, :] * self.steepness)[0]
        return shares


def kernel(left: Matrix, right: Matrix) -> Matrix:
    """Linear kernel, which generalises, plus its square, which favours near neighbours. Rows have about unit length."""
    product: Matrix = left @ right.T
    mixed: Matrix = product + product**2
    return mixed


def fit(rows: Matrix, labels: NDArray[np.intp], classes: int, weight: Matrix, strength: float) -> RidgeClassifier:
    """Fits on `rows` (n, d) with class numbers `labels` (n). `weight` (n) weighs rows; `strength` is the regularisation."""
    wanted = np.eye(classes)[labels]
    prior = np.average(wanted, axis=0, weights=weight) * 0.5 + 0.5 / classes
    inverse = np.linalg.inv(kernel(rows, rows) + np.diag(strength / weight))
    weights = inverse @ (wanted - prior)
    left_out = wanted - weights / np.diag(inverse)[:, None]
    return RidgeClassifier(rows, weights, prior, _steepness(left_out, labels, weight), left_out)


def softmax(scores: Matrix) -> Matrix:
    """Rows of scores to rows of probabilities."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _steepness(left_out: Matrix, labels: NDArray[np.intp], weight: Matrix) -> float:
    """The steepness with the smallest log loss on the leave-one-out scores."""
    chosen = np.arange(len(labels))
    losses = [-(weight * np.log(softmax(left_out * s)[chosen, labels] + 1e-9)).sum() for s in _STEEPNESS]
    return float(_STEEPNESS[int(np.argmin(losses))])


PIECE = 4
BUCKETS = 512
_SIGN_BIT = 1 << 16
_PIECES_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class FeatureScaling:
    """Mean and spread of the features over the seeds, shape (features)."""

    mean: Matrix
    spread: Matrix

    @classmethod
    def of(cls, features: Matrix) -> "FeatureScaling":
        """Computes the scaling from `features`, shape (mails, features)."""
        return cls(features.mean(axis=0), features.std(axis=0) + 0.1)

    def row(self, vector: Sequence[float], features: Sequence[float], text: str) -> Matrix:
        """The row of one mail, shape (dimension + features + buckets)."""
        scaled = (np.asarray(features, dtype=np.float64) - self.mean) / self.spread / np.sqrt(len(self.mean))
        return np.concatenate([np.asarray(vector, dtype=np.float64), np.clip(scaled, -0.7, 0.7), _PIECES_SHARE * pieces(text)])


def with_text(row: Matrix, text: str) -> Matrix:
    """The same row with the word pieces of another text."""
    return np.concatenate([row[:-BUCKETS], _PIECES_SHARE * pieces(text)])


def pieces(text: str) -> Matrix:
    """Hashed four-letter pieces of all words as a unit vector of `BUCKETS` (zero for a text without words)."""
    counted = np.zeros(BUCKETS)
    for word in words(text):
        marked = f"^{word}$"
        for start in range(len(marked) - PIECE + 1):
            digest = zlib.crc32(marked[start : start + PIECE].encode())
            counted[digest % BUCKETS] += 1.0 if digest & _SIGN_BIT else -1.0
    damped: Matrix = np.sign(counted) * np.sqrt(np.abs(counted))
    length = float(np.linalg.norm(damped))
    return damped / length if length > 0 else damped
