"""Reads calendar parts (RFC 5545): as an `Invitation` for the card, and as text for messages that hold nothing else."""

from datetime import MAXYEAR, date, datetime, time, timedelta
from typing import Any

from dateutil.rrule import rrulestr
from icalendar import Calendar
from icalendar.cal import Component

from app.domain.drafting.invitation import Invitation
from app.domain.errors import NotFound
from app.mail.mime.text import decode_body, one_line

Moment = date | datetime


def span(event: "Component") -> tuple[Moment | None, Moment | None]:
    """Start and end of an event.

    For whole days the end is the last day itself, where RFC 5545 writes the day after. The end may be given as a duration. Raises
    `OverflowError` and `TypeError` for impossible times.
    """
    start, end = _moment(event, "DTSTART"), _moment(event, "DTEND")
    length = getattr(event.get("DURATION"), "dt", None)
    if end is None and start is not None and isinstance(length, timedelta):
        end = start + length
    if start is not None and end is not None and not isinstance(end, datetime) and not isinstance(start, datetime):
        end = max(end - timedelta(days=1), start)
    return start, end


def answer_of(event: "Component") -> str:
    """The answer of the first guest (accepted, declined, tentative ...). Empty if there is none."""
    guests = event.get("ATTENDEE", [])
    first = next(iter(guests if isinstance(guests, list) else [guests]), None)
    return str(getattr(first, "params", {}).get("PARTSTAT", "")).lower()[:40]


def _moment(event: "Component", name: str) -> Moment | None:
    found = getattr(event.get(name), "dt", None)
    return found if isinstance(found, date) else None


LONGEST = 500_000
MOST_EVENTS = 10
FIELDS = (("LOCATION", "Where"), ("ORGANIZER", "Organizer"), ("STATUS", "Status"))


def calendar_summary(text: str) -> str:
    """An invitation as lines such as `Event: ...` and `Starts: ...`. Empty if the text is not a calendar."""
    try:
        calendar = Calendar.from_ical(text[:LONGEST])
        events = [_event(each) for each in calendar.walk("VEVENT")[:MOST_EVENTS]]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError):
        return ""  # icalendar raises all of these on broken input
    method = one_line(str(calendar.get("METHOD", "")))
    head = [f"Calendar: {method.lower()}"] if method else []
    answer = answer_of(calendar.walk("VEVENT")[0]) if events and method.upper() == "REPLY" else ""
    head += [f"Answer: {one_line(answer)}"] if answer else []
    return "\n\n".join(["\n".join([*head, *events[:1]]), *events[1:]]) if events else ""


def _event(event: "Component") -> str:
    start, end = span(event)
    lines = [f"Event: {shown}" for shown in [_shown(event.get("SUMMARY"))] if shown]
    lines += [f"Starts: {_words(start)}"] if start is not None else []
    lines += [f"Ends: {_words(end)}"] if end is not None and end != start else []
    lines += [f"{label}: {shown}" for name, label in FIELDS if (shown := _shown(event.get(name)))]
    description = one_line(str(event.get("DESCRIPTION", "")))[:2000]
    return "\n".join([*lines, *([description] if description else [])])


def _words(moment: Moment) -> str:
    """A day, or a time with its time zone. The zone is its name, or else the offset from UTC."""
    if not isinstance(moment, datetime):
        return moment.isoformat()
    zone = moment.strftime("%Z") or (f"UTC{moment:%z}" if moment.tzinfo else "")
    return f"{moment:%Y-%m-%d %H:%M} {zone}".strip()


def _shown(value: object) -> str:
    if value is None:
        return ""
    text = one_line(str(value))
    return text[7:] if text.lower().startswith("mailto:") else text


MOST_GUESTS = 100


def read_invitation(data: bytes, now: datetime) -> Invitation:
    """Returns the first event of a calendar; of a series its next occurrence after `now`.

    Raises `NotFound` if none can be read.
    """
    try:
        calendar = Calendar.from_ical(decode_body(data[:LONGEST], ""))
        event = next(iter(calendar.walk("VEVENT")))
        return _invitation(calendar, event, now)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, StopIteration) as error:
        raise NotFound("The invitation cannot be read.") from error


