"""Characters that a reader does not see, taken out of text: a mail must not say more to a program than to its reader.

Keeps joiners where scripts and emoji need them. Refuses to touch what is visible, look-alikes included.
"""

import re

_DROPPED = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls other than tab, line feed, carriage return and NEL
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
INVISIBLE = re.compile(
    f"[{_DROPPED}\ud800-\udfff]+"
    # Joiners that touch ASCII, white space or each other join nothing.
    r"|(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f\u200c\u200d])|[\u200c\u200d]{2,}"
)
OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]+")
LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
SEEN = bytes((9, 10, *range(32, 127)))
UNSUSPECTED = bytes(
    (*SEEN, *range(0x80, 0xC0), *range(0xC3, 0xCD), *range(0xCE, 0xD8), *range(0xD9, 0xE1), *range(0xE4, 0xED), 0xEE)
)
"""Bytes of UTF-8 with which no invisible character begins: those of most letters with accents, and of most scripts."""
SUSPECT = re.compile(f"[{_DROPPED}\ud800-\udfff\u200c\u200d]")


def visible_only(text: str) -> str:
    """`text` without invisible characters, with `\\n` as its only line end."""
    if text.isascii():  # most mail; a search for a single set of characters costs a tenth of the whole pattern
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        # Nearly always there is nothing to take out, and this sees it in a tenth of the time of a search.
        return text if plain_ascii(text) else CONTROLS.sub("", text)
    if "\r" in text or "\x85" in text or "\u2028" in text or "\u2029" in text:
        text = LINE_ENDS.sub("\n", text)
    if not text.encode("utf-8", "surrogatepass").translate(None, UNSUSPECTED) or SUSPECT.search(text) is None:
        return text
    # Taking one out may bring two joiners together, so look until nothing is left to take.
    while (stripped := INVISIBLE.sub("", text)) != text:
        text = stripped
    return text


def plain_ascii(text: str) -> bool:
    """Whether it is all ASCII that is seen, spaces, tabs and line feeds."""
    return text.isascii() and not text.encode("ascii").translate(None, SEEN)


def one_line(text: str) -> str:
    """Visible text as one line: each run of white space is one space, none at the ends."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # nearly every short text
    return " ".join(visible_only(text).split())


def without_overrides(text: str) -> str:
    """`text` without bidi embeddings, overrides and isolates and without tag characters, for shown HTML."""
    return text if text.isascii() else OVERRIDES.sub("", text)
