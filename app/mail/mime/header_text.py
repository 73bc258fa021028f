"""Header fields by name, and header values as text: RFC 2047 decoded, unfolded, invisible characters removed.

Never raises: an invalid encoded word stays as it is. Messages of one sender have the same field names in the same order, so
parsed names are cached.
"""

import base64
import binascii
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from app.mail.mime.text import LAST, known_charset, one_line

WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{1,40})?\?([bBqQ])\?([^?\r\n]{0,8000})\?=")
"""Spaces are not allowed in an encoded word, but some mailers write them and every reader decodes it."""
BETWEEN = re.compile(r"(\?=)\s+(=\?)")
HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
SEEN = bytes(range(32, 127))
"""Printable ASCII and the space."""


def decode_words(value: str) -> str:
    """Decodes the encoded words of `value`, on one line, without invisible characters."""
    if value.isascii() and value.isprintable() and "=?" not in value and "  " not in value:
        return value.strip()  # nearly every header value
    if "=?" in value and "?=" in value:
        value = _decoded(value)
    return one_line(value)


def decode_all(values: Sequence[str]) -> list[str]:
    """Runs `decode_words` on each value.

    A single test covers the usual case that all are plain.
    """
    whole = "".join(values)
    if not whole.isascii() or ("?" in whole and "=?" in whole):
        return [decode_words(value) for value in values]
    odd = whole.encode("ascii").translate(None, SEEN)
    if odd.strip(b"\t\r\n"):
        return [decode_words(value) for value in values]
    if odd:
        return [" ".join(value.split()) for value in values]
    return [" ".join(value.split()) if "  " in value else value.strip() for value in values]


def _decoded(value: str) -> str:
    """Decodes encoded words.

    Neighbours of one charset are joined as bytes first, since some mailers split characters.
    """
    value = BETWEEN.sub(r"\1\2", value)
    out: list[str] = []
    pending, charset, at = b"", "", 0
    for found in WORD.finditer(value):
        data = _bytes(found[2], found[3])
        name = known_charset(found[1])
        if data is None or not name:
            continue
        if found.start() > at or name != charset:
            out += [_text(pending, charset), value[at : found.start()]]
            pending = b""
        pending, charset, at = pending + data, name, found.end()
    return "".join([*out, _text(pending, charset), value[at:]])


def _bytes(encoding: str, text: str) -> bytes | None:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return HEX.sub(lambda found: bytes((int(found[1], 16),)), raw.replace(b"_", b" "))
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return None


def _text(data: bytes, charset: str) -> str:
    """Decodes bytes as for bodies: latin-1 means windows-1252, and invalid bytes are replaced."""
    if charset in {"ascii", "iso8859_1"}:
        charset = LAST
    return data.decode(charset, "replace") if data else ""


Headers = tuple[tuple[str, str], ...]
USUAL = 80
"""Field names are cached up to this number of fields and this length."""


class _Names(NamedTuple):
    """The field names of a message, as shown and in lower case."""

    shown: tuple[str, ...]
    lower: tuple[str, ...]


class HeaderFields:
    """The header fields of a message, given as the server sent them."""

    def __init__(self, headers: Headers) -> None:
        self._values = tuple([value for _, value in headers])
        names = tuple([name for name, _ in headers])
        usual = len(names) <= USUAL and max(map(len, names), default=0) <= USUAL
        self._names = _usual(names) if usual else _read(names)
        # Of duplicate names the first value is kept, because it is inserted last.
        self._first = dict(zip(self._names.lower[::-1], self._values[::-1], strict=True))

    def first(self, name: str) -> str:
        """Returns the first value of a lower-case name, or an empty string."""
        return self._first.get(name, "")

    def all(self, name: str) -> list[str]:
        """Returns every value of a lower-case name, in order."""
        if name not in self._first:
            return []
        if self._names.lower.count(name) == 1:
            return [self._first[name]]
        return [value for key, value in zip(self._names.lower, self._values, strict=True) if key == name]

    def shown(self) -> Headers:
        """Names and values in order, each decoded on one line without invisible characters."""
        return tuple(zip(self._names.shown, decode_all(self._values), strict=True))


@lru_cache(maxsize=512)
def _usual(names: tuple[str, ...]) -> _Names:
    return _read(names)


def _read(names: tuple[str, ...]) -> _Names:
    return _Names(tuple(map(decode_words, names)), tuple([name.lower() for name in names]))
