"""Header values as text: what Gmail left encoded (RFC 2047) is decoded, folding undone, invisible characters removed.

Never fails: an encoded word that makes no sense stays as it is.
"""

import base64
import binascii
import re
from collections.abc import Sequence

from app.mail.mime.charset import LAST, known_charset
from app.mail.mime.invisible import one_line

WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{1,40})?\?([bBqQ])\?([^?\r\n]{0,8000})\?=")
"""Spaces may not stand in an encoded word, but some mailers put them there, and every reader decodes it."""
BETWEEN = re.compile(r"(\?=)\s+(=\?)")
HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
SEEN = bytes(range(32, 127))
"""Plain characters and spaces."""


def decode_words(value: str) -> str:
    """`value` with its encoded words decoded, on one line, without invisible characters."""
    if value.isascii() and value.isprintable() and "=?" not in value and "  " not in value:
        return value.strip()  # nearly every header value
    if "=?" in value and "?=" in value:
        value = _decoded(value)
    return one_line(value)


def decode_all(values: Sequence[str]) -> list[str]:
    """`decode_words` of each value; nearly always all of them are plain, which one look tells."""
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
    """Decode word by word; neighbours of one charset are joined as bytes first, since some mailers cut characters in two."""
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
    """As bodies are read: Western mail labelled latin-1 means windows-1252, and one bad byte spoils nothing but itself."""
    if charset in {"ascii", "iso8859_1"}:
        charset = LAST
    return data.decode(charset, "replace") if data else ""
