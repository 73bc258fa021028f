"""Characters and UTF-16 units are converted without loss."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.editor.slots import Positions, to_units, units

texts = st.text(alphabet=st.sampled_from("ab\n😀é山𝒳"), max_size=30)


@given(texts)
def test_units_are_what_utf16_says(text: str) -> None:
    assert units(text) == len(text.encode("utf-16-le")) // 2


def to_characters(text: str, position: int) -> int:
    """The character offset of a position; inside a pair it is the pair's start."""
    at = 0
    for offset, char in enumerate(text):
        width = 2 if ord(char) > 0xFFFF else 1
        if at + width > position:
            return offset
        at += width
    return len(text)


@given(texts, st.integers(0, 30))
def test_there_and_back(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    assert to_characters(text, to_units(text, offset)) == offset


def test_inside_a_pair_is_its_start() -> None:
    assert to_characters("a😀b", 2) == 1
    assert to_characters("ab", 99) == 2


@given(texts)
def test_many_places_of_one_text(text: str) -> None:
    places = Positions(text)
    for at in range(len(text) + 2):
        assert places.position(at) == to_units(text, at)
    for at in range(units(text) + 2):
        assert places.offset(at) == to_characters(text, at)
