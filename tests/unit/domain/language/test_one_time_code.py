"""A one-time code is found only in a message that brings one, and only if there is no choice."""

import pytest

from app.domain.language.one_time_code import one_time_code


@pytest.mark.parametrize(
    ("subject", "text", "code"),
    [
        ("Your code", "Your verification code is 482913. It expires in ten minutes.", "482913"),
        ("482 913 is your security code", "", "482913"),
        ("Přihlášení", "Váš ověřovací kód: 48291", "48291"),
        ("Anmeldung", "Ihr Sicherheitscode:\n\n112233", "112233"),
        ("Winter sale", "The discount code is 123456.", ""),
        ("Sign-in code", "Use code 112233 or code 998877.", ""),
        ("Invoice 202611", "Please pay 448812 to account 123456/0100.", ""),
    ],
)
def test_the_only_code_is_found(subject: str, text: str, code: str) -> None:
    assert one_time_code(subject, text) == code
