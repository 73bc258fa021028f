"""Rows for the classifier."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.agent.local.rows import BUCKETS, Scaling, pieces


@given(st.text(max_size=100))
def test_pieces_are_a_unit_vector_or_nothing(text: str) -> None:
    length = float(np.linalg.norm(pieces(text)))
    assert pieces(text).shape == (BUCKETS,)
    assert length == 0.0 or abs(length - 1.0) < 1e-9


def test_endings_and_diacritics_stay_near() -> None:
    near = pieces("reklamace konvice") @ pieces("Reklamaci konvici")
    assert near > 0.5 > abs(float(pieces("reklamace konvice") @ pieces("lighthouse")))


def test_a_row_is_vector_features_and_pieces() -> None:
    scaling = Scaling.of(np.asarray([[0.0, 1.0], [1.0, 1.0]]))
    row = scaling.row([1.0, 0.0, 0.0], [5.0, 1.0], "word")
    assert row.shape == (3 + 2 + BUCKETS,)
    assert row[3] == 0.7
    assert row[4] == 0.0