def _invitation(calendar: Component, event: Component, now: datetime) -> Invitation:
    guests = event.get("ATTENDEE", [])
    listed = guests if isinstance(guests, list) else [guests]
    method = _text(calendar.get("METHOD")).lower()
    start, end = _next(event, now)
    last = end or start
    return Invitation(
        method=method,
        summary=_text(event.get("SUMMARY")),
        start=_written(start),
        end=_written(end),
        where=_text(event.get("LOCATION")),
        organizer=_person(event.get("ORGANIZER")),
        attendees=tuple(filter(None, map(_person, listed[:MOST_GUESTS]))),
        status=_text(event.get("STATUS")).lower(),
        repeats=_frequency(event),
        answer=answer_of(event) if method == "reply" else "",
        uid=_text(event.get("UID")),
        ended=last is not None and _aware(last, now) < now,
    )


FREQUENCIES = frozenset({"daily", "weekly", "monthly", "yearly"})
MOST_OCCURRENCES = 20_000
HORIZON = timedelta(days=2 * 366)
LONGEST_RULE = 500
CYCLE_YEARS = 400
"""The calendar repeats after so many years, days of the week too. dateutil looks for days up to the year 9999, so a rule is moved
near it: "30 February" takes 0.2 s there instead of 7.
"""


def _frequency(event: Component) -> str:
    """How often a series repeats, empty for a single event."""
    found = event.get("RRULE", {}).get("FREQ", [""])[0].lower()
    return found if found in FREQUENCIES else ""


def _next(event: Component, now: datetime) -> tuple[Moment | None, Moment | None]:
    """The span of the next occurrence that has not ended; the first span for single events and rules that have ended."""
    start, end = span(event)
    if start is None or not _frequency(event) or start.year < now.year - 50:
        return start, end
    length = end - start if end is not None else timedelta()
    left_out = {_aware(each.dt, now) for listed in _listed(event.get("EXDATE")) for each in listed.dts}
    for begin in _occurrences(event, start, now):
        if _aware(begin + length, now) >= now and _aware(begin, now) not in left_out:
            return begin, begin + length if end is not None else None
    return start, end


def _occurrences(event: Component, start: Moment, now: datetime) -> list[Moment]:
    """Starts of a series up to two years from `now`, in the time zone of the event."""
    zone = start.tzinfo if isinstance(start, datetime) else None
    local = start.replace(tzinfo=None) if isinstance(start, datetime) else datetime.combine(start, time())
    rule: Any = event["RRULE"]
    if min(rule.get("INTERVAL", [1])) < 1 or len(rule.to_ical()) > LONGEST_RULE:
        return []  # dateutil does not end with an interval of 0, and compares each day with each number of a list
    until, count = rule.get("UNTIL", [None])[0], rule.get("COUNT", [MOST_OCCURRENCES])[0]
    parts = [part for part in rule.to_ical().decode().split(";") if not part.startswith(("UNTIL=", "COUNT="))]
    horizon = now + HORIZON
    ahead = (MAXYEAR - horizon.year) // CYCLE_YEARS * CYCLE_YEARS
    last = horizon.replace(year=horizon.year + ahead)
    series = rrulestr(";".join([*parts, f"UNTIL={last:%Y%m%dT%H%M%S}"]), dtstart=local.replace(year=local.year + ahead))
    found: list[Moment] = []
    for begin, _ in zip(series, range(min(int(count), MOST_OCCURRENCES)), strict=False):
        begin = begin.replace(year=begin.year - ahead)
        moment: Moment = begin.replace(tzinfo=zone) if isinstance(start, datetime) else begin.date()
        if until is not None and _aware(moment, now) > _aware(until, now):
            break
        found.append(moment)
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value is not None else []


def _aware(moment: Moment, now: datetime) -> datetime:
    """A time that compares with others; days end at midnight of `now`'s zone, times without a zone are of that zone."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time.max, now.tzinfo)
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _text(value: object) -> str:
    return one_line(str(value))[:1000] if value is not None else ""


def _person(value: object) -> str:
    """The guest's name, or the address."""
    if value is None:
        return ""
    named = getattr(value, "params", {}).get("CN", "")
    text = _text(named) or _text(value)
    return text[7:] if text.lower().startswith("mailto:") else text


def _written(moment: Moment | None) -> str:
    """ISO 8601; times are converted to this machine's time zone."""
    if isinstance(moment, datetime):
        return moment.astimezone().isoformat() if moment.tzinfo else moment.isoformat()
    return moment.isoformat() if moment is not None else ""
