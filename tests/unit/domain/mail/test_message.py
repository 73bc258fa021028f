"""Addresses and headers."""

import pytest

from app.domain.mail.message import Address, first_header


@pytest.mark.parametrize(
    ("email", "domain"), [("a@x.example", "x.example"), ('"a@b"@x.example', "x.example"), ("nobody", ""), ("", "")]
)
def test_domain_is_the_part_after_the_last_at(email: str, domain: str) -> None:
    assert Address(email).domain == domain


def test_headers_are_found_without_case_and_first_wins() -> None:
    headers = (("Received", "one"), ("received", "two"), ("X-A", "3"))
    assert first_header(headers, "RECEIVED") == "one"
    assert first_header(headers, "List-Id") == ""
