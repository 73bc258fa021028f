"""Words for values."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale

from app.domain.drafting.review import ReviewKind
from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError
from app.domain.mail.triage import Category, Decision, Reason, ReasonClause, encode_reason
from app.ui.i18n import error_messages, formatting

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def english() -> object:
    """Dates in one locale."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(before)


def test_every_value_has_words() -> None:
    assert all(formatting.decision_words(one) for one in Decision)
    assert formatting.category_words("meeting_request") == "meeting request"
    assert len({formatting.category_words(one) for one in Category}) == len(Category)
    assert len({formatting.kind_words(one) for one in ReviewKind}) == len(ReviewKind)


def test_doubt_is_said_in_words() -> None:
    assert formatting.confidence_words(0.0) == ""
    assert formatting.confidence_words(0.6499) == "low confidence"
    assert formatting.confidence_words(0.65) == "65%"


@pytest.mark.parametrize(
    ("maker", "words"),
    [
        ("template", "From a template (no AI)"),
        ("own-reply", "From one of your earlier replies (no AI)"),
        ("ollama/llama3", "Drafted by llama3 on this computer. Check the facts."),
        ("openai/gpt-4o", "Drafted by openai/gpt-4o"),
    ],
)
def test_the_maker_is_named_by_the_ladder(maker: str, words: str) -> None:
    assert formatting.maker_words(maker) == words


@pytest.mark.parametrize(
    ("ago", "shown"),
    [
        (timedelta(minutes=5), ":"),
        (timedelta(days=3), "Tue"),
        (timedelta(days=40), "11 Oct"),
        (timedelta(days=700), "20 Dec 2024"),
    ],
)
def test_a_date_is_as_long_as_it_must_be(ago: timedelta, shown: str) -> None:
    assert shown in formatting.when_short(NOON - ago, NOON)


def test_the_future_is_no_weekday() -> None:
    assert "27 Nov" in formatting.when_short(NOON + timedelta(days=7), NOON)


@pytest.mark.parametrize(
    ("name", "letters"), [("Ana Novák", "AN"), ("ana@partner.example", "A"), ("", "?"), ("«»", "?"), ("山本 由紀", "山由")]
)
def test_monograms(name: str, letters: str) -> None:
    assert formatting.initials(name) == letters


def every_error() -> list[type[ExpectedError]]:
    """All classes of expected trouble that are loaded."""
    import app.link.frames

    assert app.link.frames
    found, waiting = [], [ExpectedError]
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting += kind.__subclasses__()
    return found


@pytest.mark.parametrize("kind", [one for one in every_error() if one.__module__ in ("app.domain.errors", "app.link.frames")])
def test_every_trouble_has_a_sentence(kind: type[ExpectedError]) -> None:
    assert kind.code in error_messages.SENTENCES
    assert error_messages.sentence(kind.code).endswith(".")


def test_details_are_shown_only_where_they_help() -> None:
    assert "smtp.example" not in error_messages.sentence("offline", ErrorText.of("smtp.example"))
    assert "settings.toml:3" in error_messages.sentence("bad_file", ErrorText.of("settings.toml:3", "Mend the line."))
    assert "odd" in error_messages.sentence("never heard of", ErrorText.of("odd"))


@pytest.mark.parametrize(("language", "money", "percent"), [("en", "$1,234.50", "65%"), ("cs", "1\xa0234,50\xa0$", "65\xa0%")])
def test_money_and_percentages_follow_the_locale(language: str, money: str, percent: str) -> None:
    QLocale.setDefault(QLocale(language))
    assert formatting.money_words(1234.5) == money
    assert formatting.percent_words(65) == percent


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (timedelta(hours=3), "back at 15:00"),
        (timedelta(days=1, hours=-4), "back tomorrow 08:00"),
        (timedelta(days=2, hours=3), "back on Sun 22 Nov, 15:00"),
        (timedelta(days=60, hours=3), "back on 19 Jan 2027, 15:00"),
        (timedelta(minutes=-5), "back at 11:55"),
        (timedelta(days=-1), "back on Thu 19 Nov, 12:00"),
    ],
)
def test_a_return_says_its_day(later: timedelta, words: str) -> None:
    now = datetime(2026, 11, 20, 12).astimezone()
    assert formatting.when_back(now + later, now) == words


@pytest.mark.usefixtures("czech")
@pytest.mark.parametrize(
    ("later", "words"),
    [
        (timedelta(hours=3), "zpět dnes 15:00"),
        (timedelta(days=1, hours=-4), "zpět zítra 8:00"),
        (timedelta(days=3), "zpět 23. 11. (po), 12:00"),
        (timedelta(days=60), "zpět 19. 1. 2027, 12:00"),
    ],
)
def test_a_czech_monday_is_not_read_as_after(later: timedelta, words: str) -> None:
    QLocale.setDefault(QLocale("cs"))
    now = datetime(2026, 11, 20, 12).astimezone()
    assert formatting.when_back(now + later, now) == words


def test_a_reason_is_said_in_czech(czech: None) -> None:
    stored = encode_reason(Reason(ReasonClause.HASTE), Reason(ReasonClause.ONE_QUESTION))
    assert formatting.reason_words(stored) == "Nutí ke spěchu a pokládá jednu otázku."
    assert formatting.reason_words("It asks for a price.") == "It asks for a price."
