"""Decodes bodies to text and removes invisible characters.

Gmail converts bodies to UTF-8 but keeps the old charset in Content-Type, so UTF-8 is tried first. Decoding never raises; bytes
that fit no charset become replacement characters. Invisible characters are removed so that a program reads no more than the
reader sees; joiners stay where scripts and emoji need them.
"""

import codecs
import html
import re
from functools import lru_cache

CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9._:+-]{1,40})""", re.IGNORECASE)
NOT_FOR_MAIL = frozenset(
    {
        "unicode_escape",
        "raw_unicode_escape",
        "unicode-escape",
        "raw-unicode-escape",
        "idna",
        "punycode",
        "undefined",
        "mbcs",
        "oem",
    }
)
SEVEN_BIT = frozenset({"iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr", "hz"})
"""Charsets whose bytes are valid UTF-8 too; escape characters tell them apart."""
UTF_7_RUN = re.compile(rb"\+[A-Za-z0-9/]{2,}-")
"""Encoded letters; Gmail's own answers have none, because they are UTF-8 already."""
LAST = "windows-1252"
WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "windows-31j": "cp932",
    "iso-8859-8-i": "iso8859_8",
    "iso-8859-8-e": "iso8859_8",
    "x-sjis": "cp932",
    "unicode-1-1-utf-8": "utf-8",
}
"""Charsets to use instead where mailers mean a wider one, or use a name that Python does not know."""
META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9._:+-]{1,40})", re.IGNORECASE)


def decode_body(data: bytes, content_type: str) -> str:
    """Decodes `data` as UTF-8, else in the declared charset, else as windows-1252."""
    declared = declared_charset(content_type) or _own_charset(data)
    if declared in SEVEN_BIT and (b"\x1b" in data or b"~{" in data):
        return data.decode(declared, "replace")
    if declared == "utf_7" and data.isascii() and UTF_7_RUN.search(data):
        return data.decode(declared, "replace")
    if declared.startswith(("utf_16", "utf_32")):
        return _decoded_or_last(data, declared) if b"\x00" in data else data.decode("utf-8", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decoded_or_last(data, declared)


def declared_charset(content_type: str) -> str:
    """Python's name of the declared charset; empty if none is declared or known."""
    found = CHARSET.search(content_type)
    return known_charset(found[1]) if found else ""


@lru_cache(maxsize=256)
def known_charset(name: str) -> str:
    """Python's name (with underscores) of a charset allowed in mail, or an empty string."""
    try:
        name = codecs.lookup(WIDER.get(name.lower(), name)).name
        name = WIDER.get(name, name)
        b"x".decode(name, "replace")  # raises for codecs that do not decode to text
    except (LookupError, UnicodeError, ValueError):
        return ""
    return "" if name in NOT_FOR_MAIL else name.replace("-", "_")


def _own_charset(data: bytes) -> str:
    found = META.search(data[:2048]) if data[:200].lstrip()[:1] == b"<" else None
    return known_charset(found[1].decode("ascii")) if found else ""


def _decoded_or_last(data: bytes, declared: str) -> str:
    if declared and declared != "utf_8":
        # Western mail labelled latin-1 is windows-1252, as in every browser.
        return data.decode(LAST if declared in {"iso8859_1", "ascii"} else declared, "replace")
    if declared == "utf_8" and _has_utf8(data):
        return data.decode("utf-8", "replace")
    return data.decode(LAST, "replace")


def _has_utf8(data: bytes) -> bool:
    """Whether this is broken UTF-8 rather than another charset with a wrong label.

    True if it has a whole character beyond ASCII or is only cut at its end.
    """
    if any(sign > "\x7f" for sign in data.decode("utf-8", "ignore")):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end == len(data) and "unexpected end" in error.reason
    return True


_DROPPED = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls other than tab, line feed, carriage return and NEL
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
INVISIBLE = re.compile(
    f"[{_DROPPED}\ud800-\udfff]+"
    # Joiners next to ASCII, white space or each other join nothing.
    r"|(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f\u200c\u200d])|[\u200c\u200d]{2,}"
)
OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]+")
LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
SUSPECT = re.compile(f"[{_DROPPED}\ud800-\udfff\u200c\u200d]")


def visible_only(text: str) -> str:
    r"""Removes invisible characters; `\n` becomes the only line end."""
    if "\r" in text or not text.isascii():
        text = LINE_ENDS.sub("\n", text)
    if text.isascii():  # most mail; searching for one set of characters costs a tenth of the whole pattern
        return CONTROLS.sub("", text)
    if SUSPECT.search(text) is None:
        return text
    # Removing a character may bring two joiners together, so repeat until nothing changes.
    while (stripped := INVISIBLE.sub("", text)) != text:
        text = stripped
    return text


def one_line(text: str) -> str:
    """Visible text on one line: each run of white space becomes one space."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # nearly every short text
    return " ".join(visible_only(text).split())


LONG_REFERENCE = re.compile(r"(&#[0-9]{9})[0-9]+")


def unescaped(text: str) -> str:
    """The text with its character references read; Python reads no number of 4,300 digits."""
    return html.unescape(LONG_REFERENCE.sub(r"\1", text)) if "&" in text else text


def without_overrides(text: str) -> str:
    """Removes bidi embeddings, overrides, isolates and tag characters, for shown HTML."""
    return text if text.isascii() else OVERRIDES.sub("", text)
