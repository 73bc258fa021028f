"""Invitations: the next date of a series, and rules that would never end."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.mail.mime.calendar_parts import read_invitation

PRAGUE = ZoneInfo("Europe/Prague")
NOW = datetime(2026, 11, 25, 12, tzinfo=PRAGUE)
"""A Wednesday."""


def calendar(*lines: str) -> bytes:
    event = ["BEGIN:VCALENDAR", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:u1", "SUMMARY:Plan", *lines, "END:VEVENT", "END:VCALENDAR"]
    return "\r\n".join(event).encode()


TIMED = ("DTSTART;TZID=Europe/Prague:20260106T180000", "DTEND;TZID=Europe/Prague:20260106T193000")


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        ((*TIMED, "RRULE:FREQ=WEEKLY;BYDAY=TU"), "2026-12-01"),
        ((*TIMED, "RRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE;TZID=Europe/Prague:20261201T180000"), "2026-12-08"),
        ((*TIMED, "RRULE:FREQ=MONTHLY;BYDAY=1TU"), "2026-12-01"),
        ((*TIMED, "RRULE:FREQ=DAILY"), "2026-11-25"),
        ((*TIMED, "RRULE:FREQ=YEARLY"), "2027-01-06"),
    ],
)
def test_the_next_date_of_a_series_is_shown(lines: tuple[str, ...], day: str) -> None:
    found = read_invitation(calendar(*lines), NOW)
    start = datetime.fromisoformat(found.start).astimezone(PRAGUE)
    assert (start.date().isoformat(), start.hour) == (day, 18), "18:00 of the event's own time zone, summer and winter"
    assert not found.ended


@pytest.mark.parametrize("limit", ["COUNT=3", "UNTIL=20260131T000000Z"])
def test_a_series_that_has_ended_shows_its_first_date(limit: str) -> None:
    found = read_invitation(calendar(*TIMED, f"RRULE:FREQ=WEEKLY;{limit}"), NOW)
    assert (found.start[:10], found.ended, found.repeats) == ("2026-01-06", True, "weekly")


def test_whole_days_repeat_by_days() -> None:
    found = read_invitation(calendar("DTSTART;VALUE=DATE:20200101", "DTEND;VALUE=DATE:20200103", "RRULE:FREQ=YEARLY"), NOW)
    assert (found.start, found.end) == ("2027-01-01", "2027-01-02")


@pytest.mark.parametrize(
    "rule",
    ["FREQ=SECONDLY", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;INTERVAL=99999", "FREQ=WEEKLY;BYDAY=XX"],
)
def test_odd_rules_show_the_first_date_or_are_no_invitation(rule: str) -> None:
    try:
        found = read_invitation(calendar(*TIMED, f"RRULE:{rule}"), NOW)
    except Exception as error:
        assert type(error).__name__ == "NotFound"
    else:
        assert found.start[:10] == "2026-01-06"
