"""Languages: chosen, installed once, replaced by the next."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.translation import LANGUAGES, QT_TRANSLATE_NOOP, language_of, load_language


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


def test_english_has_its_plurals(qapp: QApplication) -> None:
    load_language(qapp, "en")

    class StatusLine(QWidget):
        """Has the context's name."""

    words = [StatusLine().tr("%n mail(s) being looked at", "", number) for number in (1, 5)]
    assert words == ["1 mail being looked at", "5 mails being looked at"]


def test_marking_changes_nothing() -> None:
    assert QT_TRANSLATE_NOOP("Anything", "words") == "words"


def test_qt_speaks_the_language_too(qapp: QApplication) -> None:
    load_language(qapp, "cs")
    assert QCoreApplication.translate("QKeySequenceEdit", "Press shortcut") != "Press shortcut"
    load_language(qapp, "en")
    assert QCoreApplication.translate("QKeySequenceEdit", "Press shortcut") == "Press shortcut"
