"""The look of a domain: two domains a reader can mistake for one another have one skeleton.

Homoglyphs of other scripts, accents, digits that pass for letters, and pairs such as `rn` for `m`. Maps only; others judge.
"""

import unicodedata
from functools import lru_cache

from confusable_homoglyphs import confusables

PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
SINGLES = {"0": "o", "1": "l", "|": "l", "5": "s", "3": "e", "i": "l", "ı": "l"}
KNOWN = 4096


@lru_cache(maxsize=KNOWN)
def skeleton(domain: str) -> str:
    """The skeleton of a domain, in lower case; punycode is decoded first."""
    shown = _decoded(domain.casefold())
    plain = "".join(_letter(one) for one in unicodedata.normalize("NFKD", shown) if not unicodedata.combining(one))
    for pair, letter in PAIRS:
        plain = plain.replace(pair, letter)
    return "".join(SINGLES.get(one, one) for one in plain)


def _decoded(domain: str) -> str:
    """`xn--` labels as the letters they stand for; an unreadable one stays."""
    labels = []
    for label in domain.split("."):
        try:
            labels.append(label.encode("ascii").decode("idna") if label.startswith("xn--") else label)
        except UnicodeError:
            labels.append(label)
    return ".".join(labels)


def _letter(one: str) -> str:
    """The ASCII letter that a character is mistaken for, else itself."""
    if one.isascii():
        return one
    found = confusables.is_confusable(one, greedy=True)
    looks = [str(glyph["c"]) for glyph in found[0]["homoglyphs"]] if found else []
    return next((look.casefold() for look in looks if look.isascii()), one)
