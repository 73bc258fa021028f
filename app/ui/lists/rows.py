"""Rows by id: an LRU of pages of 16 rows, read together so that scrolling asks the database seldom.

A page is little more than what is on screen: a list that changed reads that again, several times a second in a first sync.
"""

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

R = TypeVar("R")
PAGE_ROWS = 16
PAGES = 256


class RowCache(Generic[R]):
    """Reads the aligned page around an index on a miss; keeps the 4,096 rows used last."""

    def __init__(self, read: Callable[[Sequence[int]], Mapping[int, R]]) -> None:
        self._read = read
        self._rows: OrderedDict[int, R | None] = OrderedDict()

    def row(self, ids: "array[int]", index: int) -> R | None:
        """The row at an index of `ids`, None if it is gone from the database."""
        key = ids[index]
        if key not in self._rows:
            self._load(ids, index)
        self._rows.move_to_end(key)
        return self._rows[key]

    def forget(self, keys: Iterable[int]) -> None:
        """Read these again when next asked for."""
        for key in keys:
            self._rows.pop(key, None)

    def clear(self) -> None:
        """Read everything again."""
        self._rows.clear()

    def _load(self, ids: "array[int]", index: int) -> None:
        start = index - index % PAGE_ROWS
        wanted = [key for key in ids[start : start + PAGE_ROWS] if key not in self._rows]
        found = self._read(wanted)
        self._rows.update((key, found.get(key)) for key in wanted)
        while len(self._rows) > PAGE_ROWS * PAGES:
            self._rows.popitem(last=False)
