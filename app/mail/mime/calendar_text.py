"""An invitation as a few readable lines, for mails whose only content is a calendar part.

Refuses to answer invitations and to write calendars.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from app.mail.mime.event_times import Moment, answer_of, span
from app.mail.mime.invisible import one_line

if TYPE_CHECKING:
    from icalendar.cal import Component

LONGEST = 500_000
MOST_EVENTS = 10
FIELDS = (
    ("LOCATION", "Where"),
    ("ORGANIZER", "Organizer"),
    ("STATUS", "Status"),
)


def calendar_summary(text: str) -> str:
    """Lines such as `Event: ...` and `Starts: ...`; empty if the text is no calendar."""
    from icalendar import Calendar  # few mails have one, and every start of the engine would wait

    try:
        calendar = Calendar.from_ical(text[:LONGEST])
        events = [_event(each) for each in calendar.walk("VEVENT")[:MOST_EVENTS]]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError):
        return ""  # icalendar raises whatever its property types raise on broken input
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
    """A day, or a time with its zone: by name, or else by its distance from UTC."""
    if not isinstance(moment, datetime):
        return moment.isoformat()
    zone = moment.strftime("%Z") or (f"UTC{moment:%z}" if moment.tzinfo else "")
    return f"{moment:%Y-%m-%d %H:%M} {zone}".strip()


def _shown(value: object) -> str:
    if value is None:
        return ""
    text = one_line(str(value))
    return text[7:] if text.lower().startswith("mailto:") else text
