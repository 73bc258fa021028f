"""Whole numbers for rows that are named by text: lists know rows by number, runs and requests have uuids."""

from array import array
from collections.abc import Iterable, Sequence


class RowNumbers:
    """Gives each name a number from 1 up; the same name keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = [""]

    def take(self, names: Iterable[str]) -> "array[int]":
        """Return the numbers of `names`, in their order."""
        return array("q", map(self._take, names))

    def names(self, numbers: Sequence[int]) -> dict[str, int]:
        """Return numbers by their names."""
        return {self._names[number]: number for number in numbers}

    def name(self, number: int) -> str:
        """Return the name of a number."""
        return self._names[number]

    def number(self, name: str) -> int:
        """Return the number of a name, -1 for an unknown one."""
        return self._numbers.get(name, -1)

    def _take(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number
