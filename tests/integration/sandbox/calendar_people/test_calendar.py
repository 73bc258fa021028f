"""Calendar v3 through the Google client: ids, repeats and invitations."""

from pathlib import Path
from typing import Any

import pytest

from fakes.gmail.google_client import Box, conforms, google_service, refusal
from fakes.gmail.sandbox import running_sandbox


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


def test_listing_pages_and_orders(events: Any) -> None:
    for day in range(1, 6):
        _insert(events, _event(f"Day {day}", f"2026-05-0{6 - day}T10:00:00Z", f"2026-05-0{6 - day}T11:00:00Z"))
    seen: list[str] = []
    request = events.list(calendarId="primary", singleEvents=True, orderBy="startTime", maxResults=2)
    while request is not None:
        page = request.execute()
        seen.extend(event["summary"] for event in page["items"])
        request = events.list_next(request, page)
    assert seen == [f"Day {day}" for day in (5, 4, 3, 2, 1)]
    assert refusal(lambda: _list(events, orderBy="startTime")) == (400, "badRequest")
    assert refusal(lambda: _list(events, timeMin="2026-05-01T00:00:00")) == (400, "badRequest")


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


OWNER = "name: Ann Example\nemail: ann@example.com\ntimezone: Europe/Prague\n"
CONTACTS = """
- {name: Bob Smith, emails: [bob@shop.example, b@shop.example], phones: ["+420 1"], organization: Blue Shop, notes: kind}
- {name: Carla, emails: [carla@x.example]}
- {name: Dan Bobek, emails: [dan@x.example]}
"""
FIELDS = "names,emailAddresses,phoneNumbers,organizations,biographies,metadata"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("sample")
    (folder / "owner.yaml").write_text(OWNER)
    (folder / "contacts.yaml").write_text(CONTACTS)
    (folder / "index.yaml").write_text("[]")
    with running_sandbox("--sample", folder) as sandbox:
        yield google_service("people.v1", sandbox.url, sandbox.token)


def test_connections_page_with_every_field(people: Any) -> None:
    connections = people.people().connections()
    seen: list[dict[str, Any]] = []
    request = connections.list(resourceName="people/me", personFields=FIELDS, pageSize=2)
    while request is not None:
        page = request.execute()
        conforms("people", "ListConnectionsResponse", page)
        assert page["totalItems"] == 3
        seen.extend(page["connections"])
        request = connections.list_next(request, page)
    bob = seen[0]
    assert bob["names"][0]["givenName"] == "Bob"
    assert [entry["value"] for entry in bob["emailAddresses"]] == ["bob@shop.example", "b@shop.example"]
    assert (bob["phoneNumbers"][0]["value"], bob["organizations"][0]["name"]) == ("+420 1", "Blue Shop")
    assert bob["biographies"][0]["value"] == "kind"
    assert len(seen) == 3
