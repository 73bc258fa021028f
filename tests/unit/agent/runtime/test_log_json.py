"""Whatever a node may log comes back as it was."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.runtime.run_recorder import dumped, loaded

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_fields_come_back(fields: dict[str, Any]) -> None:
    assert loaded(dumped(fields)) == fields
    assert json.loads(dumped(fields)) == fields


def test_half_characters_and_odd_numbers_of_older_rows_are_read() -> None:
    half = {"text": "a\ud83d"}
    assert loaded(dumped(half)) == half
    assert loaded(json.dumps(half)) == half
    assert math.isnan(loaded('{"score": NaN}')["score"])


@pytest.mark.parametrize("text", ["", "[]", "3", "{", '{"a": 1} x'])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        loaded(text)
