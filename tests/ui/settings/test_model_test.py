"""The Test button: one question, its outcome, and stopping."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.commands import ModelTest
from app.domain.commands import TestModel as AskModel
from app.domain.errors import ModelUnavailable
from app.ui.settings.model_test import ModelTestRow
from fakes.page_stage import Stage, drive, until

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

WANTED = AskModel("gemini/gemini-2.5-flash", "")


def made(stage: Stage, qtbot: QtBot) -> ModelTestRow:
    """The row."""
    row = ModelTestRow(stage.engine, lambda: WANTED)
    qtbot.addWidget(row)
    row.show()
    return row


def test_an_answer_with_its_latency(stage: Stage, qtbot: QtBot) -> None:
    """Asked by keyboard, answered in words."""
    row = made(stage, qtbot)

    async def scenario() -> None:
        qtbot.keyClick(row.start, Qt.Key.Key_Space)
        await until(lambda: bool(stage.engine.queries))
        assert row.start.text() == "Stop waiting"
        stage.engine.answer(ModelTest(True, 1240.0, "Hello."))
        await until(lambda: row.start.text() == "Test")

    drive(scenario())
    assert stage.engine.queries == [WANTED]
    assert row.outcome.text() == "It answered in 1.2 s"
    assert row.detail.text() == "Hello."


def test_failures(stage: Stage, qtbot: QtBot) -> None:
    """A model that fails, and one that could not be asked."""
    row = made(stage, qtbot)

    async def scenario() -> None:
        row.start.click()
        await until(lambda: len(stage.engine.queries) == 1)
        stage.engine.answer(ModelTest(False, 0.0, "401 invalid key"))
        await until(lambda: row.start.text() == "Test")
        assert (row.outcome.text(), row.detail.text()) == ("It does not answer", "401 invalid key")
        row.start.click()
        await until(lambda: len(stage.engine.queries) == 2)
        stage.engine.refuse(ModelUnavailable("No key for gemini."))
        await until(lambda: row.start.text() == "Test")

    drive(scenario())
    assert row.outcome.text() == "It could not be asked"
    assert "No key for gemini." in row.detail.text()


def test_stop_withdraws_the_question(stage: Stage, qtbot: QtBot) -> None:
    """Nothing is shown of an answer nobody waits for."""
    row = made(stage, qtbot)

    async def scenario() -> None:
        row.start.click()
        await until(lambda: bool(stage.engine.queries))
        row.start.click()
        await until(lambda: stage.engine.withdrawn == [WANTED])

    drive(scenario())
    assert row.outcome.text() == ""
    assert row.start.text() == "Test"


def test_a_double_click_asks_and_does_not_stop_at_once(stage: Stage, qtbot: QtBot) -> None:
    row = made(stage, qtbot)

    async def scenario() -> None:
        qtbot.mouseClick(row.start, Qt.MouseButton.LeftButton)
        qtbot.mouseDClick(row.start, Qt.MouseButton.LeftButton)
        qtbot.mouseRelease(row.start, Qt.MouseButton.LeftButton)
        await until(lambda: bool(stage.engine.queries))
        assert row.start.text() == "Stop waiting"
        stage.engine.answer(ModelTest(True, 1.0, "Hello."))
        await until(lambda: row.detail.text() == "Hello.")

    drive(scenario())
    assert (stage.engine.queries, stage.engine.withdrawn) == ([WANTED], [])
