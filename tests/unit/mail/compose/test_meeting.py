"""The bytes of an approved meeting: the event as it was seen, what was taken already, and nothing else."""

from datetime import UTC, datetime, timedelta

from app.domain.drafting.meeting import BusyTime, meeting_from
from app.mail.compose.meeting import approved_of, compose_event

ARGUMENTS = {
    "attendees": ["ann@partner.org"],
    "title": "Talk",
    "start_time": "2026-11-26T15:00:00",
    "end_time": "2026-11-26T16:00:00",
    "organizer_email": "me@example.com",
    "timezone": "Europe/Prague",
}


def test_an_event_says_what_was_approved_and_no_more() -> None:
    meeting = meeting_from(ARGUMENTS)
    start = meeting.start.astimezone(UTC)
    inside = BusyTime(start + timedelta(minutes=30), start + timedelta(hours=2), "Dentist")
    before = BusyTime(start - timedelta(hours=1), start, "Lunch")
    payload = compose_event(meeting, "rr0", (before, inside))
    assert payload == compose_event(meeting, "rr0", (before, inside))
    assert b"Dentist" not in payload
    found = approved_of(payload)
    assert (found.start, found.end) == (meeting.start, meeting.end)
    assert found.taken == [(inside.start, inside.end)]
    assert found.insertion.send_updates == "all"
    assert found.insertion.event == {
        "id": "rr0",
        "summary": "Talk",
        "start": {"dateTime": "2026-11-26T15:00:00+01:00", "timeZone": "Europe/Prague"},
        "end": {"dateTime": "2026-11-26T16:00:00+01:00", "timeZone": "Europe/Prague"},
        "attendees": [{"email": "ann@partner.org"}],
    }
    assert datetime.fromisoformat("2026-11-26T14:00:00+00:00") == found.start
