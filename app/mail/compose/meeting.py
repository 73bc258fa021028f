"""From an approved meeting to the exact request of `events.insert`, as bytes that are kept and hashed like a mail's."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.domain.drafting.meeting import BusyTime, Meeting


class EventInsert(msgspec.Struct, frozen=True):
    """One request: the event as JSON, and whom Google writes to (`all`, `externalOnly`, `none`)."""

    event: dict[str, object]
    send_updates: str = "all"


class ApprovedMeeting(msgspec.Struct, frozen=True):
    """A request with what the user saw of the calendar: `taken` are the times that overlapped the meeting already."""

    insertion: EventInsert
    start: datetime
    end: datetime
    taken: list[tuple[datetime, datetime]] = []


def compose_event(meeting: Meeting, event_id: str, seen: Sequence[BusyTime]) -> bytes:
    """The request for a meeting under a client's id; guests get Google's invitation. `seen` are busy times the user was shown."""
    guests = [{"email": one} for one in meeting.guests]
    event: dict[str, object] = {
        "id": event_id,
        "summary": meeting.title,
        "start": {"dateTime": meeting.start.isoformat(), "timeZone": meeting.zone},
        "end": {"dateTime": meeting.end.isoformat(), "timeZone": meeting.zone},
        "attendees": guests,
    }
    taken = [(one.start, one.end) for one in seen if one.start < meeting.end and one.end > meeting.start]
    return msgspec.json.encode(ApprovedMeeting(EventInsert(event), meeting.start, meeting.end, taken))


def approved_of(payload: bytes) -> ApprovedMeeting:
    """The reverse. Raises `msgspec.MsgspecError`."""
    return msgspec.json.decode(payload, type=ApprovedMeeting)
