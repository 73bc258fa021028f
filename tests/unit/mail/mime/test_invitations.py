"""Parts of mails: header fields, invitations, numbers of any size."""

from datetime import MAXYEAR, UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from app.mail.gmail.consent import _expiry
from app.mail.mime.calendar_parts import read_invitation
from app.mail.mime.headers import decode_words
from app.mail.mime.parts import EARLIEST, LATEST, settled
from app.mail.mime.text import decode_body
from fakes.clock.growth import takes_less

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


@pytest.mark.parametrize(
    "rule", ["FREQ=SECONDLY", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;INTERVAL=99999", "FREQ=WEEKLY;BYDAY=XX"]
)
def test_odd_rules_show_the_first_date_or_are_no_invitation(rule: str) -> None:
    try:
        found = read_invitation(calendar(*TIMED, f"RRULE:{rule}"), NOW)
    except Exception as error:
        assert type(error).__name__ == "NotFound"
    else:
        assert found.start[:10] == "2026-01-06"


DECADES = rrulestr("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", dtstart=datetime(MAXYEAR - 39, 1, 1))  # noqa: DTZ001
LONG_LIST = ",".join(map(str, range(32, 6_000)))


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=0;BYMONTH=2",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;BYHOUR=23;COUNT=999999999",
        "FREQ=DAILY;INTERVAL=999999999",
        f"FREQ=DAILY;BYMONTHDAY={LONG_LIST}",
        f"FREQ=YEARLY;BYYEARDAY={LONG_LIST}",
    ],
)
def test_a_rule_without_days_costs_no_time(rule: str) -> None:
    """As much as to look through some centuries, and not the days up to the year 9999 or for ever."""
    invitation = calendar(*TIMED, f"RRULE:{rule}")
    assert read_invitation(invitation, NOW).start[:10] == "2026-01-06"
    assert takes_less(lambda: read_invitation(invitation, NOW), lambda: list(DECADES), times=30)


NAMES = st.one_of(st.sampled_from(["From", "FROM", "To", "to", "Received", "=?utf-8?q?=C3=A9?=", "x" * 81]), st.text(max_size=5))
VALUES = st.one_of(st.text(max_size=20), st.sampled_from(["a  b", " =?utf-8?q?=C3=A9?= ", "\r\n x\ty"]))
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=90).map(tuple)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?iso-8859-1?q?caf\u00e9_bar?=", "café bar"),
        ("=?iso-8859-2?Q?P\u0159\u00edli\u0161?=", "Příliš"),
        ("=?utf-8?Q?Gr\u00fc\u00dfe_aus_M=C3=BCnchen?=", "Grüße aus München"),
        ("=?us-ascii?q?\u65e5?=", "日"),
        ("=?utf-7?q?Gr+APwA3w-e?=", "Grüße"),
    ],
)
def test_raw_letters_and_utf_7_in_encoded_words(value: str, text: str) -> None:
    assert decode_words(value) == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Gr+APwA3w-e aus Br+APw-nn", "Grüße aus Brünn"),
        (b"1+1=2, a+b-c", "1+1=2, a+b-c"),
        ("Grüße +APw-".encode(), "Grüße +APw-"),
    ],
)
def test_utf_7_bodies_are_decoded_where_they_are_still_encoded(data: bytes, text: str) -> None:
    assert decode_body(data, "text/plain; charset=utf-7") == text


ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers().map(str) | st.lists(st.integers())


NONE = [(one, 0) for one in (None, "", "-", "7 ", "٣", "²", 1.5, [])]


@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_every_moment_of_the_calendar_can_be_settled(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    ends = (datetime.min.replace(tzinfo=zone), datetime.max.replace(tzinfo=zone))
    assert [settled(one) for one in ends] == [EARLIEST, LATEST]
    usual = datetime(2026, 3, 3, 10, tzinfo=zone)
    assert settled(usual) == usual and settled(usual).tzinfo is UTC
    assert settled(ends[1]).astimezone(zone)


@given(ANYTHING)
def test_a_token_that_expires_at_no_possible_time_is_used_until_it_is_refused(told: object) -> None:
    expiry = _expiry(told)
    assert expiry is None or expiry.tzinfo is None
