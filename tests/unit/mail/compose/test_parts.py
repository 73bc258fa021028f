"""The owner's address in a reply, and what leaves as its subject.

Which way a text reads.
"""

import pytest

from app.domain.mail.message import Address
from app.mail.compose.parts import direction, own_address, settled_subject, unique
from fakes.engine.store.accounts import ACCOUNT, message


@pytest.mark.parametrize(
    ("subject", "about", "leaves"),
    [
        ("New topic", None, "New topic"),
        ("Ref: contract 12", None, "Ref: contract 12"),
        ("R: drive is full ", "Plans", "R: drive is full"),
        (" RE: re: Plans ", "Plans", "Re: Plans"),
        (" RE: re: Plans ", "AW: plans", "Re: Plans"),
        ("Plans", "Re: Plans", "Plans"),
    ],
)
def test_an_approved_subject_keeps_its_words(subject: str, about: str | None, leaves: str) -> None:
    assert settled_subject(subject, None if about is None else message(subject=about)) == leaves


def test_one_mailbox_in_two_spellings_gets_one_mail() -> None:
    taken: set[str] = set()
    assert unique((Address("olga.n@gmail.com"), Address("eva@example.org")), taken)[0].email == "olga.n@gmail.com"
    assert unique((Address("olgan+work@googlemail.com"), Address("jan@example.org")), taken) == (Address("jan@example.org"),)


def test_the_own_address_is_the_one_that_was_written_to() -> None:
    assert own_address(ACCOUNT, message(cc=(Address("sales@example.com"),), to=())).email == "sales@example.com"
    assert own_address(ACCOUNT, message(to=(Address("list@example.org"),))).email == "olga@example.com"
    assert own_address(ACCOUNT, None) == Address("olga@example.com", "Olga Nováková")


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
