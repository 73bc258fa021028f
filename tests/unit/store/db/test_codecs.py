"""Values as text and bytes: nothing is lost on the way."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.message import Address
from app.store.db.codecs import (
    COMPRESS_FROM_BYTES,
    pack_addresses,
    pack_pairs,
    pack_sources,
    pack_strings,
    pack_text,
    unpack_addresses,
    unpack_pairs,
    unpack_strings,
    unpack_text,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)


@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT)))
def test_addresses_and_headers(pairs: list[tuple[str, str]]) -> None:
    """Any characters, any order, lone surrogates too."""
    addresses = tuple(Address(email, name) for email, name in pairs)
    assert unpack_addresses(pack_addresses(addresses)) == addresses
    assert unpack_pairs(pack_pairs(pairs)) == tuple(pairs)


def test_headers_that_earlier_programs_packed() -> None:
    """A flat list."""
    assert unpack_pairs(b'p["A","1","B","2"]') == (("A", "1"), ("B", "2"))


@given(st.lists(ANY_TEXT))
def test_strings(values: list[str]) -> None:
    """A list of strings, the empty string in it included."""
    assert unpack_strings(pack_strings(values)) == tuple(values)


@given(ANY_TEXT, st.integers(0, 400))
def test_texts(text: str, times: int) -> None:
    """Short and long texts; a long one that repeats itself shrinks."""
    long = text * times
    assert unpack_text(pack_text(long)) == long
    if times > 200 and len(long.encode("utf-8", "surrogatepass")) >= COMPRESS_FROM_BYTES:
        assert len(pack_text(long)) < len(long.encode("utf-8", "surrogatepass"))


@given(st.lists(st.tuples(ANY_TEXT, st.integers(0, 400)), max_size=4))
def test_sources(texts: list[tuple[str, int]]) -> None:
    """As texts, several at once, and never larger by more than the marker and a header."""
    longs = [text * times for text, times in texts]
    packed = pack_sources(longs)
    assert [unpack_text(one) for one in packed] == longs
    assert all(len(one) <= len(long.encode("utf-8", "surrogatepass")) + 20 for one, long in zip(packed, longs, strict=True))
