"""Bursts become few calls, and none is lost."""

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.throttle import Throttle


def test_a_burst_is_one_call_now_and_one_later(qtbot: QtBot) -> None:
    parent, calls = QObject(), []
    throttle = Throttle(lambda: calls.append(1), 40, parent)
    for _ in range(50):
        throttle.poke()
    assert calls == []
    qtbot.waitUntil(lambda: len(calls) == 1)
    for _ in range(50):
        throttle.poke()
    qtbot.waitUntil(lambda: len(calls) == 2)
    qtbot.wait(100)
    assert len(calls) == 2


def test_after_a_pause_it_answers_at_once_again(qtbot: QtBot) -> None:
    parent, calls = QObject(), []
    throttle = Throttle(lambda: calls.append(1), 10, parent)
    throttle.poke()
    qtbot.waitUntil(lambda: len(calls) == 1)
    qtbot.wait(40)
    throttle.poke()
    qtbot.waitUntil(lambda: len(calls) == 2)


def test_cancel_forgets(qtbot: QtBot) -> None:
    parent, calls = QObject(), []
    throttle = Throttle(lambda: calls.append(1), 10, parent)
    throttle.poke()
    throttle.cancel()
    qtbot.wait(30)
    assert calls == []
