"""What is private of a source and what is not: both sides, and that a secret stays one whatever the owner writes to others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.policy.private_words import DATES, GENERIC, Letter, grams, private_runs, usual_sentences

BOB, CAROL, ANN = (frozenset({f"{name}@z.org"}) for name in ("bob", "carol", "ann"))
THANKS = "Thank you for your message, we read every single one."
SIGN_OFF = "Best regards\nMia Example"


def quoted(body: str, source: str, letters: list[Letter], took_part: bool = False) -> list[str]:
    names = frozenset({"mia", "example", "ann"})
    found = private_runs(grams(body), source, usual_sentences(letters), names, took_part)
    return [" ".join(run) for run in found]


@pytest.mark.parametrize(
    ("letters", "private"),
    [
        ([], True),
        ([(BOB, THANKS)], True),
        ([(BOB, THANKS), (BOB, THANKS)], True),
        ([(BOB, THANKS), (BOB | CAROL, THANKS)], True),
        ([(BOB, THANKS), (CAROL, THANKS)], False),
        ([(BOB, THANKS), (CAROL, THANKS.upper())], False),
        ([(BOB, THANKS), (CAROL, "Thank you for your message.")], True),
        ([(BOB, THANKS), (frozenset(), THANKS)], True),
    ],
)
def test_a_sentence_for_everybody_goes_to_two_people_who_share_no_letter(letters: list[Letter], private: bool) -> None:
    assert bool(quoted(f"Hello Ann,\n\n{THANKS}\n\n{SIGN_OFF}", f"{THANKS}\n\n{SIGN_OFF}", letters)) is private


@pytest.mark.parametrize("fact", ["It costs 40 pieces of silver altogether.", "Ask Peter Novak about the old cellar key."])
def test_a_fact_is_private_however_often_it_was_written(fact: str) -> None:
    assert quoted(fact, fact, [(BOB, fact), (CAROL, fact)])
    assert quoted(fact, fact, [], took_part=True)


def test_plain_words_of_a_thread_they_were_in_are_known_to_them() -> None:
    told = "the cellar key lies under the third stone"
    assert quoted(told, told, [])
    assert not quoted(told, told, [], took_part=True)


@pytest.mark.parametrize(
    "text", ["Could you please let me know?", "I will be with you again soon", "Mit freundlichen Grüßen und vielen Dank für"]
)
def test_runs_of_the_commonest_words_say_nothing(text: str) -> None:
    assert all(word.casefold() in GENERIC for run in grams(text) for word in run) == (not quoted(text, text, []))


def test_the_owners_and_the_recipients_names_are_no_facts() -> None:
    text = "we all say hello to Mia Example"
    assert not quoted(text, text, [], took_part=True)
    assert quoted(text.replace("Mia", "Eve"), text.replace("Mia", "Eve"), [], took_part=True)


words = st.sampled_from([*sorted(GENERIC)[:60], "cellar", "stone", "price", "offer", "garden"])
secrets = st.one_of(
    st.integers(10, 10**9).map(str), st.sampled_from(sorted(DATES)), st.sampled_from(["Novak", "Peter", "Zurich"])
)


@given(
    before=st.lists(words, min_size=4, max_size=9),
    secret=secrets,
    after=st.lists(words, min_size=1, max_size=9),
    often=st.integers(0, 3),
)
def test_a_flagged_secret_stays_flagged(before: list[str], secret: str, after: list[str], often: int) -> None:
    """Whoever else got the same sentence, and whoever took part in the thread."""
    sentence = " ".join((*before, secret, *after))
    letters = [(frozenset({f"{at}@z.org"}), sentence) for at in range(often)]
    for took_part in (False, True):
        found = quoted(f"Hello Ann,\n{sentence}\nMia", sentence, letters, took_part)
        assert any(secret.casefold() in run.split() for run in found)


@given(st.lists(words, min_size=5, max_size=12), st.lists(words, min_size=1, max_size=8))
def test_more_letters_never_make_more_private(said: list[str], other: list[str]) -> None:
    text = " ".join(said)
    few: list[Letter] = [(BOB, text)]
    more: list[Letter] = [*few, (CAROL, text), (ANN, " ".join(other))]
    assert set(quoted(text, text, more)) <= set(quoted(text, text, few))
