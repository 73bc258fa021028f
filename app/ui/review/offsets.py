"""Character offsets and Qt's positions: Qt counts UTF-16 units, our spans count characters. Pure."""

import re
from bisect import bisect_left

_WIDE = re.compile("[\U00010000-\U0010ffff]")
"""What takes two units."""


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def to_units(text: str, offset: int) -> int:
    """The position of a character offset."""
    return units(text[:offset])


class Positions:
    """The same for many places of one text, which is walked through once. Inside a pair is the pair's start."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [found.start() for found in _WIDE.finditer(text)]
        self._units = [at + before for before, at in enumerate(self._wide)]

    def position(self, offset: int) -> int:
        """Qt's position of a character offset; beyond the text it is its end."""
        offset = min(offset, self._length)
        return offset + bisect_left(self._wide, offset)

    def offset(self, position: int) -> int:
        """The character offset of a position."""
        return min(position - bisect_left(self._units, position), self._length)
