"""A calendar part as an event to show. Refuses to answer invitations and to write calendars."""

from datetime import datetime

from icalendar import Calendar
from icalendar.cal import Component

from app.domain.errors import NotFound
from app.domain.mail_files import Invitation
from app.mail.mime.charset import decode_body
from app.mail.mime.event_times import Moment, answer_of, span
from app.mail.mime.invisible import one_line

LONGEST = 500_000
MOST_GUESTS = 100


def read_invitation(data: bytes) -> Invitation:
    """The first event of a calendar. Raises `NotFound` when there is none that can be read."""
    try:
        calendar = Calendar.from_ical(decode_body(data[:LONGEST], ""))
        event = next(iter(calendar.walk("VEVENT")))
        return _invitation(calendar, event)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, StopIteration) as error:
        raise NotFound("The invitation cannot be read.") from error


def _invitation(calendar: Component, event: Component) -> Invitation:
    guests = event.get("ATTENDEE", [])
    listed = guests if isinstance(guests, list) else [guests]
    method = _text(calendar.get("METHOD")).lower()
    start, end = span(event)
    return Invitation(
        method=method,
        summary=_text(event.get("SUMMARY")),
        start=_written(start),
        end=_written(end),
        where=_text(event.get("LOCATION")),
        organizer=_person(event.get("ORGANIZER")),
        attendees=tuple(filter(None, map(_person, listed[:MOST_GUESTS]))),
        status=_text(event.get("STATUS")).lower(),
        repeats="RRULE" in event,
        answer=answer_of(event) if method == "reply" else "",
    )


def _text(value: object) -> str:
    return one_line(str(value))[:1000] if value is not None else ""


def _person(value: object) -> str:
    """The name, or the address."""
    if value is None:
        return ""
    named = getattr(value, "params", {}).get("CN", "")
    text = _text(named) or _text(value)
    return text[7:] if text.lower().startswith("mailto:") else text


def _written(moment: Moment | None) -> str:
    """ISO 8601, times in this machine's zone."""
    if isinstance(moment, datetime):
        return moment.astimezone().isoformat() if moment.tzinfo else moment.isoformat()
    return moment.isoformat() if moment is not None else ""
