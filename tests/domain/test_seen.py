"""What was seen is put into a sentence and read back, part by part; other sentences are nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.seen import NUMBERS, Clause, Seen, Told, as_sentence, read_back, told_words

ABOUT = st.sampled_from(["bank.example", "t-mobile", "bank of america", "two", "ann@partner.example"])
PARTS = st.lists(st.sampled_from(Clause), min_size=1, max_size=3, unique=True)


def told(kind: Seen | Clause, about: str) -> Told:
    return Told(kind, about if "%1" in kind.value else "")


@given(PARTS, ABOUT)
def test_clauses_are_read_back(parts: list[Clause], about: str) -> None:
    clauses = tuple(told(one, about) for one in parts)
    assert read_back(as_sentence(clauses)) == clauses


@pytest.mark.parametrize("kind", Seen)
def test_a_rules_sentence_is_read_back(kind: Seen) -> None:
    one = told(kind, "ann@partner.example")
    assert read_back(told_words(one)) == (one,)


@pytest.mark.parametrize(
    "sentence",
    ["", ".", "It asks.", "Asks nothing of you", "Asks nothing of you and smiles.", "Asks  questions.", "You sent this mail."],
)
def test_other_sentences_are_nothing(sentence: str) -> None:
    assert read_back(sentence) == ()


def test_nothing_seen_is_no_sentence() -> None:
    assert as_sentence(()) == ""
    assert len(set(NUMBERS)) == len(NUMBERS)
