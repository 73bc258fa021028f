"""Lists know rows by whole numbers and runs have uuids: a number for each run, kept as long as the page lives."""

from array import array
from collections.abc import Sequence

from app.domain.ids import RunId
from app.domain.runs import Run


class RunNumbers:
    """Holds the runs that were read last; the same run keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[RunId, int] = {}
        self._runs: dict[int, Run] = {}

    def take(self, runs: Sequence[Run]) -> "array[int]":
        """Remember `runs`; their numbers in the same order."""
        for run in runs:
            self._numbers.setdefault(run.id, len(self._numbers) + 1)
        self._runs = {self._numbers[run.id]: run for run in runs}
        return array("q", self._runs)

    def rows(self, numbers: Sequence[int]) -> dict[int, Run]:
        """Runs by number; those gone are missing."""
        return {number: self._runs[number] for number in numbers if number in self._runs}

    def name(self, number: int) -> str:
        """What a run is called whatever its number; empty for one that is gone."""
        return self._runs[number].id if number in self._runs else ""

    def number(self, name: str) -> int:
        """The number of a run's name, -1 if it has none."""
        return self._numbers.get(RunId(name), -1)

    def run(self, number: int) -> Run | None:
        """The run of a number."""
        return self._runs.get(number)
