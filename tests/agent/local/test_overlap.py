"""Common words of two texts."""

from hypothesis import given
from hypothesis import strategies as st

from app.agent.local.overlap import alike, content_words, covered


def test_endings_are_forgiven() -> None:
    assert not alike("otevreno", "otec")
    assert alike("zaruka", "zaruku")
    assert alike("parking", "park")
    assert alike("voucher", "vouchers")
    assert not alike("price", "prize")


def test_content_words_leave_out_small_ones() -> None:
    assert content_words("Could you tell me the price of 20 jugs?") == {"tell", "price", "jugs"}


def test_covered_is_a_share() -> None:
    assert covered({"price", "jugs"}, {"prices", "cup"}) == 0.5
    assert covered(set(), {"a"}) == 0.0


@given(st.text(alphabet="abcde", max_size=9), st.text(alphabet="abcde", max_size=9))
def test_alike_is_symmetric_and_reflexive(first: str, second: str) -> None:
    assert alike(first, second) == alike(second, first)
    assert alike(first, first)
