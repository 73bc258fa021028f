"""When a calendar part says that an event begins and ends, in one way for the card, the text and the model.

Refuses to guess: what is not told stays None.
"""

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icalendar.cal import Component

Moment = date | datetime


def span(event: "Component") -> tuple[Moment | None, Moment | None]:
    """First and last moment; of whole days the last day itself, where RFC 5545 writes the day after. The end may be told as a
    duration. Raises `OverflowError`, `TypeError` for times that cannot be."""
    start, end = _moment(event, "DTSTART"), _moment(event, "DTEND")
    length = getattr(event.get("DURATION"), "dt", None)
    if end is None and start is not None and isinstance(length, timedelta):
        end = start + length
    if start is not None and end is not None and not isinstance(end, datetime) and not isinstance(start, datetime):
        end = max(end - timedelta(days=1), start)
    return start, end


def answer_of(event: "Component") -> str:
    """What the guest who writes answered: accepted, declined, tentative ...; empty where it is not told."""
    guests = event.get("ATTENDEE", [])
    first = next(iter(guests if isinstance(guests, list) else [guests]), None)
    return str(getattr(first, "params", {}).get("PARTSTAT", "")).lower()[:40]


def _moment(event: "Component", name: str) -> Moment | None:
    found = getattr(event.get(name), "dt", None)
    return found if isinstance(found, date) else None
