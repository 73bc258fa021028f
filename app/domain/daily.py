"""What the assistant did on each day, in numbers. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class DayOfWork:
    """One day in the user's time zone. `looked_at` are pairs of category (empty: no verdict yet) and how many mails;
    `time_ms` is the median time of a run, 0 without any; `kept`, `edited` and `rejected` count decisions about drafts;
    `calls`, `tokens` and `cost_usd` are those of language models."""

    day: date
    looked_at: tuple[tuple[str, int], ...] = ()
    time_ms: float = 0.0
    kept: int = 0
    edited: int = 0
    rejected: int = 0
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0

    @property
    def mails(self) -> int:
        """Mails looked at."""
        return sum(count for _category, count in self.looked_at)

    def of(self, category: str) -> int:
        """Mails of a category."""
        return dict(self.looked_at).get(category, 0)


def every_day(found: Iterable[DayOfWork], last: date, days: int) -> tuple[DayOfWork, ...]:
    """The `days` days up to `last`, oldest first; a day on which nothing was done is there with zeros."""
    by_day = {one.day: one for one in found}
    first = last - timedelta(days=days - 1)
    return tuple(by_day.get(day) or DayOfWork(day) for day in (first + timedelta(days=number) for number in range(days)))


def middle(values: Sequence[float]) -> float:
    """The median of values in order, 0 for none."""
    if not values:
        return 0.0
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2
