"""JSON as tree items."""

import json

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QStandardItem

from app.ui.pages.activity.activity_texts import parsed
from app.ui.pages.activity.timeline import LONGEST, MOST_CHILDREN, Json, branch, members, open_branch, value_words

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_opening_everything_shows_every_member(value: Json) -> None:

    def check(item: QStandardItem, value: Json) -> None:
        open_branch(item)
        open_branch(item)
        inside = members(value)
        assert [item.child(row, 0).text() for row in range(item.rowCount())] == [name for name, _ in inside]
        for row, (_, one) in enumerate(inside):
            check(item.child(row, 0), one)

    assert parsed(json.dumps(value)) == value
    check(branch("x", value)[0], value)


def test_text_that_is_no_json_is_shown() -> None:
    assert parsed("{cut") == "{cut"


def test_brackets_without_end_are_shown_as_they_stand() -> None:
    assert parsed("[" * 200_000) == "[" * 200_000


def test_long_things_are_cut_honestly() -> None:
    """Long text ends in an ellipsis and keeps its whole in the tooltip; long lists say how many more."""
    text = "x" * (LONGEST + 1)
    assert value_words(text).endswith("…")
    assert branch("a", text)[1].toolTip() == text
    item = branch("a", list(range(MOST_CHILDREN + 7)))[0]
    open_branch(item)
    assert item.rowCount() == MOST_CHILDREN + 1
    assert "7" in item.child(MOST_CHILDREN, 1).text()
