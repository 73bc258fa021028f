"""Lists know rows by whole numbers and requests have uuids: a number for each, kept as long as the page lives."""

from array import array
from collections.abc import Iterable, Sequence

from app.domain.ids import RequestId


class RequestNumbers:
    """The same request keeps its number, whether the store has it yet or not."""

    def __init__(self) -> None:
        self._numbers: dict[RequestId, int] = {}
        self._names: list[RequestId] = []

    def take(self, ids: Iterable[RequestId]) -> "array[int]":
        """The numbers of these, in their order."""
        return array("q", map(self._take, ids))

    def ids(self, numbers: Sequence[int]) -> dict[RequestId, int]:
        """Requests by their numbers."""
        return {self._names[number]: number for number in numbers}

    def name(self, number: int) -> str:
        """What a request is called whatever its number."""
        return self._names[number]

    def number(self, name: str) -> int:
        """The number of a name, -1 if it has none."""
        return self._numbers.get(RequestId(name), -1)

    def _take(self, request_id: RequestId) -> int:
        number = self._numbers.setdefault(request_id, len(self._names))
        if number == len(self._names):
            self._names.append(request_id)
        return number
