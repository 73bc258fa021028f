"""Busy times out of a review's trace."""

import json
from datetime import UTC, datetime, timedelta

from app.domain.busy import busy_times, looked_at, overlapping
from app.domain.ports.agents import BusyTime
from app.domain.review import ToolStep

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
