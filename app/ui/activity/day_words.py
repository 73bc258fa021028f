"""Days of work in the window's words: what each bar says, sums, and the rows of the table that says the same as the charts."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.domain.daily import DayOfWork, middle
from app.domain.triage import Category
from app.ui.text import category_words, day_words, money_words, number_words, seconds_words

TOKENS = {
    Category.INQUIRY: "accent",
    Category.MEETING_REQUEST: "slot",
    Category.COMPLAINT: "warning",
    Category.FOLLOW_UP: "positive",
    Category.SPAM: "danger",
    Category.OTHER: "line_strong",
}
"""Colours of the theme by category."""


def day_short(day: date) -> str:
    """Under a bar."""
    return QLocale().toString(QDate(day.year, day.month, day.day), QCoreApplication.translate("Words", "d MMM"))


def day_spoken(day: date) -> str:
    """In a tooltip and to a screen reader."""
    return day_words(QDate(day.year, day.month, day.day))


def amount(value: float) -> str:
    """A number beside a line; thousands are written short."""
    if value >= 10_000:
        return QCoreApplication.translate("Charts", "%1 k").replace("%1", QLocale().toString(value / 1000, "g", 3))
    return QLocale().toString(value, "g", 4)


def kinds_words(day: DayOfWork) -> str:
    """How many mails of which category."""
    parts = [f"{category_words(category)}: {number_words(day.of(category))}" for category in Category if day.of(category)]
    return ", ".join(parts) or QCoreApplication.translate("Charts", "no mail looked at")


def decided_words(day: DayOfWork) -> str:
    """What became of drafts."""
    named = zip(decision_names(), (day.kept, day.edited, day.rejected), strict=True)
    return ", ".join(f"{name}: {number_words(count)}" for name, count in named)


def decision_names() -> tuple[str, str, str]:
    """What becomes of drafts."""
    return (
        QCoreApplication.translate("Charts", "as proposed"),
        QCoreApplication.translate("Charts", "edited"),
        QCoreApplication.translate("Charts", "rejected"),
    )


def use_words(day: DayOfWork) -> str:
    """Tokens and what they cost."""
    tokens = QCoreApplication.translate("Charts", "tokens: %1").replace("%1", number_words(day.tokens))
    return f"{tokens}, {money_words(day.cost_usd)}"


def median_ms(days: Sequence[DayOfWork]) -> float:
    """The middle of the days' medians."""
    return middle(sorted(day.time_ms for day in days if day.time_ms))


def columns() -> list[str]:
    """Headings of the table."""
    return [
        QCoreApplication.translate("Charts", "Day"),
        QCoreApplication.translate("Charts", "Mails"),
        QCoreApplication.translate("Charts", "Kinds"),
        QCoreApplication.translate("Charts", "Time per mail"),
        QCoreApplication.translate("Charts", "Drafts"),
        QCoreApplication.translate("Charts", "Use of the model"),
    ]


def table_row(day: DayOfWork) -> list[str]:
    """One day in the table."""
    time = seconds_words(day.time_ms) if day.time_ms else ""
    use = use_words(day) if day.calls else ""
    decided = decided_words(day) if day.kept + day.edited + day.rejected else ""
    return [day_spoken(day.day), number_words(day.mails), kinds_words(day) if day.mails else "", time, decided, use]
