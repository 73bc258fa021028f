"""Times to meet: those a mail proposes, and free ones in the owner's calendar. Pure; times are UTC, working hours local."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

from app.domain.drafting.meeting import BusyTime
from app.domain.language.facts import Fact, FactKind, facts
from app.domain.language.words import Language, fold

_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CS_DAYS = ("pondělí", "úterý", "středa", "čtvrtek", "pátek", "sobota", "neděle")
_EN_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_CS_MONTHS = (
    "ledna", "února", "března", "dubna", "května", "června", "července", "srpna", "září", "října", "listopadu", "prosince",
)  # fmt: skip
_DAY_STEMS = (
    ("mon", "pondel"), ("tue", "uter"), ("wed", "stred"), ("thu", "ctvrt"), ("fri", "patek"), ("sat", "sobot"), ("sun", "nedel"),
)  # fmt: skip
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s?(am|pm)?")
DAYS_AHEAD = 28
"""Days ahead in which free times are looked for."""
MOST_DAYS = 8
"""Named days of a mail that count; the calendar is read for each."""
MOST_TIMES = 300
"""Days and hours of a mail that are looked at."""
_REACH = 40
"""Characters allowed between a day and its hour."""


@dataclass(frozen=True, slots=True)
class WorkingHours:
    """When the owner meets people.

    Local hours on `days` (Monday is 0) in `zone`; meetings of `length`, preferably near `around`.
    """

    zone: tzinfo = UTC
    start: time = time(9)
    end: time = time(17)
    days: frozenset[int] = frozenset(range(5))
    length: timedelta = timedelta(hours=1)
    around: time | None = None


def free_times(
    busy: Sequence[BusyTime], now: datetime, hours: WorkingHours, length: timedelta | None = None, count: int = 3
) -> tuple[datetime, ...]:
    """One free start on each of the next working days after `now`, at most `count`, as UTC times.

    It is the first of the day, or the one nearest to the preferred time. `length` defaults to that of `hours`.
    """
    lasts = length or hours.length
    found: list[datetime] = []
    today = now.astimezone(hours.zone).date()
    for ahead in range(1, DAYS_AHEAD + 1):
        day = today + timedelta(days=ahead)
        start = next((one for one in _by_preference(_starts(day, hours, lasts), hours) if is_free(one, lasts, busy)), None)
        if start is not None:
            found.append(start)
        if len(found) == count:
            break
    return tuple(found)


def is_free(start: datetime, length: timedelta, busy: Sequence[BusyTime]) -> bool:
    """Whether nothing overlaps `length` from `start`; touching ends do not overlap."""
    return all(one.end <= start or one.start >= start + length for one in busy)


def _by_preference(starts: Iterable[datetime], hours: WorkingHours) -> Iterable[datetime]:
    """The day's starts sorted by distance to the preferred time, earlier ones first at equal distance."""
    around = hours.around
    if around is None:
        return starts
    liked = around.hour * 60 + around.minute
    return sorted(starts, key=lambda one: abs(_minutes(one.astimezone(hours.zone)) - liked))


def _minutes(local: datetime) -> int:
    return local.hour * 60 + local.minute


def _starts(day: date, hours: WorkingHours, length: timedelta) -> Iterator[datetime]:
    """Starts every half hour within working hours, as UTC."""
    if day.weekday() not in hours.days:
        return
    opens, closes = at_local(day, hours.start, hours.zone), at_local(day, hours.end, hours.zone)
    if opens is None or closes is None:
        return
    start = opens
    while start + length <= closes:
        yield start
        start += timedelta(minutes=30)


def at_local(day: date, clock: time, zone: tzinfo) -> datetime | None:
    """A local wall-clock time as UTC. None where the clock change skips it."""
    local = datetime.combine(day, clock, zone)
    moment = local.astimezone(UTC)
    return moment if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None) else None


def named_days(text: str, sent: datetime, zone: tzinfo) -> tuple[date, ...]:
    """The days that a mail names, relative to `sent`, in the order written, at most `MOST_DAYS`."""
    return _named(_days(_day_facts(text), sent.astimezone(zone).date()))


