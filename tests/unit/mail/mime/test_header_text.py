"""Header fields by name and as shown: the same as reading each by itself, whether its mail's names were seen before or not."""

from hypothesis import given
from hypothesis import strategies as st

from app.mail.mime.headers import HeaderFields, decode_words

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
