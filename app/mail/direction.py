"""Which way a text reads, for the HTML that leaves: an Arabic or Hebrew letter must not arrive set as an English one. Pure."""

import unicodedata


def direction(text: str) -> str:
    """`rtl` where the first sign that has a direction reads from the right, else `ltr`."""
    for sign in text:
        kind = unicodedata.bidirectional(sign)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"
