"""Row numbers for records named by text. Lists identify rows by number, while runs and requests have UUIDs."""

from array import array
from collections.abc import Iterable, Sequence


class RowNumbers:
    """Gives each name a number from 1 up. The same name keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = [""]

    def take(self, names: Iterable[str]) -> "array[int]":
        return array("q", map(self._take, names))

    def names(self, numbers: Sequence[int]) -> dict[str, int]:
        return {self._names[number]: number for number in numbers}

    def name(self, number: int) -> str:
        return self._names[number]

    def number(self, name: str) -> int:
        return self._numbers.get(name, -1)

    def _take(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number
