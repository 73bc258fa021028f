"""Slots: marks become spans, placeholders never stay in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.slots import add_slot, with_slots
from app.domain.draft import Draft, fill_slots

EMPTY = Draft((), (), (), "", "", "m")


@pytest.mark.parametrize(
    ("text", "body", "slots"),
    [
        ("The price is [[the price]].", "The price is .", ("the price",)),
        ("[[a]] and [[ b c ]]", " and ", ("a", "b c")),
        ("Regards, [Your Name]", "Regards, ", ("Your Name",)),
        ("On [insert date here] at [time]", "On  at ", ("insert date here", "time")),
        ("array[0] and [1] stay [sic]", "array[0] and [1] stay [sic]", ()),
        ("[[unclosed", "[[unclosed", ()),
        ("[[]]", "[[]]", ()),
    ],
)
def test_marks(text: str, body: str, slots: tuple[str, ...]) -> None:
    draft = with_slots(EMPTY, text)
    assert (draft.body, draft.open_slots) == (body, slots)
    assert draft.complete is (not slots)


@given(st.lists(st.tuples(st.text(alphabet="ab \n", max_size=8), st.text(alphabet="cd", min_size=1, max_size=5)), max_size=5))
def test_filling_the_slots_gives_the_text(parts: list[tuple[str, str]]) -> None:
    marked = "".join(f"{words}[[{need}]]" for words, need in parts)
    draft = with_slots(EMPTY, marked)
    assert draft.open_slots == tuple(need for _, need in parts)
    assert fill_slots(draft, draft.open_slots).body == "".join(words + need for words, need in parts)


def test_a_remark_is_one_more_slot_at_the_end() -> None:
    draft = add_slot(with_slots(EMPTY, "Hello [[name a]]"), " shorter ")
    assert draft.open_slots == ("name a", "shorter")
    assert draft.spans[-1].start == len(draft.body)
    assert add_slot(draft, "  ") is draft


def test_a_mark_without_end_costs_no_time() -> None:
    """Spaces were counted in every way there is."""
    text = "[[" + " " * 50_000 + "x" * 400
    assert with_slots(EMPTY, text).body == text
