"""Facts and days in a text."""

from datetime import UTC, datetime
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.days import moment_named
from app.domain.language.facts import facts
from fakes.clock.growth import grows_with_size


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It costs 1,890 CZK or € 38.50.", [("amount", "1,890 CZK"), ("amount", "€ 38.50")]),
        ("Stojí to 1 890 Kč.", [("amount", "1 890 Kč")]),
        ("Come on Friday 14 March at 9:30.", [("date", "Friday 14 March"), ("time", "at 9:30")]),
        ("Přijďte 12. 3. v 7:45.", [("date", "12. 3."), ("time", "v 7:45")]),
        ("We close at 6 pm.", [("time", "at 6 pm")]),
        (
            "Am Donnerstag um 16 Uhr oder nächste Woche?",
            [("day", "Am Donnerstag"), ("time", "um 16 Uhr"), ("day", "nächste Woche")],
        ),
        ("Guten Morgen, geht es morgen?", [("day", "morgen")]),
        ("Order #48812 and invoice 2024-0881", [("number", "#48812"), ("number", "2024-0881")]),
        ("See https://a.example/x or mail b@c.example", [("link", "https://a.example/x"), ("email", "b@c.example")]),
        ("I'll come tomorrow.", [("day", "tomorrow")]),
        ("two cups and a jug", []),
    ],
)
def test_facts(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(str(one.kind), one.text) for one in facts(text)] == wanted


@given(st.text(alphabet="ab1 290.:,/-#€kčKCpmč@\n", max_size=120))
def test_facts_stand_in_order_without_overlap_and_as_written(text: str) -> None:
    found = facts(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


@pytest.mark.parametrize("unit", ["a-", "a.", "111 ", "1:00 ", "a@", "1 \n"])
def test_a_letter_made_to_stall_the_reader_is_read(unit: str) -> None:
    """Each of these took minutes when every place looked at all that follows."""
    new = count()  # facts of the same text are remembered
    assert facts(unit * 5_000 + " on monday")
    assert grows_with_size(lambda size: unit * size + " on monday ", lambda text: facts(f"{text}{next(new)}"), 5_000)


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
        ("friday 9", "2026-11-27 09:00"),
        ("tomorrow 3", "2026-11-25 15:00"),
        ("24 dec 9", "2026-12-24 09:00"),
        ("dec 24", "2026-12-24 08:00"),
        ("fri 4 dec", "2026-12-04 08:00"),
        ("2027-01-05", "2027-01-05 08:00"),
        ("zítra ráno", "2026-11-25 08:00"),
        ("pátek v 15", "2026-11-27 15:00"),
        ("za 3 dny", "2026-11-27 08:00"),
        ("příští týden", "2026-11-30 08:00"),
        ("donnerstag 14:00", "2026-11-26 14:00"),
        ("in two weeks", "2026-12-08 08:00"),
        ("half an hour", "2026-11-24 11:00"),
        ("in 3 months", "2027-02-24 08:00"),
        ("next month", "2026-12-01 08:00"),
        ("end of month", "2026-11-30 08:00"),
        ("tomorrow at 5", "2026-11-25 17:00"),
        ("za týden", "2026-12-01 08:00"),
        ("za dva měsíce", "2027-01-24 08:00"),
        ("in zwei wochen", "2026-12-08 08:00"),
        ("morgen um 9", "2026-11-25 09:00"),
        ("montag morgen", "2026-11-30 08:00"),
        ("heute abend", "2026-11-24 18:00"),
    ],
)
def test_a_time_is_understood(words: str, moment: str) -> None:
    assert moment_named(words, TUESDAY) == datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "words", ["", "t", "d", "xyz", "month", "yesterday", "today 9:00", "25:00", "13pm", "friday 31", "2026-11-23"]
)
def test_what_names_no_time_to_come_is_not(words: str) -> None:
    assert moment_named(words, TUESDAY) is None
