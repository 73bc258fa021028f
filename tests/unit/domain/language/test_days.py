"""Times told in words, as they are typed to snooze or to send later."""

from datetime import UTC, datetime

import pytest

from app.domain.language.days import moment_named

TUESDAY = datetime(2026, 11, 24, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("tom", "2026-11-25 08:00"),
        ("tomorrow 9:30", "2026-11-25 09:30"),
        ("next tue 3pm", "2026-12-01 15:00"),
        ("mon", "2026-11-30 08:00"),
        ("fri noon", "2026-11-27 12:00"),
        ("in 2 hours", "2026-11-24 12:30"),
        ("45 min", "2026-11-24 11:15"),
        ("in a week", "2026-12-01 08:00"),
        ("next week", "2026-11-30 08:00"),
        ("weekend", "2026-11-28 08:00"),
        ("today", "2026-11-24 18:00"),
        ("3pm", "2026-11-24 15:00"),
        ("at 9", "2026-11-25 09:00"),
        ("24 dec 9:00", "2026-12-24 09:00"),
        ("2027-01-05", "2027-01-05 08:00"),
        ("zítra ráno", "2026-11-25 08:00"),
        ("pátek v 15", "2026-11-27 15:00"),
        ("za 3 dny", "2026-11-27 08:00"),
        ("příští týden", "2026-11-30 08:00"),
        ("donnerstag 14:00", "2026-11-26 14:00"),
    ],
)
def test_a_time_is_understood(words: str, moment: str) -> None:
    assert moment_named(words, TUESDAY) == datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.parametrize("words", ["", "t", "d", "xyz", "month", "yesterday", "today 9:00", "25:00", "13pm", "2026-11-23"])
def test_what_names_no_time_to_come_is_not(words: str) -> None:
    assert moment_named(words, TUESDAY) is None
