"""The classifier's arithmetic.

Rows for the classifier.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.agent.triage.linear_model import BUCKETS, FeatureScaling, fit, kernel, pieces, softmax

RANDOM = np.random.default_rng(7)
ROWS = RANDOM.normal(size=(40, 6)) / 3
LABELS = (ROWS[:, 0] > 0).astype(np.intp)


def test_it_learns_and_its_probabilities_sum_to_one() -> None:
    fitted = fit(ROWS, LABELS, 2, np.ones(40), 0.5)
    chances = np.asarray([fitted.probabilities(row) for row in ROWS])
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert (chances.argmax(axis=1) == LABELS).mean() > 0.85


def test_left_out_scores_are_those_of_a_fit_without_the_row() -> None:
    fitted = fit(ROWS, LABELS, 2, np.ones(40), 0.5)
    for left in (0, 11, 39):
        rest = np.arange(40) != left
        gram = kernel(ROWS[rest], ROWS[rest]) + 0.5 * np.eye(39)
        weights = np.linalg.solve(gram, np.eye(2)[LABELS[rest]] - fitted.prior)
        assert np.allclose(kernel(ROWS[left : left + 1], ROWS[rest]) @ weights + fitted.prior, fitted.left_out[left])


def test_weight_pulls() -> None:
    labels = LABELS.copy()
    labels[0] = 1 - labels[0]
    light = fit(ROWS, labels, 2, np.ones(40), 0.5).probabilities(ROWS[0])[labels[0]]
    weights = np.ones(40)
    weights[0] = 20
    assert fit(ROWS, labels, 2, weights, 0.5).probabilities(ROWS[0])[labels[0]] > light


def test_the_same_data_give_the_same_fit() -> None:
    first, second = (fit(ROWS, LABELS, 2, np.ones(40), 0.5) for _ in range(2))
    assert np.array_equal(first.weights, second.weights)
    assert first.steepness == second.steepness


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=6))
def test_softmax_is_a_distribution(scores: list[float]) -> None:
    shares = softmax(np.asarray([scores]))[0]
    assert np.isclose(shares.sum(), 1.0)
    assert shares.min() >= 0.0
    assert shares[int(np.argmax(scores))] == shares.max()


@given(st.text(max_size=100))
def test_pieces_are_a_unit_vector_or_nothing(text: str) -> None:
    length = float(np.linalg.norm(pieces(text)))
    assert pieces(text).shape == (BUCKETS,)
    assert length == 0.0 or abs(length - 1.0) < 1e-9


def test_endings_and_diacritics_stay_near() -> None:
    near = pieces("reklamace konvice") @ pieces("Reklamaci konvici")
    assert near > 0.5 > abs(float(pieces("reklamace konvice") @ pieces("lighthouse")))


def test_a_row_is_vector_features_and_pieces() -> None:
    scaling = FeatureScaling.of(np.asarray([[0.0, 1.0], [1.0, 1.0]]))
    row = scaling.row([1.0, 0.0, 0.0], [5.0, 1.0], "word")
    assert row.shape == (3 + 2 + BUCKETS,)
    assert row[3] == 0.7
    assert row[4] == 0.0
