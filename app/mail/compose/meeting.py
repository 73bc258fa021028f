"""Composes an approved meeting as the exact request of `events.insert`, stored and hashed like a mail's bytes."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.domain.drafting.meeting import BusyTime, Meeting


class EventInsert(msgspec.Struct, frozen=True):
    """The event as JSON and `sendUpdates`: whom Google notifies (`all`, `externalOnly`, `none`)."""

    event: dict[str, object]
    send_updates: str = "all"


class ApprovedMeeting(msgspec.Struct, frozen=True):
    """A request, and in `taken` the overlapping times the user saw when approving."""

    insertion: EventInsert
    start: datetime
    end: datetime
    taken: list[tuple[datetime, datetime]] = []


def compose_event(meeting: Meeting, event_id: str, seen: Sequence[BusyTime]) -> bytes:
    """Returns the request for a meeting under our event id; Google invites the guests.

    `seen` are the busy times that the user was shown.
    """
    guests = [{"email": guest} for guest in meeting.guests]
    event: dict[str, object] = {
        "id": event_id,
        "summary": meeting.title,
        "start": {"dateTime": meeting.start.isoformat(), "timeZone": meeting.zone},
        "end": {"dateTime": meeting.end.isoformat(), "timeZone": meeting.zone},
        "attendees": guests,
    }
    taken = [(busy.start, busy.end) for busy in seen if busy.start < meeting.end and busy.end > meeting.start]
    return msgspec.json.encode(ApprovedMeeting(EventInsert(event), meeting.start, meeting.end, taken))


def approved_of(payload: bytes) -> ApprovedMeeting:
    """Decodes what `compose_event` returned. Raises `msgspec.MsgspecError`."""
    return msgspec.json.decode(payload, type=ApprovedMeeting)
