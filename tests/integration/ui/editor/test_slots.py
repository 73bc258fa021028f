"""Characters and UTF-16 units are converted without loss."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.editor.slots import Positions

texts = st.text(alphabet=st.sampled_from("ab\n😀é山𝒳"), max_size=30)


@given(texts)
def test_positions_count_utf16_units(text: str) -> None:
    places = Positions(text)
    for at in range(len(text) + 2):
        assert places.position(at) == len(text[:at].encode("utf-16-le")) // 2
        assert places.offset(places.position(at)) == min(at, len(text))
