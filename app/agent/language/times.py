"""Times to meet: what a mail wishes, and free times in the owner's calendar. Pure; times are UTC, working hours local."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

from app.domain.drafting.meeting import BusyTime
from app.domain.language.days import CS_MONTHS, DAY_STEMS, DE_MONTHS, EN_MONTHS, NEXT_WEEK, THIS_WEEK, day_named
from app.domain.language.facts import Fact, FactKind, facts
from app.domain.language.words import Language, fold
from app.domain.record import Record

_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CS_DAYS = ("pondělí", "úterý", "středa", "čtvrtek", "pátek", "sobota", "neděle")
_DE_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s?(am|pm)?")
DAYS_AHEAD = 28
"""Days ahead in which free times are looked for."""
MOST_DAYS = 8
"""Named days of a mail that count; the calendar is read for each."""
MOST_TIMES = 300
"""Days and hours of a mail that are looked at."""
OFFERED = 3
"""Times that a draft offers."""
_REACH = 40
"""Characters allowed between a day and its hour."""
_NIGHT_ENDS = 7
"""A bare hour before it means the afternoon: nobody meets at three in the night."""

_PARTS_OF_DAY: tuple[tuple[re.Pattern[str], time, time], ...] = (
    (re.compile(r"\bafternoons?\b|\bodpoledne\b|\bnachmittags?\b|\w+nachmittag\b"), time(13), time(18)),
    (
        re.compile(
            r"\b(?:before|by|until|till) (?:noon|midday|lunch\w*)\b|\b(?:do|pred) poledne\w*\b|\bvor (?:dem )?mittag\w*\b"
        ),
        time(7),
        time(12),
    ),
    (re.compile(r"\bmornings?\b|\bdopoledne\b|\brano\b|\w*vormittags?\b|\bmorgens\b"), time(7), time(12)),
    (re.compile(r"\blunch(?:time)?\b|\bnoon\b|\bobed\w*\b|\bpoledne\b|\bmittags?\b"), time(11, 30), time(14)),
    (re.compile(r"\bevenings?\b|\btonight\b|\bvecer\b|\babends?\b"), time(17), time(21)),
)
_AFTER = re.compile(r"\b(?:after|from|past|po|od|nach|ab)\s+(\d{1,2})(?:[:.](\d\d))?\s?(am|pm)?(?![\d/.]|\s?%)")
_BEFORE = re.compile(
    r"\b(?:before|until|till|by|(?<=[\dm] )to|do|pred|vor|bis)\s+(\d{1,2})(?:[:.](\d\d))?\s?(am|pm)?(?![\d/.]|\s?%)"
)
_EXCLUDING = re.compile(
    r"\b(?:not|except|cannot|can't|away|busy|unavailable|bad|otherwise|jinak|sonst|nemuzu|nehodi|nemohu|krome|nejsem|nicht|ausser|leider|weg)\b|n't\b"
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\d)[^.!?\n]*)*[.!?]?")


class WorkingHours(Record):
    """When the owner meets people.

    Local hours on `days` (Monday is 0) in `zone`; meetings of `length`, preferably near `around`.
    """

    zone: tzinfo = UTC
    start: time = time(9)
    end: time = time(17)
    days: frozenset[int] = frozenset(range(5))
    length: timedelta = timedelta(hours=1)
    around: time | None = None


class TimeWish(Record):
    """When a mail wants to meet.

    `exact` are day and hour together, in UTC; `days` the other days it names, none for any day; `start` and `end` the part of the
    day, local, and `parts` those of days that have their own.
    """

    exact: tuple[datetime, ...] = ()
    days: tuple[date, ...] = ()
    start: time = time.min
    end: time = time.max
    parts: tuple[tuple[date, time, time], ...] = ()

    def part(self, day: date) -> tuple[time, time]:
        """The hours between which a day is wished."""
        return next(((start, end) for one, start, end in self.parts if one == day), (self.start, self.end))


def time_wish(text: str, sent: datetime, zone: tzinfo) -> TimeWish:
    """Reads when a mail wants to meet. Sentences that exclude a time count for nothing."""
    told = " ".join(one.group() for one in _SENTENCE.finditer(text) if not _EXCLUDING.search(fold(one.group())))
    folded = fold(told)
    today = sent.astimezone(zone).date()
    start, end = _part_of_day(folded)
    exact = tuple(one for one in proposed(told, sent, zone) if one.astimezone(zone).time() not in {start, end})
    days = dict.fromkeys(named_days(told, sent, zone)) | dict.fromkeys(_week_days(folded, today))
    if exact:
        days = {day: None for day in days if day not in {one.astimezone(zone).date() for one in exact}}
    return TimeWish(exact, tuple(days), start, end, _parts_of_days(told, today))


def _parts_of_days(told: str, today: date) -> tuple[tuple[date, time, time], ...]:
    """The part of each named day where all have one, behind them as in "Monday afternoon", else before them."""
    days = [(fact, day) for fact, day in _days(_day_facts(told), today) if day is not None]
    if len(days) < 2:
        return ()
    begins, ends = [fact.start for fact, _ in days], [fact.end for fact, _ in days]
    for first, last in (([*begins], [*begins[1:], len(told)]), ([0, *ends[:-1]], [*ends])):
        parts = [_part_of_day(fold(told[begin:end])) for begin, end in zip(first, last, strict=True)]
        if all(part != (time.min, time.max) for part in parts):
            return tuple((day, *part) for (_, day), part in zip(days, parts, strict=True))
    return ()


def _week_days(folded: str, today: date) -> Iterator[date]:
    """The days of the week that a text names as a whole. A named day within it is enough by itself."""
    if any(stem in folded for stems in DAY_STEMS for stem in (f"{stems[0]}day", *stems[1:])):
        return
    monday = today - timedelta(days=today.weekday())
    if NEXT_WEEK.search(folded):
        yield from (monday + timedelta(days=7 + ahead) for ahead in range(7))
    elif THIS_WEEK.search(folded):
        yield from (today + timedelta(days=ahead) for ahead in range(7 - today.weekday()))


def _part_of_day(folded: str) -> tuple[time, time]:
    """The earliest and latest hour that a text allows."""
    start, end = next(((first, last) for part, first, last in _PARTS_OF_DAY if part.search(folded)), (time.min, time.max))
    if hit := _AFTER.search(folded):
        start = _clock(hit) or start
    if hit := _BEFORE.search(folded):
        end = _clock(hit) or end
    return (start, end) if start < end else (time.min, time.max)


def free_times(
    busy: Sequence[BusyTime], now: datetime, hours: WorkingHours, wish: TimeWish | None = None, count: int = OFFERED
) -> tuple[datetime, ...]:
    """At most `count` free starts that fit the wish, as UTC times in order.

    They lie on different days where the wish allows it, and at different hours, so that one of them is likely to suit.
    """
    wanted = wish or TimeWish()
    free = {day: found for day in _candidates(wanted, now, hours) if (found := _free_starts(day, wanted, busy, now, hours))}
    chosen: list[datetime] = []
    while len(chosen) < count:
        before = len(chosen)
        for starts in free.values():
            apart = [one for one in starts if all(abs(one - other) >= hours.length for other in chosen)]
            if apart and len(chosen) < count:
                chosen.append(min(apart, key=lambda one: _distance(one, _target(len(chosen), hours), hours)))
        if len(chosen) == before:
            break
    return tuple(sorted(chosen))


def _candidates(wish: TimeWish, now: datetime, hours: WorkingHours) -> list[date]:
    """The days in question: those wished, else the coming ones."""
    today = now.astimezone(hours.zone).date()
    if wish.days:
        return [day for day in wish.days if day >= today and day.weekday() in hours.days]
    ahead = (today + timedelta(days=number) for number in range(1, DAYS_AHEAD + 1))
    return [day for day in ahead if day.weekday() in hours.days]


def _free_starts(day: date, wish: TimeWish, busy: Sequence[BusyTime], now: datetime, hours: WorkingHours) -> list[datetime]:
    """Free starts of a day, every half hour within working hours and the wish, an hour ahead or more."""
    first, last = wish.part(day)
    opens = at_local(day, max(hours.start, first), hours.zone)
    closes = at_local(day, min(hours.end, last), hours.zone)
    found: list[datetime] = []
    while opens is not None and closes is not None and opens + hours.length <= closes:
        if opens >= now + timedelta(hours=1) and is_free(opens, hours.length, busy):
            found.append(opens)
        opens += timedelta(minutes=30)
    return found


_TARGETS = (time(10), time(14), time(11, 30))


def _target(number: int, hours: WorkingHours) -> time:
    return hours.around or _TARGETS[number % len(_TARGETS)]


def _distance(moment: datetime, target: time, hours: WorkingHours) -> tuple[int, int]:
    """Minutes from the wished hour; at equal distance the full hour is better."""
    local = moment.astimezone(hours.zone)
    return abs(local.hour * 60 + local.minute - target.hour * 60 - target.minute), local.minute


def is_free(start: datetime, length: timedelta, busy: Sequence[BusyTime]) -> bool:
    """Whether nothing overlaps `length` from `start`; touching ends do not overlap."""
    return all(one.end <= start or one.start >= start + length for one in busy)


def suits(start: datetime, hours: WorkingHours) -> bool:
    """Whether a meeting that starts then lies within working hours."""
    local = start.astimezone(hours.zone)
    ends = local + hours.length
    return (
        local.weekday() in hours.days and hours.start <= local.time() and ends.date() == local.date() and ends.time() <= hours.end
    )


def at_local(day: date, clock: time, zone: tzinfo) -> datetime | None:
    """A local wall-clock time as UTC. None where the clock change skips it."""
    local = datetime.combine(day, clock, zone)
    moment = local.astimezone(UTC)
    return moment if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None) else None


def named_days(text: str, sent: datetime, zone: tzinfo) -> tuple[date, ...]:
    """The days that a mail names, relative to `sent`, in the order written, at most `MOST_DAYS`."""
    return _named(_days(_day_facts(text), sent.astimezone(zone).date()))


def proposed(text: str, sent: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """The pairs of day and hour that a mail names, as UTC after `sent`, in the order written.

    Days are those of `named_days`. Where the mail names only one, all its hours are on it.
    """
    found = _day_facts(text)
    days = _days(found, sent.astimezone(zone).date())
    known, facts_of_days = _named(days), [fact for fact, _ in days]
    by_start = {fact.start: day for fact, day in days}
    moments: dict[datetime, None] = {}
    for clock in (one for one in found if one.kind is FactKind.TIME):
        near = _nearest(facts_of_days, clock)
        only = known[0] if len(known) == 1 else None
        day = only if near is None else by_start[near.start]
        moment = _moment(_begins(text, clock), day, zone) if day is not None and day in known else None
        if moment is not None and moment > sent:
            moments[moment] = None
    return tuple(moments)


def _days(told: Iterable[Fact], today: date) -> list[tuple[Fact, date | None]]:
    """Facts that name a day, with the day; None where it is past or invalid. The same text means the same day."""
    read: dict[str, date | None] = {}
    found = [one for one in told if one.kind is not FactKind.TIME]
    for one in found:
        if one.text not in read:
            day = day_named(one.text, today)
            read[one.text] = day if day is not None and day >= today else None
    return [(one, read[one.text]) for one in found]


def _named(days: Iterable[tuple[Fact, date | None]]) -> tuple[date, ...]:
    return tuple(dict.fromkeys(day for _, day in days if day is not None))[:MOST_DAYS]


_DEADLINE = re.compile(r"\b(?:by|until|bis|nejpozdeji(?: do)?|spatestens(?: am)?)\s+(?:the\s+)?$")


def _day_facts(text: str) -> tuple[Fact, ...]:
    """The first days and hours of a mail, without days by which an answer is wanted."""
    told = (
        one
        for one in facts(text)
        if one.kind is FactKind.TIME
        or (one.kind in {FactKind.DATE, FactKind.DAY} and not _DEADLINE.search(fold(text[max(0, one.start - 20) : one.start])))
    )
    return tuple(islice(told, MOST_TIMES))


def _nearest(days: Sequence[Fact], clock: Fact) -> Fact | None:
    """The day an hour belongs to. `days` are sorted and do not overlap, so it is the last before or the first after the hour."""
    behind = bisect_right(days, clock.start, key=lambda one: one.end)
    near = (one for one in days[max(behind - 1, 0) : behind + 1] if _gap(one, clock) <= _REACH)
    return min(near, key=lambda one: _gap(one, clock), default=None)


def _gap(day: Fact, clock: Fact) -> int:
    """Characters between two facts. A day that follows its hour counts double."""
    return clock.start - day.end if clock.start >= day.end else 2 * (day.start - clock.end)


_RANGE_START = re.compile(r"\b(\d{1,2}(?:[:.]\d\d)?)\s*(am|pm)?\s*(?:-|–|to|until|till|bis|az|do)\s*$")


def _begins(text: str, clock: Fact) -> str:
    """The hour at which a time begins: the first of "9-10:30 am", else the time itself."""
    hit = _RANGE_START.search(fold(text[max(0, clock.start - 16) : clock.start]))
    end = _CLOCK.search(fold(clock.text))
    if hit is None or end is None:
        return clock.text
    half = hit[2] or (end[3] if int(re.split("[:.]", hit[1])[0]) <= int(end[1]) else None)
    return f"{hit[1]} {half or ''}"


def _moment(clock: str, day: date, zone: tzinfo) -> datetime | None:
    hit = _CLOCK.search(fold(clock))
    told = None if hit is None else _clock(hit)
    return None if told is None else at_local(day, told, zone)


def _clock(hit: re.Match[str]) -> time | None:
    """The time of a match with hour, minute, and am or pm. None where there is no such time."""
    hour, minute = int(hit[1]), int(hit[2] or 0)
    if hour < 12 and (hit[3] == "pm" or (hit[3] is None and 0 < hour < _NIGHT_ENDS)):
        hour += 12
    return time(hour, minute) if hour < 24 and minute < 60 else None


def written(moment: datetime, zone: tzinfo, language: Language) -> str:
    """A moment as text: `Thursday 12 March, 15:00`, `čtvrtek 12. března, 15:00` or `Donnerstag, 12. März, 15:00`."""
    local = moment.astimezone(zone)
    if language is Language.CS:
        return f"{_CS_DAYS[local.weekday()]} {local.day}. {CS_MONTHS[local.month - 1]}, {local:%H:%M}"
    if language is Language.DE:
        return f"{_DE_DAYS[local.weekday()]}, {local.day}. {DE_MONTHS[local.month - 1]}, {local:%H:%M}"
    return f"{_EN_DAYS[local.weekday()]} {local.day} {EN_MONTHS[local.month - 1]}, {local:%H:%M}"
