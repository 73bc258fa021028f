"""Tool `check_calendar`: when the owner is busy and free on given days. The model gets times but no event titles.

A day lasts from local midnight to local midnight, so days of a clock change have the right length.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from app.agent.language.times import at_local
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import ToolOutcome
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import NotAllowed
from app.domain.record import Record

DAY_FORM = "%d-%m-%Y"
SHORTEST_GAP = timedelta(minutes=15)
"""Shorter free times are not offered."""


class CalendarLookup(Record):
    """Busy times with titles, and a summary without titles.

    The owner sees `busy`; the model gets `summary`, one line per day.
    """

    busy: tuple[BusyTime, ...]
    summary: str


async def look_up(dates: Sequence[str], deps: Deps) -> CalendarLookup:
    """Reads the days (DD-MM-YYYY) in the owner's time zone. Raises `NotAllowed` for an invalid day, and the calendar's
    errors.
    """
    if deps.calendar is None:
        raise NotAllowed("No calendar is connected.")
    busy: dict[BusyTime, None] = {}
    lines = []
    for day in sorted({_day(one, deps) for one in dates}):
        found = await deps.calendar.busy(day, day + timedelta(days=1))
        busy.update(dict.fromkeys(found))
        taken = ", ".join(_stretch(one, day, deps) for one in found) or "nothing"
        lines.append(f"{day:%A} {day:{DAY_FORM}}: busy {taken}; {_availability(found, day, deps)}")
    zone = deps.clock().astimezone(deps.time_zone)
    return CalendarLookup(tuple(busy), "\n".join([*lines, f"Times are in {zone:%Z}."]))


def merged(before: ToolOutcome | None, dates: Sequence[str], looked: CalendarLookup) -> ToolOutcome:
    """Adds a lookup to what the run has read of the calendar."""
    rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in looked.busy]
    summary = looked.summary
    if before is not None:
        rows = [*before["result"]["busy"], *(one for one in rows if one not in before["result"]["busy"])]
        dates = [*before["arguments"].get("dates", ()), *dates]
        summary = f"{before['result']['summary']}\n{summary}"
    return ToolOutcome(arguments={"dates": [*dates]}, result={"busy": rows, "summary": summary}, error="", latency_ms=0.0)


def _day(text: str, deps: Deps) -> datetime:
    """Midnight of a day, aware."""
    try:
        day = datetime.strptime(f"{text} +0000", f"{DAY_FORM} %z").date()
    except ValueError as error:
        raise NotAllowed(f"{text} is no day of the form DD-MM-YYYY.") from error
    return datetime.combine(day, time(), deps.time_zone)


def _availability(found: Sequence[BusyTime], day: datetime, deps: Deps) -> str:
    """The free times of a day within the owner's working hours."""
    hours = deps.hours
    opens, closes = (at_local(day.date(), clock, deps.time_zone) for clock in (hours.start, hours.end))
    if day.weekday() not in hours.days or opens is None or closes is None:
        return "no working day"
    free: list[str] = []
    at = opens
    for start, end in [*sorted((one.start, one.end) for one in found), (closes, closes)]:
        if min(start, closes) - at >= SHORTEST_GAP:
            free.append(f"{at.astimezone(deps.time_zone):%H:%M}-{min(start, closes).astimezone(deps.time_zone):%H:%M}")
        at = max(at, end)
    return f"free {', '.join(free) or 'nothing'} of the working hours"


def _stretch(one: BusyTime, day: datetime, deps: Deps) -> str:
    """The part of a busy time within the day."""
    start, end = one.start.astimezone(deps.time_zone), one.end.astimezone(deps.time_zone)
    begins = f"{start:%H:%M}" if start >= day else "00:00"
    ends = f"{end:%H:%M}" if end < day + timedelta(days=1) else "24:00"
    return f"{begins}-{ends}"
