"""`check_calendar`: when the owner is taken in the weeks to come, and on every day that the mail names, however far.

The summary is what drafts may know: no titles. Refuses to pass over what it leaves out: where the list ends early it says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from app.agent.deps import Deps
from app.agent.drafting.sources import EXCERPT_LIMIT
from app.agent.local.times import DAYS_AHEAD, named_days
from app.domain.errors import NotFound
from app.domain.mail import Account, Message
from app.domain.ports.agents import BusyTime
from app.domain.quotes import newest_part

Result = dict[str, Any]

CUT = "; later times are not listed here and not known"


async def check_calendar(message: Message, account: Account, deps: Deps) -> tuple[Result, Result]:
    """The owner's busy times from now on: as far as free times are offered, and on the days the mail names."""
    if deps.calendar is None:
        raise NotFound("No calendar is connected.")
    start = deps.clock().astimezone(deps.time_zone)
    end = _midnight(start.date() + timedelta(days=DAYS_AHEAD + 1), deps)
    named = named_days(newest_part(message.body_text), start, deps.time_zone)
    beyond = [(_midnight(one, deps), _midnight(one + timedelta(days=1), deps)) for one in named if one >= end.date()]
    windows = [(start, end), *beyond]
    found: dict[BusyTime, None] = {}
    for window in windows:
        found.update(dict.fromkeys(await deps.calendar.busy(*window)))
    busy = sorted(found, key=lambda one: (one.start, one.end, one.title))
    rows = [{"start": one.start.isoformat(), "end": one.end.isoformat(), "title": one.title} for one in busy]
    looked = [[one.isoformat() for one in window] for window in windows]
    return {"start": looked[0][0], "end": looked[0][1], "days": looked[1:]}, {
        "busy": rows,
        "summary": _summary(start, end, named, busy, deps),
    }


def _midnight(day: date, deps: Deps) -> datetime:
    """The beginning of a day in the owner's zone, aware."""
    return datetime.combine(day, time(), deps.time_zone)


def _summary(start: datetime, end: datetime, named: Iterable[date], busy: Sequence[BusyTime], deps: Deps) -> str:
    """The days the mail names, then everything in order, as far as an excerpt goes."""
    days = [f"{one:%A %Y-%m-%d}: {', '.join(_stretches(one, busy, deps)) or 'nothing'}." for one in sorted(named)]
    head = " ".join(
        [*(["Busy on the days the mail names:", *days] if days else []), f"Busy from {start:%Y-%m-%d} to {end:%Y-%m-%d}: "]
    )
    listed, room = "", EXCERPT_LIMIT - len(head) - len(CUT)
    for line in (_line(one, deps) for one in busy if one.start < end):
        more = f"; {line}" if listed else line
        if len(listed) + len(more) > room:
            return head + listed + CUT
        listed += more
    return head + (listed or "nothing")


def _stretches(day: date, busy: Iterable[BusyTime], deps: Deps) -> Iterator[str]:
    """What is taken of one day."""
    begins, ends = _midnight(day, deps), _midnight(day + timedelta(days=1), deps)
    for one in busy:
        if one.start < ends and one.end > begins:
            start, end = max(one.start, begins).astimezone(deps.time_zone), min(one.end, ends).astimezone(deps.time_zone)
            yield f"{start:%H:%M} to {'24:00' if end.date() > day else f'{end:%H:%M}'}"


def _line(one: BusyTime, deps: Deps) -> str:
    """A busy time, with the day of its end when that is another."""
    start, end = one.start.astimezone(deps.time_zone), one.end.astimezone(deps.time_zone)
    until = f"{end:%H:%M}" if start.date() == end.date() else f"{end:%A %Y-%m-%d %H:%M}"
    return f"{start:%A %Y-%m-%d %H:%M} to {until}"
