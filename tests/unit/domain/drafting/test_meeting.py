"""Meetings as arguments and back: wall-clock times over clock changes, ids, and what is refused.

Busy times out of a review's trace.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.drafting.meeting import (
    BusyTime,
    Meeting,
    arguments_of,
    busy_times,
    event_id,
    lasting,
    looked_at,
    meeting_from,
    moved,
    overlapping,
)
from app.domain.drafting.review import ToolStep
from app.domain.errors import NotAllowed

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


def test_a_meeting_over_the_clock_change_keeps_its_length_when_it_is_moved() -> None:
    night = meeting_from(arguments(start_time="2026-10-25T01:30:00", end_time="2026-10-25T03:30:00"))
    assert night.length == timedelta(hours=3)
    later = moved(night, datetime(2026, 10, 26, 1, 30, tzinfo=PRAGUE))
    assert (later.length, f"{later.end:%H:%M}") == (timedelta(hours=3), "04:30")
    skipped = moved(lasting(night, timedelta(hours=1)), datetime(2026, 3, 29, 2, 30, tzinfo=PRAGUE))
    assert (f"{skipped.start:%H:%M}", skipped.length) == ("03:30", timedelta(hours=1))


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


def step(name: str = "check_calendar", error: str = "", *hours: int) -> ToolStep:
    """A step that found the hours taken."""
    rows = [
        {"start": (NINE + timedelta(hours=one)).isoformat(), "end": (NINE + timedelta(hours=one + 1)).isoformat(), "title": "x"}
        for one in hours
    ]
    return ToolStep(name, "{}", json.dumps({"busy": rows}), error, 1.0)


def test_each_time_once_in_order_from_the_calendar_alone() -> None:
    steps = (
        step("check_calendar", "", 3, 1),
        step("get_contact", "", 5),
        step("check_calendar", "", 1),
        step("check_calendar", "offline", 9),
    )
    assert [one.start.hour for one in busy_times(steps)] == [10, 12]
    assert busy_times((ToolStep("check_calendar", "{}", "", "", 0.0),)) == ()


def test_touching_ends_do_not_overlap() -> None:
    hour = BusyTime(NINE, NINE + timedelta(hours=1))
    assert overlapping((hour,), NINE + timedelta(hours=1), NINE + timedelta(hours=2)) == ()
    assert overlapping((hour,), NINE + timedelta(minutes=59), NINE + timedelta(hours=2)) == (hour,)


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
