"""Header fields by name and as shown: the same as reading each by itself, whether its mail's names were seen before or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mail.mime.headers import HeaderFields, decode_words
from app.mail.mime.text import decode_body

NAMES = st.one_of(st.sampled_from(["From", "FROM", "To", "to", "Received", "=?utf-8?q?=C3=A9?=", "x" * 81]), st.text(max_size=5))
VALUES = st.one_of(st.text(max_size=20), st.sampled_from(["a  b", " =?utf-8?q?=C3=A9?= ", "\r\n x\ty"]))
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=90).map(tuple)


@given(HEADERS)
def test_fields_are_found_and_shown_as_each_by_itself(headers: tuple[tuple[str, str], ...]) -> None:
    for fields in (HeaderFields(headers), HeaderFields(headers)):
        assert fields.shown() == tuple((decode_words(name), decode_words(value)) for name, value in headers)
        for wanted in ("from", "to", "received", "cc", "é"):
            values = [value for name, value in headers if name.lower() == wanted]
            assert fields.all(wanted) == values
            assert fields.first(wanted) == (values[0] if values else "")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?iso-8859-1?q?caf\u00e9_bar?=", "café bar"),
        ("=?iso-8859-2?Q?P\u0159\u00edli\u0161?=", "Příliš"),
        ("=?utf-8?Q?Gr\u00fc\u00dfe_aus_M=C3=BCnchen?=", "Grüße aus München"),
        ("=?us-ascii?q?\u65e5?=", "日"),
        ("=?utf-7?q?Gr+APwA3w-e?=", "Grüße"),
    ],
)
def test_raw_letters_and_utf_7_in_encoded_words(value: str, text: str) -> None:
    assert decode_words(value) == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Gr+APwA3w-e aus Br+APw-nn", "Grüße aus Brünn"),
        (b"1+1=2, a+b-c", "1+1=2, a+b-c"),
        ("Grüße +APw-".encode(), "Grüße +APw-"),
    ],
)
def test_utf_7_bodies_are_decoded_where_they_are_still_encoded(data: bytes, text: str) -> None:
    assert decode_body(data, "text/plain; charset=utf-7") == text
