"""Fields for numbers: the unit is that of the number, in every language, while it is typed too."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.ui.pages.settings.form import SettingsWriter
from app.ui.pages.settings.sections import SettingsForm
from app.ui.widgets.form_controls import Control, money
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage

DAYS = {"en": ("days", "day", "days", "days"), "cs": ("dní", "den", "dny", "dní")}
"""Of none, one, two and five."""
SECONDS = {"en": ("seconds", "second", "seconds", "seconds"), "cs": ("sekund", "sekunda", "sekundy", "sekund")}


@pytest.fixture(params=["en", "cs"])
def language(request: pytest.FixtureRequest, root: Path, stage: Stage) -> Iterator[str]:
    translator = QTranslator()
    assert translator.load(str(root / "resources" / "i18n" / f"replyroom_{request.param}.qm"))
    QCoreApplication.installTranslator(translator)
    yield request.param
    QCoreApplication.removeTranslator(translator)


def unit(control: Control) -> str:
    (found,) = control.widget.findChildren(QLabel)
    return found.text()


def test_a_unit_follows_its_number(qtbot: QtBot, stage: Stage, language: str) -> None:
    writer = SettingsWriter(stage.engine, stage.appearance)
    section = SettingsForm(writer, stage.context.icons, "", "", ["drafting.days", "sending.undo_s"])
    qtbot.addWidget(section)
    for key, units in (("drafting.days", DAYS[language]), ("sending.undo_s", SECONDS[language])):
        control = section.fields[key].control
        said = []
        for number in (0, 1, 2, 5):
            control.show_value(number)
            said.append(unit(control))
        assert tuple(said) == units


def test_it_follows_what_is_typed_and_stepped_to(qtbot: QtBot, stage: Stage, language: str) -> None:
    writer = SettingsWriter(stage.engine, stage.appearance)
    form = SettingsForm(writer, stage.context.icons, "", "", ["sending.undo_s"])
    qtbot.addWidget(form)
    with qtbot.waitActive(form, timeout=30_000):  # keys that step work in the window that has the keyboard
        form.show()
        form.activateWindow()
    control = form.fields["sending.undo_s"].control
    field = control.field
    assert isinstance(field, QLineEdit)
    field.setFocus()
    control.show_value(20)
    field.selectAll()
    qtbot.keyClicks(field, "1")
    assert unit(control) == SECONDS[language][1]
    press("Backspace", on=field)
    assert unit(control) == SECONDS[language][1], "no number is no reason for another unit"
    qtbot.keyClicks(field, "5")
    assert unit(control) == SECONDS[language][3]
    for _step in range(3):
        press("Down", on=field)
    assert (field.text(), unit(control)) == ("2", SECONDS[language][2])


def test_an_amount_has_one_unit(qtbot: QtBot) -> None:
    control = money(100, "USD")
    qtbot.addWidget(control.widget)
    for amount in (1.0, 0.5, 5.0):
        control.show_value(amount)
        assert unit(control) == "USD"
