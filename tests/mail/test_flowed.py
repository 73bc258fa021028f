"""Flowed text is joined where it says it is flowed, and nowhere else; no word gets lost."""

from hypothesis import given
from hypothesis import strategies as st

from app.mail.mime.flowed import unflowed

FLOWED = "text/plain; charset=utf-8; format=flowed"


def test_lines_are_joined_and_fixed_ones_stay() -> None:
    assert unflowed("one \ntwo\nthree \n", FLOWED) == "one two\nthree "
    assert unflowed("one \ntwo", "text/plain") == "one \ntwo"


def test_quotes_flow_within_their_depth() -> None:
    text = "> asked \n> in two lines\n>> older \n> newer\nanswered"
    assert unflowed(text, FLOWED) == "> asked in two lines\n>> older \n> newer\nanswered"


def test_stuffed_spaces_go_and_the_signature_stays() -> None:
    assert unflowed(" >no quote \nat all\n-- \nOlga", FLOWED) == ">no quote at all\n-- \nOlga"


def test_a_deleted_space_joins_without_one() -> None:
    assert unflowed("Dlou \nhé \nslovo", f"{FLOWED}; delsp=yes") == "Dlouhéslovo"


@given(st.lists(st.text("ab >", max_size=8), max_size=8))
def test_no_letter_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert [one for one in unflowed(text, FLOWED) if one in "ab"] == [one for one in text if one in "ab"]
