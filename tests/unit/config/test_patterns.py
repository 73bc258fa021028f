"""Patterns: case does not matter, a search ends, and what would eat the memory is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.patterns import compile_pattern


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*$", r"(a|aa)+$"])
def test_a_search_that_would_not_end_is_given_up(pattern: str) -> None:
    assert compile_pattern(pattern)("a" * 5000 + "!") is None


@pytest.mark.parametrize("pattern", ["(", "[", "*", "a{99999999999}", "(((a{1000}){1000}){1000})", "(" * 999, "a" * 1001])
def test_what_is_no_pattern_says_why(pattern: str) -> None:
    with pytest.raises(ValueError, match=r".{10}"):
        compile_pattern(pattern)


PIECES = st.sampled_from(
    ["a", "b", "ab", ".", "a*", "b+", "a?", "a{2}", "b{0,2}", r"\.", r"\w", "^", "$", "(a|b)", "[ab]", "(ab)*", " "]
)


@given(st.lists(PIECES, max_size=6).map("".join), st.text(alphabet="abAB. kKſ", max_size=12))
def test_a_search_finds_what_the_standard_library_finds(pattern: str, text: str) -> None:
    assert compile_pattern(pattern)(text) is (re.search(pattern, text, re.IGNORECASE) is not None)
