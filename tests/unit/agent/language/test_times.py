"""Times to meet: read from a mail, found in a calendar."""

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.language.times import (
    WorkingHours,
    free_times,
    is_free,
    proposed,
    time_wish,
    written,
)
from app.domain.drafting.meeting import BusyTime
from app.domain.language.words import Language
from fakes.gmail.messages import NOON

PRAGUE = ZoneInfo("Europe/Prague")
HOUR = timedelta(hours=1)
HOURS = WorkingHours(PRAGUE)


def busy(day: int, start: int, end: int) -> BusyTime:
    """Local hours of a day in March 2026 that are taken."""
    return BusyTime(datetime(2026, 3, day, start, tzinfo=PRAGUE), datetime(2026, 3, day, end, tzinfo=PRAGUE))


def offered(text: str, taken: list[BusyTime] | None = None, now: datetime = NOON, hours: WorkingHours = HOURS) -> list[str]:
    """The free times for what a mail wishes, as a draft writes them."""
    found = free_times(taken or [], now, hours, time_wish(text, now, PRAGUE))
    return [written(one, PRAGUE, Language.EN) for one in found]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Would Monday afternoon suit you?", ["Monday 16 March, 13:00", "Monday 16 March, 14:00", "Monday 16 March, 15:00"]),
        ("Hodilo by se vám pondělí odpoledne?", ["Monday 16 March, 13:00", "Monday 16 March, 14:00", "Monday 16 March, 15:00"]),
        ("Passt Ihnen Montag Nachmittag?", ["Monday 16 March, 13:00", "Monday 16 March, 14:00", "Monday 16 March, 15:00"]),
        ("Any time next week?", ["Monday 16 March, 10:00", "Tuesday 17 March, 14:00", "Wednesday 18 March, 11:30"]),
        ("Geht es nächste Woche?", ["Monday 16 March, 10:00", "Tuesday 17 March, 14:00", "Wednesday 18 March, 11:30"]),
        ("Do you have time today?", ["Tuesday 10 March, 14:00", "Tuesday 10 March, 15:00", "Tuesday 10 March, 16:00"]),
        (
            "Tomorrow after 14:00, please.",
            ["Wednesday 11 March, 14:00", "Wednesday 11 March, 15:00", "Wednesday 11 March, 16:00"],
        ),
        ("On Friday from 10:00 to 12:00?", ["Friday 13 March, 10:00", "Friday 13 March, 11:00"]),
        ("Friday before 11 would be best.", ["Friday 13 March, 09:00", "Friday 13 March, 10:00"]),
        (
            "I am away on Wednesday. Thursday morning?",
            ["Thursday 12 March, 09:00", "Thursday 12 March, 10:00", "Thursday 12 March, 11:00"],
        ),
        ("Saturday in the evening?", []),
        (
            "Thursday afternoon or Friday before 11?",
            ["Thursday 12 March, 13:00", "Thursday 12 March, 14:00", "Friday 13 March, 10:00"],
        ),
        (
            "Ich könnte den 12.3. nachmittags oder den 16.3. ab 10 Uhr anbieten.",
            ["Thursday 12 March, 13:00", "Thursday 12 March, 14:00", "Monday 16 March, 14:00"],
        ),
        (
            "In the morning on Thursday or in the afternoon on Friday?",
            ["Thursday 12 March, 10:00", "Thursday 12 March, 11:00", "Friday 13 March, 14:00"],
        ),
    ],
)
def test_part_of_day_week_and_day_are_understood(text: str, wanted: list[str]) -> None:
    assert offered(text) == wanted


def test_clock_changes_keep_the_local_hour() -> None:
    """Summer time began in Prague on Sunday 29 March 2026."""
    found = free_times([], datetime(2026, 3, 26, 12, tzinfo=UTC), WorkingHours(PRAGUE, around=time(9)))
    assert [one.astimezone(UTC).hour for one in found] == [8, 7, 7]
    assert {one.astimezone(PRAGUE).hour for one in found} == {9}


@given(
    st.lists(st.tuples(st.integers(0, 24 * 20), st.integers(1, 30)), max_size=12),
    st.integers(0, 24 * 365),
    st.sampled_from([PRAGUE, UTC, ZoneInfo("America/St_Johns"), ZoneInfo("Australia/Lord_Howe")]),
)
def test_offers_are_free_in_working_hours_ahead_and_on_different_days(
    taken: list[tuple[int, int]], ahead: int, zone: ZoneInfo
) -> None:
    now = NOON + timedelta(hours=ahead)
    hours = WorkingHours(zone)
    stretches = [BusyTime(now + start * HOUR, now + (start + length) * HOUR) for start, length in taken]
    found = free_times(stretches, now, hours)
    locals_ = [one.astimezone(zone) for one in found]
    assert len(set(found)) == len(found) <= 3
    assert list(found) == sorted(found)
    for one in locals_:
        assert one > now
        assert one.weekday() < 5
        assert time(9) <= one.time() <= time(16)
        assert is_free(one, HOUR, stretches)
    assert all(later - earlier >= HOUR for earlier, later in pairwise(found))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Could we meet on Thursday at 3 pm or Friday at 10:30?", ["2026-03-12 15:00", "2026-03-13 10:30"]),
        ("Hodí se vám pátek 13. března v 8:30?", ["2026-03-13 08:30"]),
        ("Co takhle 20. 3. v 9.15?", ["2026-03-20 09:15"]),
        ("Tomorrow at 16:00 then.", ["2026-03-11 16:00"]),
        ("Wednesday at 16:00 then.", ["2026-03-11 16:00"]),
        ("Let us say 2026-04-02 at 11:00.", ["2026-04-02 11:00"]),
        ("I was there on 5 January at 9:00.", ["2027-01-05 09:00"]),
        ("On Tuesday at 9:00", ["2026-03-17 09:00"]),
        ("Some time next week?", []),
        ("Tuesday 17 March, 9-10:30 am looks good", ["2026-03-17 09:00"]),
        ("on Thursday from 2 to 3 pm", ["2026-03-12 14:00"]),
        ("Thursday 11:30 - 1 pm", ["2026-03-12 11:30"]),
        ("Geht Donnerstag um 16 Uhr oder Freitag, 13. März, um 9:30 Uhr?", ["2026-03-12 16:00", "2026-03-13 09:30"]),
        ("It costs 15:00 euros", []),
        ("On 31 February at 9:00", []),
        ("On Friday at 27:00", []),
    ],
)
def test_proposed(text: str, wanted: list[str]) -> None:
    found = [one.astimezone(PRAGUE).strftime("%Y-%m-%d %H:%M") for one in proposed(text, NOON, PRAGUE)]
    assert found == wanted


@given(st.text(max_size=200))
def test_reading_never_fails_and_never_looks_back(text: str) -> None:
    assert all(one > NOON for one in proposed(text, NOON, PRAGUE))


def test_written_in_czech_and_german() -> None:
    assert written(NOON, PRAGUE, Language.CS) == "úterý 10. března, 13:00"
    assert written(NOON, PRAGUE, Language.DE) == "Dienstag, 10. März, 13:00"
