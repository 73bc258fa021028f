"""Modules are imported beside the window, and whoever asks is told when they are there."""

import sys

from pytestqt.qtbot import QtBot

from app.ui.mail.beside import Beside


def test_it_is_there_some_time_after_the_first_question(qtbot: QtBot) -> None:
    sys.modules.pop("wave", None)
    wave = Beside("wave")
    assert not wave.ready()
    qtbot.waitUntil(wave.ready, timeout=30_000)
    assert "wave" in sys.modules


def test_one_that_does_not_exist_is_left_to_whoever_needs_it(qtbot: QtBot) -> None:
    none = Beside("no_such_module_here")
    assert not none.ready()
    qtbot.waitUntil(none.ready, timeout=30_000)
