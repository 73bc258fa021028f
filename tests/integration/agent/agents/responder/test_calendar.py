"""`check_calendar` against the local Calendar server with the real client: it runs at once, and titles stay here."""

import json
import urllib.request
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.agent.agents.responder.tools import look_up
from app.domain.agents.runs import RunStatus
from app.domain.drafting.draft import SourceKind
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import Offline
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.endpoint import Endpoint
from app.mail.google.calendar import GoogleCalendar
from fakes.engine.agent_mailbox import FixedTriage, Room, ScriptedCalendar, mail, verdict
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.models.model_server import ModelServer
from fakes.models.response_agent import done, looks, office, sends

PRAGUE = ZoneInfo("Europe/Prague")


@pytest.fixture
def server() -> Iterator[Sandbox]:
    """A server with an empty calendar."""
    with running_sandbox("--me", "me@example.com") as running:
        yield running


@pytest.fixture
async def calendar(server: Sandbox) -> AsyncIterator[GoogleCalendar]:
    """The real client."""
    made = GoogleCalendar(Endpoint(f"{server.url}/"), static_credentials(server.token))
    yield made
    await made.close()


def put(server: Sandbox, title: str, start: str, end: str) -> None:
    """Insert an event over the API."""
    event: dict[str, Any] = {"summary": title, "start": {"dateTime": start}, "end": {"dateTime": end}}
    request = urllib.request.Request(
        f"{server.url}/calendar/v3/calendars/primary/events",
        json.dumps(event).encode(),
        {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=10).read()


async def test_the_calendar_is_read_at_once(room: Room, model: ModelServer, server: Sandbox, calendar: GoogleCalendar) -> None:
    put(server, "Doctor", "2026-11-23T09:00:00+01:00", "2026-11-23T10:30:00+01:00")
    put(server, "Flight", "2026-11-23T22:00:00+01:00", "2026-11-24T06:00:00+01:00")
    (message,) = room.put(mail("Shall we meet on Monday?"))
    async with office(room, model, message, calendar=calendar, time_zone=PRAGUE) as at_work:
        reply = sends(message, "Monday from 09:00 to 10:30 does not suit me.")
        assert await at_work.say(looks("24-11-2026", "23-11-2026"), looks("25-11-2026"), reply) is RunStatus.WAITING
        first, second = at_work.heard()
        assert first["summary"].splitlines() == [
            "Monday 23-11-2026: busy 09:00-10:30, 22:00-24:00; free 10:30-17:00 of the working hours",
            "Tuesday 24-11-2026: busy 00:00-06:00; free 09:00-17:00 of the working hours",
            "Times are in CET.",
        ]
        assert second["summary"].splitlines()[0] == "Wednesday 25-11-2026: busy nothing; free 09:00-17:00 of the working hours"
        proposal = at_work.waiting().proposal
    assert "check_calendar" in {one["function"]["name"] for one in model.history[0]["tools"]}
    assert "Doctor" not in json.dumps(model.history)
    (step,) = proposal.tools
    assert (step.name, "Doctor" in step.result, "25-11-2026" in step.arguments) == ("check_calendar", True, True)
    assert [one.kind for one in proposal.sources] == [SourceKind.CALENDAR]
    assert proposal.draft.spans == ()


async def test_trouble_and_no_days_are_told(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    calendar = ScriptedCalendar(trouble=Offline("no way out"))
    async with office(room, model, message, calendar=calendar) as at_work:
        assert await at_work.say(looks("31-02-2026"), looks("2026-11-23"), looks("23-11-2026"), done()) is RunStatus.DONE
        errors = [one["error"] for one in at_work.heard()]
    assert errors[0] == "31-02-2026 is no day of the form DD-MM-YYYY."
    assert "do not fit check_calendar" in errors[1]
    assert errors[2] == "offline: no way out"


async def test_a_time_over_two_days_is_read_once(room: Room) -> None:
    night = BusyTime(datetime(2026, 11, 23, 22, tzinfo=UTC), datetime(2026, 11, 24, 2, tzinfo=UTC), "Night")
    looked = await look_up(
        ["24-11-2026", "23-11-2026", "23-11-2026"], room.deps(FixedTriage(verdict()), calendar=ScriptedCalendar((night,)))
    )
    assert looked.busy == (night,)
    assert [line.partition(";")[0] for line in looked.summary.splitlines()[:2]] == [
        "Monday 23-11-2026: busy 22:00-24:00",
        "Tuesday 24-11-2026: busy 00:00-02:00",
    ]


async def test_a_day_of_a_clock_change_is_read_whole_in_local_time(room: Room) -> None:
    """Summer time ends in the night to Sunday 25 October 2026: that day has 25 hours."""
    late = BusyTime(datetime(2026, 10, 25, 22, 30, tzinfo=UTC), datetime(2026, 10, 25, 22, 59, tzinfo=UTC), "Late")
    hole = BusyTime(datetime(2026, 10, 26, 9, tzinfo=UTC), datetime(2026, 10, 26, 15, 50, tzinfo=UTC), "Hole")
    deps = room.deps(FixedTriage(verdict()), calendar=ScriptedCalendar((late, hole)), time_zone=PRAGUE)
    looked = await look_up(["25-10-2026", "26-10-2026"], deps)
    assert looked.busy == (late, hole)
    assert looked.summary.splitlines()[:2] == [
        "Sunday 25-10-2026: busy 23:30-23:59; no working day",
        "Monday 26-10-2026: busy 10:00-16:50; free 09:00-10:00 of the working hours",
    ]
