"""Logistic regression over named features, adapted to an owner around shipped weights. Deterministic; numpy only.

The fit draws each weight towards the one it began with, so few examples change little, and what was never seen stays as shipped.
"""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.domain.record import Record

Matrix = NDArray[np.float64]
MOST_STEPS = 12
LARGEST_STEP = 2.0
CLOSE = 1e-4
_BIAS_PENALTY = 0.01


class LinearModel(Record):
    """A bias and one weight for each name."""

    names: tuple[str, ...]
    weights: Matrix
    bias: float

    @classmethod
    def of(cls, weights: Mapping[str, float], bias: float) -> "LinearModel":
        names = tuple(sorted(weights))
        return cls(names, np.asarray([weights[name] for name in names], dtype=np.float64), bias)

    def row(self, features: Mapping[str, float]) -> Matrix:
        """The features in the model's order; 0 for a missing one."""
        return np.asarray([features.get(name, 0.0) for name in self.names], dtype=np.float64)

    def score(self, features: Mapping[str, float]) -> float:
        return float(self.row(features) @ self.weights) + self.bias

    def shares(self, features: Mapping[str, float], usual: Matrix | float = 0.0) -> dict[str, float]:
        """What each feature adds to the log odds, compared with a `usual` row."""
        return dict(zip(self.names, ((self.row(features) - usual) * self.weights).tolist(), strict=True))


def probability(log_odds: float) -> float:
    """Log odds as a probability."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, log_odds))))


def fit(
    rows: Matrix, wanted: Matrix, weight: Matrix, strength: float, start: Matrix | None = None, penalty: Matrix | None = None
) -> tuple[Matrix, float]:
    """Fits on `rows` (n, d) with answers 0 or 1 and weights (n). Returns weights (d) and bias.

    `strength` draws the weights to `start` (d + 1, the bias last; zero by default); `penalty` (d) multiplies it.
    """
    count, width = rows.shape
    whole = np.hstack([rows, np.ones((count, 1))])
    origin = np.zeros(width + 1) if start is None else start
    drawn = np.full(width + 1, strength)
    if penalty is not None:
        drawn[:-1] *= penalty
    drawn[-1] = _BIAS_PENALTY
    found = origin.copy()
    for _ in range(MOST_STEPS):
        expected = 1.0 / (1.0 + np.exp(-np.clip(whole @ found, -30.0, 30.0)))
        slope = whole.T @ (weight * (expected - wanted)) + drawn * (found - origin)
        spread = weight * np.maximum(expected * (1.0 - expected), 1e-6)
        step = np.linalg.solve((whole * spread[:, None]).T @ whole + np.diag(drawn), slope)
        found = found - step * min(1.0, LARGEST_STEP / max(1e-9, float(np.abs(step).max())))
        if float(np.abs(step).max()) < CLOSE:
            break
    return found[:-1], float(found[-1])
