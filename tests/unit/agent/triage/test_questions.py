"""What a mail asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.triage.questions import AskedQuestion, asked, questions


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Hello, do you ship to Norway? I like your mugs.", ["Do you ship to Norway?"]),
        ("How are you? When does the kiln cool down?", ["When does the kiln cool down?"]),
        ("Dobrý den, kolik stojí džbán? Děkuji.", ["Kolik stojí džbán?"]),
        ("Please let me know the price.", ["Please let me know the price."]),
        ("Zajímalo by mě, do kdy to stihnete.", ["Zajímalo by mě, do kdy to stihnete."]),
        ("Please find the invoice attached. Thank you.", []),
        ("See https://shop.example/list?page=2 for more.", []),
        ("Is it blue? Is it blue?", ["Is it blue?"]),
        ("?!? ...", []),
    ],
)
def test_asked(text: str, wanted: list[str]) -> None:
    assert [one.text for one in asked(text)] == wanted


def test_questions_are_those_with_a_mark() -> None:
    text = "Please send the list. Is it long?"
    assert asked(text) == (AskedQuestion("Please send the list.", False), AskedQuestion("Is it long?", True))
    assert questions(text) == ("Is it long?",)


@given(st.text(max_size=400))
def test_never_fails_and_never_repeats(text: str) -> None:
    found = [one.text for one in asked(text)]
    assert len(found) == len(set(found))
