"""Meetings in tests: a review that proposes one, and the owner's calendar on the server."""

import json
import urllib.request
from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Proposal, Review, ReviewKind, ToolStep
from app.domain.ids import RunId
from app.domain.mail.message import Message
from app.store.reviews.reviews import Reviews
from fakes.engine.engine_process import QUICK
from fakes.gmail.sandbox import Sandbox
from fakes.gmail.sending import Stage, opened

CONNECTED = f"{QUICK}[calendar]\nconnected = true\n"
"""Settings with a connected calendar."""

START = (datetime.now(UTC) + timedelta(days=3)).replace(hour=9, minute=0, second=0, microsecond=0)


def meeting(start: datetime = START, minutes: int = 60, title: str = "Order talk") -> dict[str, Any]:
    """Arguments of `schedule_meeting`."""
    form = "%Y-%m-%dT%H:%M:%S"
    return {
        "attendees": ["ann@partner.org"],
        "title": title,
        "start_time": start.strftime(form),
        "end_time": (start + timedelta(minutes=minutes)).strftime(form),
        "organizer_email": "me@example.com",
        "timezone": "UTC",
    }


def propose_meeting(stage: Stage, message: Message, arguments: dict[str, Any] | None = None, busy: Any = ()) -> Review:
    """Opens a review as the response agent does; `busy` are the calendar's times that its card shows."""
    request = json.dumps({"action": SCHEDULE_MEETING, "args": arguments or meeting()})
    rows = [{"start": start.isoformat(), "end": end.isoformat(), "title": "known"} for start, end in busy]
    proposal = Proposal(
        message.account_id,
        RunId(f"run-{message.id}-{datetime.now(UTC).timestamp()}"),
        message.id,
        message.thread_id,
        ReviewKind.TOOL_CALL,
        "respond",
        "meeting_request",
        0.9,
        "It asks to meet.",
        "test",
        request_json=request,
        plan_hash="hash",
        tools=(ToolStep("check_calendar", "{}", json.dumps({"busy": rows}), "", 1.0),),
    )
    with opened(stage.data) as db:
        reviews = Reviews(db, lambda: datetime.now(UTC))
        return reviews.review(reviews.open(proposal, "call:c1_1"))


def events(sandbox: Sandbox) -> list[dict[str, Any]]:
    """All events of the owner's calendar that are not cancelled."""
    return list(_calendar(sandbox, "GET", "events")["items"])


def put_event(sandbox: Sandbox, start: datetime, minutes: int, title: str = "Something else", **more: Any) -> dict[str, Any]:
    """Adds an event to the calendar on the server; `more` are fields of Google's."""
    end = start + timedelta(minutes=minutes)
    event: dict[str, Any] = {"summary": title, "start": {"dateTime": start.isoformat()}, "end": {"dateTime": end.isoformat()}}
    event |= more
    return _calendar(sandbox, "POST", "events", event)


def _calendar(sandbox: Sandbox, verb: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{sandbox.url}/calendar/v3/calendars/primary/{path}",
        json.dumps(body).encode() if body else None,
        {"Authorization": f"Bearer {sandbox.token}", "Content-Type": "application/json"},
        method=verb,
    )
    answer: dict[str, Any] = json.loads(urllib.request.urlopen(request, timeout=10).read())
    return answer
