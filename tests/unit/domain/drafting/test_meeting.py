"""Meetings as arguments and back: wall-clock times over clock changes, ids, and what is refused.

Busy times out of a review's trace.

Spans stay on their text when slots are filled; a draft with an open slot is not complete.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.drafting.draft import Draft, Span, SpanKind, fill_slots
from app.domain.drafting.meeting import (
    Meeting,
    arguments_of,
    event_id,
    lasting,
    looked_at,
    meeting_from,
    moved,
)
from app.domain.drafting.review import ToolStep
from app.domain.errors import NotAllowed
from app.domain.mail.message import Address
from app.domain.record import replace

PRAGUE = ZoneInfo("Europe/Prague")


def arguments(**more: Any) -> dict[str, Any]:
    """A meeting of an hour."""
    return {
        "attendees": ["Ann@Partner.org", "me@example.com"],
        "title": "  Order   talk ",
        "start_time": "2026-11-26T15:00:00",
        "end_time": "2026-11-26T16:00:00",
        "organizer_email": "Me@example.com",
        "timezone": "Europe/Prague",
        **more,
    }


def test_arguments_become_a_meeting_in_its_zone() -> None:
    found = meeting_from(arguments())
    assert found == Meeting(
        "Order talk",
        datetime(2026, 11, 26, 15, tzinfo=PRAGUE),
        datetime(2026, 11, 26, 16, tzinfo=PRAGUE),
        "Europe/Prague",
        ("ann@partner.org",),
        "me@example.com",
    )
    assert meeting_from(arguments_of(found)) == found


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"title": " "}, "title"),
        ({"title": 5}, "title"),
        ({"timezone": "Nowhere/At all"}, "timezone"),
        ({"timezone": ""}, "timezone"),
        ({"start_time": "tomorrow"}, "start_time"),
        ({"end_time": "2026-11-26T15:00:00"}, "end_time"),
        ({"end_time": "2026-11-28T15:00:00"}, "end_time"),
        ({"start_time": "2026-03-29T02:30:00", "end_time": "2026-03-29T04:00:00"}, "start_time"),
        ({"attendees": ["me@example.com"]}, "attendees"),
        ({"attendees": "ann@partner.org"}, "attendees"),
        ({"attendees": ["ann@partner.org", "Bob <b@x.org>"]}, "attendees"),
        ({"organizer_email": "me"}, "organizer_email"),
    ],
)
def test_what_is_no_meeting_is_refused_by_name(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(NotAllowed, match=f"^{named}:"):
        meeting_from(arguments(**wrong))


def test_an_instant_with_an_offset_is_brought_into_the_zone() -> None:
    found = meeting_from(arguments(start_time="2026-11-26T14:00:00Z", end_time="2026-11-26T15:30:00+00:00"))
    assert (found.start.hour, found.length) == (15, timedelta(minutes=90))


@given(st.integers(0, 366 * 24 * 60), st.integers(15, 24 * 60))
def test_moving_keeps_the_length(later: int, minutes: int) -> None:
    meeting = lasting(meeting_from(arguments()), timedelta(minutes=minutes))
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=later)
    there = moved(meeting, moment)
    assert there.length == meeting.length
    assert there.start.astimezone(UTC) == moment


@given(st.lists(st.text(), min_size=1))
def test_ids_are_googles_alphabet_and_the_same_for_the_same(parts: list[str]) -> None:
    made = event_id(*parts)
    assert made == event_id(*parts)
    assert len(made) == 34
    assert set(made) <= set("0123456789abcdefghijklmnopqrstuv")
    assert made != event_id(*parts, "more")


NINE = datetime(2026, 11, 23, 9, tzinfo=UTC)


def test_what_no_look_covered_is_not_known() -> None:
    day = timedelta(days=1)
    window = {"start": NINE.isoformat(), "end": (NINE + 14 * day).isoformat()}
    beyond = {**window, "days": [[(NINE + 40 * day).isoformat(), (NINE + 41 * day).isoformat()]]}

    def looked(start: datetime, end: datetime, error: str = "", arguments: object = beyond) -> bool:
        return looked_at((ToolStep("check_calendar", json.dumps(arguments), "{}", error, 1.0),), start, end)

    assert looked(NINE, NINE + day)
    assert looked(NINE + 13 * day, NINE + 14 * day)
    assert looked(NINE + 40 * day, NINE + 41 * day)
    assert not looked(NINE + 13 * day, NINE + 15 * day)
    assert not looked(NINE - day, NINE + day)
    assert not looked(NINE + 40 * day, NINE + 41 * day, arguments=window)
    assert not looked(NINE, NINE + day, "offline: no")
    assert not looked(NINE, NINE + day, arguments={"dates": ["23-11-2026"]})
    assert not looked_at((ToolStep("check_calendar", "", "", "", 1.0),), NINE, NINE + day)


EMPTY = Draft(to=(Address("a@x.example"),), cc=(), bcc=(), subject="Re: x", body="", maker="template")


def _slot(at: int, prompt: str) -> Span:
    return Span(at, at, SpanKind.OPEN_SLOT, prompt)


def test_complete_needs_text_and_no_open_slot() -> None:
    assert not EMPTY.complete
    assert replace(EMPTY, body="Hello").complete
    slotted = replace(EMPTY, body="Price: ", spans=(_slot(7, "the price"),))
    assert not slotted.complete
    assert slotted.open_slots == ("the price",)
    assert fill_slots(slotted, ("500",)) == replace(EMPTY, body="Price: 500")


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
    st.integers(0, 30),
    st.text(min_size=1, max_size=9),
)
def test_marked_text_never_changes(body: str, pairs: list[tuple[int, int]], at: int, answer: str) -> None:
    at = min(at, len(body))
    marks = [Span(min(a, b, len(body)), min(max(a, b), len(body)), SpanKind.FROM_SOURCE) for a, b in pairs]
    marks = [m for m in marks if m.start < m.end and not m.start < at < m.end]
    draft = replace(EMPTY, body=body, spans=(*marks, _slot(at, "?")))
    filled = fill_slots(draft, (answer,))
    assert filled.body == body[:at] + answer + body[at:]
    assert [filled.body[m.start : m.end] for m in filled.spans] == [body[m.start : m.end] for m in marks]
