"""Encodings that are broken are undone as far as they go, and no further than the standard library would."""

import pytest

from app.mail.imports.decoding import Base64


@pytest.mark.parametrize("coded", [b"QUJD", b"QUJDR", b"QUJDRA", b"QUJDRA=", b"QUJDRA==", b"QUJD=", b"QU JD\r\n!RA"])
def test_base64_that_ends_too_early(coded: bytes) -> None:
    decoder = Base64()
    found = decoder.feed(coded) + decoder.end()
    assert found == (b"ABCD" if b"RA" in coded else b"ABC")


def test_what_follows_the_padding_of_base64_is_not_read() -> None:
    decoder = Base64()
    found = decoder.feed(b"QUJDRA==" + b"\n" * 9 + b"Q" * 70_000)
    assert found + decoder.feed(b"Q" * 70_000) + decoder.feed(b"Q" * 70_000) + decoder.end() == b"ABCD"
