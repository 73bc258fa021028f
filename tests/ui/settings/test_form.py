"""A form at large text and in narrow windows: words above their controls, and no word cut."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from app.ui.build import button
from app.ui.settings import controls
from app.ui.settings.form import Form, scrolled
from app.ui.settings.writing import SettingsWriter
from fakes.page_stage import Stage

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
HINT = "A sentence that is much longer than the control beside it, so that its lines decide how high the row has to be. " * 3


CASES = [(1.0, 1200, False), (1.0, 500, True), (2.0, 1400, False), (2.0, 900, True)]


@pytest.mark.parametrize(
    ("size", "width", "stacked"), [(1.0, 1200, False), (1.0, 500, True), (2.0, 1400, False), (2.0, 900, True)]
)
def test_no_hint_is_cut(qtbot: QtBot, stage: Stage, size: float, width: int, stacked: bool) -> None:
    stage.appearance.apply("light", size)
    form = Form(SettingsWriter(stage.engine, stage.appearance), "Title", "Intro")
    for number in range(3):
        form.add(f"drafting.row{number}", f"Row {number}", HINT, controls.line())
    area: QScrollArea = scrolled(form)
    qtbot.addWidget(area)
    area.resize(width, 700)
    area.show()
    assert QTest.qWaitForWindowExposed(area, 30_000)
    words = [one for one in form.findChildren(QLabel) if one.text() == HINT]
    lines = [field.control.widget for field in form.fields.values()]
    qtbot.waitUntil(lambda: all(one.height() >= one.heightForWidth(one.width()) for one in words), timeout=30_000)
    for word, line in zip(words, lines, strict=True):
        at, beside = word.mapTo(form, word.rect().topLeft()), line.mapTo(form, line.rect().topLeft())
        assert (beside.y() > at.y()) is stacked
        assert (beside.x() > at.x()) is not stacked
    assert area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    qtbot.waitUntil(lambda: form.width() <= area.viewport().width(), timeout=30_000)


def test_what_is_pressed_or_ticked_is_spoken_as_it_is_written(qtbot: QtBot, stage: Stage) -> None:
    form = Form(SettingsWriter(stage.engine, stage.appearance), "Keyboard shortcuts")
    qtbot.addWidget(form)
    pressed = button("Change keyboard shortcuts")
    form.add_widget("Your keys", "As in Gmail.", pressed)
    ticked = form.add("sync.older_paused", "Older mail", "New mail comes in.", controls.switch("Do not fetch it now")).field
    typed = form.add("model.name", "Model", "", controls.line()).field
    spoken = [QAccessible.queryAccessibleInterface(one) for one in (pressed, ticked, typed)]
    name, about = QAccessible.Text.Name, QAccessible.Text.Description
    assert [one.text(name) for one in spoken] == ["Change keyboard shortcuts", "Do not fetch it now", "Model"]
    assert [one.text(about) for one in spoken] == ["Your keys. As in Gmail.", "Older mail. New mail comes in.", ""]
