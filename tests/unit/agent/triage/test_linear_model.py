"""The arithmetic of the linear model."""

import numpy as np

from app.agent.triage.linear_model import LinearModel, fit, probability

RANDOM = np.random.default_rng(7)
ROWS = RANDOM.normal(size=(200, 6))
WANTED = (ROWS[:, 0] > 0).astype(np.float64)
EVEN = np.ones(200)


def test_it_learns() -> None:
    weights, bias = fit(ROWS, WANTED, EVEN, 1.0)
    assert ((ROWS @ weights + bias > 0) == (WANTED > 0)).mean() > 0.95
    assert int(np.abs(weights).argmax()) == 0


def test_few_rows_change_little_and_none_nothing() -> None:
    start = np.asarray([1.0, -1.0, 0.5, 0.0, 0.0, 0.0, 0.2])
    few, _ = fit(ROWS[:3], WANTED[:3], np.ones(3), 10.0, start)
    many, _ = fit(ROWS, WANTED, EVEN, 10.0, start)
    assert np.abs(few - start[:-1]).max() < np.abs(many - start[:-1]).max()
    none, bias = fit(np.zeros((0, 6)), np.zeros(0), np.zeros(0), 10.0, start)
    assert np.allclose(none, start[:-1])
    assert np.isclose(bias, 0.2)


def test_separable_and_unweighted_rows_stay_finite() -> None:
    weights, bias = fit(np.eye(4), np.asarray([1.0, 1.0, 0.0, 0.0]), np.asarray([1.0, 1.0, 1.0, 0.0]), 0.5)
    assert np.isfinite([*weights, bias]).all()


def test_scores_and_what_weighs_most() -> None:
    model = LinearModel.of({"asks": 2.0, "list": -1.0, "short": 0.1}, -0.5)
    assert np.isclose(model.score({"asks": 1.0, "unknown": 9.0}), 1.5)
    assert model.shares({"asks": 1.0, "list": 1.0}) == {"asks": 2.0, "list": -1.0, "short": 0.0}
    assert probability(0.0) == 0.5
    assert 0.99 < probability(1000.0) <= 1.0
