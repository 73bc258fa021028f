"""Meetings as `schedule_meeting` names them, and busy times as a run's tools recorded them. Pure functions.

Times are wall-clock times in a named time zone.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.domain.drafting.review import ToolStep
from app.domain.errors import NotAllowed
from app.domain.record import Record, replace


class BusyTime(Record):
    """A busy time of the calendar; `title` may be empty if only free/busy is known."""

    start: datetime
    end: datetime
    title: str = ""


SCHEDULE_MEETING = "schedule_meeting"
"""The tool's name, in requests, policy and rows."""

LONGEST = timedelta(days=1)
MOST_GUESTS = 50
LONGEST_TITLE = 300
LOCAL_FORM = "%Y-%m-%dT%H:%M:%S"
_ADDRESS = re.compile(r'[^\x00-\x20\x7f@,;:<>()"]+@[^\x00-\x20\x7f@,;:<>()"]+')
_BASE32HEX = "0123456789abcdefghijklmnopqrstuv"


class Meeting(Record):
    """`start` and `end` are aware and in `zone` (IANA name). `guests` are addresses without the organizer."""

    title: str
    start: datetime
    end: datetime
    zone: str
    guests: tuple[str, ...]
    organizer: str

    @property
    def length(self) -> timedelta:
        """The elapsed time, also across a clock change."""
        return self.end.astimezone(UTC) - self.start.astimezone(UTC)


def meeting_from(arguments: Mapping[str, Any]) -> Meeting:
    """Reads the arguments of `schedule_meeting`. Raises `NotAllowed`, which names the wrong argument."""
    title = " ".join(_text(arguments, "title").split())
    if not title or len(title) > LONGEST_TITLE:
        raise NotAllowed("title: the meeting needs a short title.")
    zone_name = _text(arguments, "timezone")
    zone = _zone(zone_name)
    start = _moment("start_time", _text(arguments, "start_time"), zone)
    end = _moment("end_time", _text(arguments, "end_time"), zone)
    if not timedelta() < end.astimezone(UTC) - start.astimezone(UTC) <= LONGEST:
        raise NotAllowed("end_time: the meeting must end after it begins, within a day.")
    organizer = _text(arguments, "organizer_email").strip().lower()
    guests = _guests(arguments.get("attendees", ()), organizer)
    return Meeting(title, start, end, zone_name, guests, organizer)


def arguments_of(meeting: Meeting) -> dict[str, Any]:
    return {
        "attendees": list(meeting.guests),
        "title": meeting.title,
        "start_time": f"{meeting.start:{LOCAL_FORM}}",
        "end_time": f"{meeting.end:{LOCAL_FORM}}",
        "organizer_email": meeting.organizer,
        "timezone": meeting.zone,
    }


def moved(meeting: Meeting, start: datetime) -> Meeting:
    """The same meeting at another time, with the same length."""
    zone = ZoneInfo(meeting.zone)
    begins = start.astimezone(UTC)
    return replace(meeting, start=begins.astimezone(zone), end=(begins + meeting.length).astimezone(zone))


def lasting(meeting: Meeting, length: timedelta) -> Meeting:
    return replace(meeting, end=(meeting.start.astimezone(UTC) + length).astimezone(ZoneInfo(meeting.zone)))


def event_id(*parts: object) -> str:
    """The Google Calendar id of our event: base32hex, the same for the same parts."""
    number = int.from_bytes(sha256("\x00".join(map(str, parts)).encode()).digest()[:20], "big")
    digits = []
    for _ in range(32):
        number, digit = divmod(number, 32)
        digits.append(_BASE32HEX[digit])
    return "rr" + "".join(digits)


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise NotAllowed(f"{name}: a text is needed.")
    return value


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise NotAllowed(f"timezone: there is no time zone {name[:60]!r}; name one such as Europe/Prague.") from error


def _moment(argument: str, text: str, zone: ZoneInfo) -> datetime:
    """Parses a wall-clock time in `zone`, or an instant with an offset, which is converted."""
    try:
        found = datetime.fromisoformat(text.strip())
        if found.tzinfo is not None:
            return found.astimezone(zone)
        local = found.replace(tzinfo=zone)
        back = local.astimezone(UTC).astimezone(zone)
    except (ValueError, OverflowError) as error:
        raise NotAllowed(f"{argument}: {text[:40]!r} is no time of the form 2026-03-12T15:00:00.") from error
    if back.replace(tzinfo=None) != found:
        raise NotAllowed(f"{argument}: the clocks skip {found:%H:%M} on that day in {zone.key}.")
    return local


def _guests(given: object, organizer: str) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(guest, str) for guest in given):
        raise NotAllowed("attendees: a list of mail addresses is needed.")
    if not _ADDRESS.fullmatch(organizer):
        raise NotAllowed("organizer_email: this is no mail address.")
    guests = tuple(dict.fromkeys(guest.strip().lower() for guest in given if guest.strip()))
    wrong = next((guest for guest in guests if not _ADDRESS.fullmatch(guest)), None)
    if wrong is not None:
        raise NotAllowed(f"attendees: {wrong[:80]!r} is no mail address.")
    kept = tuple(guest for guest in guests if guest != organizer)
    if not kept or len(kept) > MOST_GUESTS:
        raise NotAllowed(f"attendees: somebody besides the organizer is needed, at most {MOST_GUESTS}.")
    return kept


CHECK_CALENDAR = "check_calendar"
"""The tool's name in logs."""


def busy_times(tools: Sequence[ToolStep]) -> tuple[BusyTime, ...]:
    """The busy times the calendar tool found, in order, each once. Empty if it did not run or failed."""
    found: dict[BusyTime, None] = {}
    for tool in tools:
        if tool.name == CHECK_CALENDAR and not tool.error:
            found.update(dict.fromkeys(map(_busy, _rows(tool.result))))
    return tuple(sorted(found, key=lambda one: (one.start, one.end, one.title)))


def looked_at(tools: Sequence[ToolStep], start: datetime, end: datetime) -> bool:
    """Whether one successful calendar check covers the whole time between two aware moments."""
    return any(
        begins <= start and end <= ends
        for tool in tools
        if tool.name == CHECK_CALENDAR and not tool.error
        for begins, ends in _windows(tool.arguments)
    )


def overlapping(busy: Sequence[BusyTime], start: datetime, end: datetime) -> tuple[BusyTime, ...]:
    """The busy times that overlap; touching ends do not."""
    return tuple(busy_time for busy_time in busy if busy_time.start < end and busy_time.end > start)


def _windows(arguments: str) -> Iterator[tuple[datetime, datetime]]:
    """The times a check covered: one from `start` to `end`, and single days outside it."""
    checked: dict[str, Any] = json.loads(arguments) if arguments else {}
    first = [[checked["start"], checked["end"]]] if "start" in checked else []
    for begins, ends in (*first, *checked.get("days", ())):
        yield datetime.fromisoformat(begins), datetime.fromisoformat(ends)


def _rows(result: str) -> Sequence[dict[str, Any]]:
    rows: Sequence[dict[str, Any]] = json.loads(result).get("busy", ()) if result else ()
    return rows


def _busy(row: dict[str, Any]) -> BusyTime:
    return BusyTime(datetime.fromisoformat(row["start"]), datetime.fromisoformat(row["end"]), row["title"])
