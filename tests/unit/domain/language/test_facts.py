"""Concrete things in a text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.facts import FactKind, facts, fold_in_place


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It costs 1,890 CZK or € 38.50.", [("amount", "1,890 CZK"), ("amount", "€ 38.50")]),
        ("Stojí to 1 890 Kč.", [("amount", "1 890 Kč")]),
        ("Come on Friday 14 March at 9:30.", [("date", "Friday 14 March"), ("time", "at 9:30")]),
        ("Přijďte 12. 3. v 7:45.", [("date", "12. 3."), ("time", "v 7:45")]),
        ("We close at 6 pm.", [("time", "at 6 pm")]),
        (
            "Am Donnerstag um 16 Uhr oder nächste Woche?",
            [("day", "Am Donnerstag"), ("time", "um 16 Uhr"), ("day", "nächste Woche")],
        ),
        ("Guten Morgen, geht es morgen?", [("day", "morgen")]),
        ("Order #48812 and invoice 2024-0881", [("number", "#48812"), ("number", "2024-0881")]),
        ("See https://a.example/x or mail b@c.example", [("link", "https://a.example/x"), ("email", "b@c.example")]),
        ("I'll come tomorrow.", [("day", "tomorrow")]),
        ("two cups and a jug", []),
    ],
)
def test_facts(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(str(one.kind), one.text) for one in facts(text)] == wanted


@given(st.text(alphabet="ab1 290.:,/-#€kčKCpmč@\n", max_size=120))
def test_facts_stand_in_order_without_overlap_and_as_written(text: str) -> None:
    found = facts(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


@given(st.text(max_size=200))
def test_folding_in_place_keeps_offsets(text: str) -> None:
    assert len(fold_in_place(text)) == len(text)


def test_the_same_day_has_one_key() -> None:
    first, second = (one for one in facts("on Friday, Friday") if one.kind is FactKind.DAY)
    assert first.key == second.key


@pytest.mark.parametrize("unit", ["a-", "a.", "111 ", "1:00 ", "a@", "1 \n"])
def test_a_letter_made_to_stall_the_reader_is_read(unit: str) -> None:
    """Each of these took minutes when every place looked at all that follows."""
    assert len(facts(unit * 60_000 + " on monday")) >= 1
