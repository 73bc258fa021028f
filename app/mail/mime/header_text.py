"""Header fields by name, and header values as text: RFC 2047 decoded, unfolded, invisible characters removed.

Never raises: an invalid encoded word stays as it is.
"""

import base64
import binascii
import re

from app.mail.mime.text import LAST, known_charset, one_line

WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{1,40})?\?([bBqQ])\?([^?\r\n]{0,8000})\?=")
"""Spaces are not allowed in an encoded word, but some mailers write them and every reader decodes it."""
BETWEEN = re.compile(r"(\?=)\s+(=\?)")
HEX = re.compile(rb"=([0-9A-Fa-f]{2})")


def decode_words(value: str) -> str:
    """Decodes the encoded words of `value`, on one line, without invisible characters."""
    if value.isascii() and value.isprintable() and "=?" not in value and "  " not in value:
        return value.strip()  # nearly every header value
    if "=?" in value and "?=" in value:
        value = _decoded(value)
    return one_line(value)


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


class HeaderFields:
    """The header fields of a message, given as the server sent them."""

    def __init__(self, headers: Headers) -> None:
        self._headers = headers
        self._values: dict[str, list[str]] = {}
        for name, value in headers:
            self._values.setdefault(name.lower(), []).append(value)

    def first(self, name: str) -> str:
        """Returns the first value of a lower-case name, or an empty string."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> list[str]:
        """Returns every value of a lower-case name, in order."""
        return self._values.get(name, [])

    def shown(self) -> Headers:
        """Names and values in order, each decoded on one line without invisible characters."""
        return tuple([(decode_words(name), decode_words(value)) for name, value in self._headers])
