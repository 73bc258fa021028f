"""Busy times from the local Calendar server: free, declined and whole-day events, time zones, pages."""

import json
import urllib.request
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.domain.mail.message import Address
from app.domain.ports.agents import CalendarReader
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.endpoint import Endpoint
from app.mail.google.calendar import PAGE, GoogleCalendar, _Moment, _moment
from app.mail.google.contacts import GoogleContacts
from fakes.gmail.client_box import Box, Pauses
from fakes.gmail.sandbox import Sandbox, running_sandbox

DAY = datetime(2026, 11, 4, tzinfo=UTC)


@pytest.fixture
async def calendar(box: Box) -> AsyncIterator[GoogleCalendar]:
    """A calendar in Europe/Prague."""
    made = GoogleCalendar(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token), sleep=Pauses())
    yield made
    await made.close()


def put(box: Box, **event: Any) -> None:
    """Insert an event over the API."""
    request = urllib.request.Request(
        f"{box.sandbox.url}/calendar/v3/calendars/primary/events",
        json.dumps(event).encode(),
        {"Authorization": f"Bearer {box.token}", "Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=10).read()


def timed(start: str, end: str, **more: Any) -> dict[str, Any]:
    """An event between two moments of ISO 8601."""
    return {"start": {"dateTime": start}, "end": {"dateTime": end}, **more}


async def busy(calendar: CalendarReader, days: int = 1) -> list[tuple[str, str, str]]:
    """What is taken from the day on, in UTC."""
    found = await calendar.busy(DAY, DAY + timedelta(days=days))
    assert all(each.start.tzinfo is UTC and each.end.tzinfo is UTC for each in found)
    return [(f"{each.start:%d %H:%M}", f"{each.end:%d %H:%M}", each.title) for each in found]


async def test_events_come_in_order_and_in_utc(box: Box, calendar: GoogleCalendar) -> None:
    put(box, **timed("2026-11-04T15:00:00+01:00", "2026-11-04T16:00:00+01:00", summary="Later"))
    put(box, **timed("2026-11-04T09:00:00+01:00", "2026-11-04T09:30:00+01:00", summary="Early"))
    put(
        box,
        start={"dateTime": "2026-11-04T10:00:00", "timeZone": "America/New_York"},
        end={"dateTime": "2026-11-04T11:00:00", "timeZone": "America/New_York"},
    )
    put(box, **timed("2026-11-09T09:00:00Z", "2026-11-09T10:00:00Z", summary="Another day"))
    assert await busy(calendar) == [
        ("04 08:00", "04 08:30", "Early"),
        ("04 14:00", "04 15:00", "Later"),
        ("04 15:00", "04 16:00", ""),
    ]


async def test_what_is_free_declined_or_cancelled_does_not_count(box: Box, calendar: GoogleCalendar) -> None:
    times = ("2026-11-04T09:00:00Z", "2026-11-04T10:00:00Z")
    put(box, **timed(*times, summary="Free", transparency="transparent"))
    put(box, **timed(*times, summary="Declined", attendees=[{"email": box.address, "self": True, "responseStatus": "declined"}]))
    put(box, **timed(*times, summary="Others declined", attendees=[{"email": "eva@example.org", "responseStatus": "declined"}]))
    assert [title for _, _, title in await busy(calendar)] == ["Others declined"]


async def test_repeated_events_are_spread_over_pages(box: Box, calendar: GoogleCalendar) -> None:
    lunch = timed("2026-11-04T12:00:00+01:00", "2026-11-04T12:30:00+01:00", summary="Lunch")
    lunch["start"]["timeZone"] = lunch["end"]["timeZone"] = "Europe/Prague"
    put(box, **lunch, recurrence=["RRULE:FREQ=DAILY;COUNT=300"])
    found = await calendar.busy(DAY, DAY + timedelta(days=400))
    assert len(found) == 300 > PAGE
    assert (found[0].start.hour, found[200].start.hour) == (11, 10), "summer time moves the event in UTC"


@pytest.mark.parametrize(
    ("moment", "year"),
    [("9999-12-31T23:59:59-10:00", 9000), ("0001-01-01T00:00:00+10:00", 1000), ("2026-03-03T10:00:00+01:00", 2026)],
)
def test_every_moment_that_can_be_written_can_be_compared(moment: str, year: int) -> None:
    found = _moment(_Moment(date_time=moment), "UTC")
    assert found is not None and found.year == year


@pytest.fixture(scope="module")
def sample(request: pytest.FixtureRequest) -> object:
    """The sample mailbox, which has an address book."""
    folder = Path(__file__).resolve().parents[4] / "resources" / "sample"
    started = running_sandbox("--sample", folder)
    request.addfinalizer(lambda: started.__exit__(None, None, None))
    return started.__enter__()


async def test_people_come_with_all_their_addresses(sample: Sandbox) -> None:
    contacts = GoogleContacts(Endpoint(f"{sample.url}/"), static_credentials(sample.token), sleep=Pauses())
    try:
        found = {each.addresses[0].name: each for each in (await contacts.changes("")).people}
    finally:
        await contacts.close()
    petra = found["Petra Kolmanová"]
    assert petra.addresses == (
        Address("petra@kolman-parts.example", "Petra Kolmanová"),
        Address("orders@kolman-parts.example", "Petra Kolmanová"),
    )
    assert petra.organization == "Kolman Parts"
    assert "supplier" in petra.notes
    assert len(found) >= 20


async def test_what_changed_since_a_token_and_everything_when_it_expired(box: Box) -> None:
    contacts = GoogleContacts(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token), sleep=Pauses())

    def changed_in_google(**fields: Any) -> str:
        return str(box.sandbox.admin.call("POST", "contacts", {**fields, "account": box.address})["resourceName"])

    try:
        ann = changed_in_google(name="Ann", emails=["ann@x.example"])
        bob = changed_in_google(name="Bob", emails=["bob@x.example"])
        first = await contacts.changes("")
        assert (first.whole, {one.resource for one in first.people}) == (True, {ann, bob})
        nothing = await contacts.changes(first.sync_token)
        assert (nothing.whole, nothing.people, nothing.gone) == (False, (), ())
        changed_in_google(id=ann, delete=True)
        changed_in_google(id=bob, organization="Bikes")
        etag = next(one.etag for one in first.people if one.resource == bob)
        changed = await contacts.changes(nothing.sync_token)
        assert (changed.whole, changed.gone) == (False, (ann,))
        (person,) = changed.people
        assert (person.resource, person.organization) == (bob, "Bikes")
        assert person.etag != etag
        again = await contacts.changes("999999")
        assert (again.whole, {one.resource for one in again.people}) == (True, {bob})
    finally:
        await contacts.close()
