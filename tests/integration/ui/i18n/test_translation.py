"""Languages: chosen, installed once, replaced by the next."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt, QTime, QTranslator
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.i18n.translation import LANGUAGES, language_of, load_language, locale_of


@pytest.fixture(autouse=True)
def restored(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    yield
    load_language(qapp, "en")
    QLocale.setDefault(before)


@pytest.mark.parametrize(("choice", "language"), [("en", "en"), ("cs", "cs"), ("de", "en")])
def test_a_choice_names_a_catalogue(choice: str, language: str) -> None:
    assert language_of(choice) == language
    assert language_of("") in LANGUAGES


def test_the_next_language_replaces_the_last(qapp: QApplication) -> None:
    load_language(qapp, "cs")
    assert QCoreApplication.translate("Actions", "Approve") == "Schválit"
    assert QLocale().decimalPoint() == ","
    load_language(qapp, "en")
    assert QCoreApplication.translate("Actions", "Approve") == "Approve"
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert len(qapp.findChildren(QTranslator, "replyroom")) == 1


@pytest.mark.parametrize(
    ("language", "system", "words", "clock", "first"),
    [
        ("en", "en_GB", "Friday", "09:40", Qt.DayOfWeek.Monday),
        ("en", "cs_CZ", "Friday", "09:40", Qt.DayOfWeek.Monday),
        ("en", "C", "Friday", "9:40\N{NARROW NO-BREAK SPACE}AM", Qt.DayOfWeek.Sunday),
        ("cs", "en_US", "pátek", "9:40", Qt.DayOfWeek.Monday),
    ],
)
def test_a_chosen_language_keeps_the_habits_of_the_place(
    language: str, system: str, words: str, clock: str, first: Qt.DayOfWeek
) -> None:
    made = locale_of(language, QLocale(system))
    assert made.dayName(5) == words
    assert made.toString(QTime(9, 40), QLocale.FormatType.ShortFormat) == clock
    assert made.firstDayOfWeek() == first


def test_english_has_its_plurals(qapp: QApplication) -> None:
    load_language(qapp, "en")

    class StatusLine(QWidget):
        """Has the context's name."""

    words = [StatusLine().tr("Checking %n email(s)", "", number) for number in (1, 5)]
    assert words == ["Checking 1 email", "Checking 5 emails"]


def test_qt_speaks_the_language_too(qapp: QApplication) -> None:
    load_language(qapp, "cs")
    assert QCoreApplication.translate("QKeySequenceEdit", "Press shortcut") != "Press shortcut"
    load_language(qapp, "en")
    assert QCoreApplication.translate("QKeySequenceEdit", "Press shortcut") == "Press shortcut"
