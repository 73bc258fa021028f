"""Tables of phrases over folded text."""

import re
from collections.abc import Iterator

_PATTERN_SIGN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|[()|]", re.DOTALL)
_NEVER = "(?!)"

_PART = r"\w*"
"""Before a phrase that also stands inside of words."""


class PhraseTable:
    """Patterns of phrases over folded text, tried only where a word begins, or with `^` where the text does."""

    def __init__(self, *parts: "str | PhraseTable") -> None:
        """`parts` are patterns, or tables whose phrases this one has too."""
        self._told: list[str] = [one for part in parts for one in (_alternatives(part) if isinstance(part, str) else part._told)]
        anywhere = [one.removeprefix(r"\b") for one in self._told if not one.startswith("^")]
        begun = [one for one in anywhere if not one.startswith(_PART)]
        inner = [one.removeprefix(_PART).removeprefix("-?") for one in anywhere if one.startswith(_PART)]
        self._first = re.compile("|".join(one for one in self._told if one.startswith("^")) or _NEVER)
        self._anywhere = re.compile("|".join([rf"\W(?:{'|'.join(begun) or _NEVER})", *inner]))

    def within(self, folded: str) -> bool:
        """Whether the text contains one of the phrases."""
        return self._first.match(folded) is not None or self._anywhere.search(f"\n{folded}") is not None


def _alternatives(pattern: str) -> Iterator[str]:
    """Splits a pattern at the bars outside of all brackets."""
    depth, begin = 0, 0
    for hit in _PATTERN_SIGN.finditer(pattern):
        sign = hit.group()
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            yield pattern[begin : hit.start()]
            begin = hit.end()
    yield pattern[begin:]