def proposed(text: str, sent: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """The pairs of day and hour that a mail names, as UTC after `sent`, in the order written. Days are those of `named_days`."""
    found = _day_facts(text)
    days = _days(found, sent.astimezone(zone).date())
    known, facts_of_days = _named(days), [fact for fact, _ in days]
    by_start = {fact.start: day for fact, day in days}
    moments: dict[datetime, None] = {}
    for clock in (one for one in found if one.kind is FactKind.TIME):
        near = _nearest(facts_of_days, clock)
        day = None if near is None else by_start[near.start]
        moment = _moment(clock.text, day, zone) if day is not None and day in known else None
        if moment is not None and moment > sent:
            moments[moment] = None
    return tuple(moments)


def _days(told: Iterable[Fact], today: date) -> list[tuple[Fact, date | None]]:
    """Facts that name a day, with the day; None where it is past or invalid. The same text means the same day."""
    read: dict[str, date | None] = {}
    found = [one for one in told if one.kind is not FactKind.TIME]
    for one in found:
        if one.text not in read:
            day = _day(one.text, today)
            read[one.text] = day if day is not None and day >= today else None
    return [(one, read[one.text]) for one in found]


def _named(days: Iterable[tuple[Fact, date | None]]) -> tuple[date, ...]:
    return tuple(dict.fromkeys(day for _, day in days if day is not None))[:MOST_DAYS]


def _day_facts(text: str) -> tuple[Fact, ...]:
    """The first days and hours of a mail."""
    told = (one for one in facts(text) if one.kind in {FactKind.DATE, FactKind.DAY, FactKind.TIME})
    return tuple(islice(told, MOST_TIMES))


def _nearest(days: Sequence[Fact], clock: Fact) -> Fact | None:
    """The day an hour belongs to. `days` are sorted and do not overlap, so it is the last before or the first after the hour."""
    behind = bisect_right(days, clock.start, key=lambda one: one.end)
    near = (one for one in days[max(behind - 1, 0) : behind + 1] if _gap(one, clock) <= _REACH)
    return min(near, key=lambda one: _gap(one, clock), default=None)


def _gap(day: Fact, clock: Fact) -> int:
    """Characters between two facts. A day that follows its hour counts double."""
    return clock.start - day.end if clock.start >= day.end else 2 * (day.start - clock.end)


def _moment(clock: str, day: date, zone: tzinfo) -> datetime | None:
    hit = _CLOCK.search(fold(clock))
    if hit is None:
        return None
    hour, minute = int(hit[1]), int(hit[2] or 0)
    if hit[3] == "pm" and hour < 12:
        hour += 12
    return at_local(day, time(hour, minute), zone) if hour < 24 and minute < 60 else None


def _day(text: str, today: date) -> date | None:
    """The day that `text` names: the next one after `today` where several fit."""
    folded = fold(text)
    if re.search(r"tomorrow|zitra", folded):
        return today + timedelta(days=1)
    if re.search(r"today|dnes", folded):
        return today
    dated = _dated(folded, today)
    if dated is not None:
        return dated
    for number, stems in enumerate(_DAY_STEMS):
        if any(stem in folded for stem in stems):
            ahead = (number - today.weekday()) % 7 or 7
            return today + timedelta(days=ahead)
    return None


def _dated(folded: str, today: date) -> date | None:
    iso = re.search(r"(\d{4})-(\d\d)-(\d\d)", folded)
    if iso:
        return _valid(int(iso[1]), int(iso[2]), int(iso[3]))
    numbers = re.search(r"(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?", folded)
    if numbers:
        return _upcoming(int(numbers[1]), int(numbers[2]), int(numbers[3] or 0), today)
    month = next((i for i, pair in enumerate(zip(_EN_MONTHS, _CS_MONTHS, strict=True), 1) if _names_month(folded, pair)), None)
    day = re.search(r"\d{1,2}", folded)
    return _upcoming(int(day[0]), month, 0, today) if month and day else None


def _names_month(folded: str, names: tuple[str, str]) -> bool:
    return any(re.search(rf"\b{fold(name)[:3]}" if i == 0 else rf"\b{fold(name)}", folded) for i, name in enumerate(names))


def _upcoming(day: int, month: int, year: int, today: date) -> date | None:
    found = _valid(year or today.year, month, day)
    return _valid(today.year + 1, month, day) if found is not None and not year and found < today else found


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def written(moment: datetime, zone: tzinfo, language: Language) -> str:
    """A moment as text: `Thursday 12 March, 15:00` or `čtvrtek 12. března, 15:00`."""
    local = moment.astimezone(zone)
    if language is Language.CS:
        return f"{_CS_DAYS[local.weekday()]} {local.day}. {_CS_MONTHS[local.month - 1]}, {local:%H:%M}"
    return f"{_EN_DAYS[local.weekday()]} {local.day} {_EN_MONTHS[local.month - 1]}, {local:%H:%M}"
