"""JSON as tree items."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.ui.pages.activity.activity_texts import parsed
from app.ui.pages.activity.timeline import LONGEST, MOST_CHILDREN, Branch, Json, members, value_words

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_opening_everything_shows_every_member(value: Json) -> None:

    def check(item: Branch, value: Json) -> None:
        item.open()
        item.open()
        inside = members(value)
        assert [item.child(row).text(0) for row in range(item.childCount())] == [name for name, _ in inside]
        for row, (_, one) in enumerate(inside):
            check(item.child(row), one)

    assert parsed(json.dumps(value)) == value
    check(Branch("x", value), value)


def test_text_that_is_no_json_is_shown_as_it_stands() -> None:
    for text in ("{cut", "[" * 200_000):
        assert parsed(text) == text


def test_long_things_are_cut_honestly() -> None:
    """Long text ends in an ellipsis and keeps its whole in the tooltip; long lists say how many more."""
    text = "x" * (LONGEST + 1)
    assert value_words(text).endswith("…")
    assert Branch("a", text).toolTip(1) == text
    item = Branch("a", list(range(MOST_CHILDREN + 7)))
    item.open()
    assert item.childCount() == MOST_CHILDREN + 1
    assert "7" in item.child(MOST_CHILDREN).text(1)
