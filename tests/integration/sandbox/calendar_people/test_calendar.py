"""Calendar v3 through the Google client: ids, repeats and invitations."""

from typing import Any

import pytest

from fakes.gmail.google_client import Box, conforms, refusal


@pytest.fixture
def events(box: Box) -> Any:
    return box.service("calendar.v3").events()


def _event(summary: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    return {"summary": summary, "start": {"dateTime": start}, "end": {"dateTime": end}, **more}


MEETING = _event("Meeting", "2026-03-16T10:00:00+01:00", "2026-03-16T11:00:00+01:00", id="meeting0001")
WEEKLY = _event("Weekly", "2026-03-02T09:00:00", "2026-03-02T09:30:00", id="repeat001", recurrence=["RRULE:FREQ=WEEKLY;COUNT=6"])
for _point in (WEEKLY["start"], WEEKLY["end"]):
    _point["timeZone"] = "Europe/Prague"


def _insert(events: Any, body: dict[str, Any], **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = events.insert(calendarId="primary", body=body, **options).execute()
    return answer


def _list(events: Any, **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = events.list(calendarId="primary", **options).execute()
    return answer


def test_client_ids_make_inserting_safe_to_repeat(events: Any) -> None:
    conforms("calendar", "Event", _insert(events, MEETING))
    assert refusal(lambda: _insert(events, MEETING)) == (409, "duplicate")
    assert events.get(calendarId="primary", eventId="meeting0001").execute()["summary"] == "Meeting"
    events.delete(calendarId="primary", eventId="meeting0001").execute()
    assert refusal(events.delete(calendarId="primary", eventId="meeting0001").execute) == (410, "deleted")
    assert refusal(lambda: _insert(events, MEETING)) == (409, "duplicate")
    assert refusal(lambda: _insert(events, {**MEETING, "id": "UPPER"})) == (400, "invalid")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"summary": "x", "end": MEETING["end"]}, "required"),
        ({"summary": "x", "start": MEETING["end"], "end": MEETING["start"]}, "timeRangeEmpty"),
        ({**MEETING, "id": "nooffset1", "start": {"dateTime": "2026-03-16T10:00:00"}}, "required"),
        ({**MEETING, "id": "badrule01", "recurrence": ["RRULE:FREQ=SOMETIMES"]}, "invalid"),
        ({**MEETING, "id": "guest0001", "attendees": [{"email": "nobody"}]}, "invalid"),
    ],
)
def test_bad_events_are_refused(events: Any, body: dict[str, Any], reason: str) -> None:
    assert refusal(lambda: _insert(events, body)) == (400, reason)


def test_repeats_follow_local_time_over_the_clock_change(events: Any) -> None:
    _insert(events, WEEKLY)
    window = {"timeMin": "2026-03-20T00:00:00Z", "timeMax": "2026-04-03T00:00:00Z", "singleEvents": True}
    found = _list(events, orderBy="startTime", **window)["items"]
    conforms("calendar", "Events", _list(events, orderBy="startTime", **window))
    assert [event["start"]["dateTime"] for event in found] == ["2026-03-23T09:00:00+01:00", "2026-03-30T09:00:00+02:00"]
    assert found[0]["id"] == "repeat001_20260323T080000Z"
    assert found[0]["recurringEventId"] == "repeat001"
    assert len(_list(events)["items"]) == 1
    assert len(_list(events, singleEvents=True)["items"]) == 6


def test_one_of_several_is_found_changed_and_deleted(events: Any) -> None:
    _insert(events, WEEKLY)
    one, other = ({"calendarId": "primary", "eventId": f"repeat001_202603{day}T080000Z"} for day in ("16", "23"))
    got = events.get(**one).execute()
    conforms("calendar", "Event", got)
    assert (got["start"]["dateTime"], got["recurringEventId"]) == ("2026-03-16T09:00:00+01:00", "repeat001")
    events.patch(**one, body={"summary": "Once"}).execute()
    events.delete(**other).execute()
    found = _list(events, singleEvents=True, orderBy="startTime")["items"]
    assert [event["summary"] for event in found] == ["Weekly", "Weekly", "Once", "Weekly", "Weekly"]
    for wrong in ("repeat001_20260317T080000Z", "nothing00_20260316T080000Z", "nothing00"):
        assert refusal(events.get(calendarId="primary", eventId=wrong).execute) == (404, "notFound")


def test_invitations_are_noted(box: Box, events: Any) -> None:
    _insert(events, {**MEETING, "attendees": [{"email": "bob@x.example"}]}, sendUpdates="all")
    events.delete(calendarId="primary", eventId="meeting0001").execute()
    noted = box.sandbox.admin.call("GET", "invitations", {"account": box.address})["invitations"]
    assert [(entry["action"], entry["sendUpdates"], entry["guests"]) for entry in noted] == [
        ("insert", "all", ["bob@x.example"]),
        ("delete", "none", ["bob@x.example"]),
    ]
    got = events.get(calendarId="primary", eventId="meeting0001").execute()
    assert got["attendees"][0]["responseStatus"] == "needsAction"
