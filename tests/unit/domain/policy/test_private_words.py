"""What is private of a source and what is not: both sides."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.policy.private_words import DATES, GENERIC, Letter, grams, private_runs, runs_about, told_to

ANN, BOB, CAROL = (frozenset({f"{name}@z.org"}) for name in ("ann", "bob", "carol"))
PRICE = "The whole garden costs 400 crowns a month."
NAMES = frozenset({"mia", "example", "ann"})


def quoted(body: str, source: str, took_part: bool = False) -> list[str]:
    return [" ".join(run) for run in private_runs(grams(body), source, NAMES, took_part)]


@pytest.mark.parametrize(
    ("letters", "known"),
    [
        ([], False),
        ([(BOB, PRICE)], False),
        ([(BOB, PRICE), (BOB, PRICE)], False),
        ([(BOB, PRICE), (BOB | CAROL, PRICE)], False),
        ([(BOB, PRICE), (CAROL, PRICE)], True),
        ([(BOB, PRICE), (CAROL, PRICE.upper())], True),
        ([(BOB, PRICE), (frozenset(), PRICE)], False),
        ([(ANN, PRICE)], True),
        ([(ANN | BOB, PRICE)], True),
    ],
)
def test_words_for_everybody_went_to_two_people_who_share_no_letter(letters: list[Letter], known: bool) -> None:
    """A price on every offer is published; what a recipient was told already is no secret from them."""
    assert (told_to(ANN, grams(PRICE), letters) == grams(PRICE)) is known


@pytest.mark.parametrize("fact", ["It costs 40 pieces of silver altogether.", "Ask Peter Novak about the old cellar key."])
def test_a_fact_that_somebody_else_wrote_is_private_even_in_a_thread_they_were_in(fact: str) -> None:
    assert quoted(fact, fact)
    assert quoted(fact, fact, took_part=True)


def test_the_owners_and_the_recipients_names_are_no_facts() -> None:
    text = "we all say hello to Mia Example"
    assert not quoted(text, text, took_part=True)
    assert quoted(text.replace("Mia", "Eve"), text.replace("Mia", "Eve"), took_part=True)


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("We open at nine and close at six on Friday.", False),
        ("A full service costs 1,200 crowns and takes two days.", False),
        ("As I wrote, Kowalski has not paid the third invoice.", True),
        ("I am afraid that Mr Peters lost his case on Monday.", True),
        ("The pump by Shimano is better than all the others.", False),
        ("I told Mia that we open at nine on Friday.", False),
    ],
)
def test_the_owners_own_words_are_private_only_where_they_are_about_somebody_else(said: str, about: bool) -> None:
    assert bool(list(runs_about(grams(said), said, frozenset({"bob", "kowalski"}), NAMES))) is about


words = st.sampled_from([*sorted(GENERIC)[:60], "cellar", "stone", "price", "offer", "garden"])
secrets = st.one_of(
    st.integers(10, 10**9).map(str), st.sampled_from(sorted(DATES)), st.sampled_from(["Novak", "Peter", "Zurich"])
)


@settings(max_examples=2 * settings.default.max_examples)
@given(
    before=st.lists(words, min_size=4, max_size=9),
    secret=secrets,
    after=st.lists(words, min_size=1, max_size=9),
    took_part=st.booleans(),
)
def test_a_strangers_secret_is_found_wherever_it_stands(
    before: list[str], secret: str, after: list[str], took_part: bool
) -> None:
    sentence = " ".join((*before, secret, *after))
    found = quoted(f"Hello Ann,\n{sentence}\nMia", sentence, took_part)
    assert any(secret.casefold() in run.split() for run in found)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(words, min_size=5, max_size=12), st.lists(words, min_size=1, max_size=8))
def test_more_letters_never_make_more_private(said: list[str], other: list[str]) -> None:
    text = " ".join(said)
    few: list[Letter] = [(BOB, text)]
    more: list[Letter] = [*few, (CAROL, text), (ANN, " ".join(other))]
    assert told_to(ANN, grams(text), few) <= told_to(ANN, grams(text), more)
