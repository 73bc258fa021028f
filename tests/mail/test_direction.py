"""Which way a text reads."""

import pytest

from app.mail.direction import direction


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "ltr"),
        ("Hello", "ltr"),
        ("  1, 2: مرحبا Anna", "rtl"),
        ("שלום", "rtl"),
        ("Anna مرحبا", "ltr"),
        ("123 🙂", "ltr"),
        ("你好", "ltr"),
    ],
)
def test_the_first_letter_says_it(text: str, wanted: str) -> None:
    assert direction(text) == wanted
