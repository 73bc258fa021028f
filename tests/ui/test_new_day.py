"""A new day is told once, and lists show it."""

from datetime import datetime, timedelta

from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app.ui.lists.model import LOOK_ROLE
from app.ui.main_window import MainWindow
from app.ui.new_day import NewDay
from fakes.lively_store import LivelyStore


class Hand:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 28, 23, 59).astimezone()

    def __call__(self) -> datetime:
        return self.at


def test_a_day_is_told_once(qtbot: QtBot) -> None:
    clock, parent = Hand(), QObject()
    days = NewDay(clock, parent, look_ms=1)
    told: list[datetime] = []
    days.came.connect(lambda: told.append(clock.at))
    qtbot.wait(20)
    assert told == []
    clock.at += timedelta(minutes=2)
    qtbot.waitUntil(lambda: bool(told), timeout=30_000)
    qtbot.wait(20)
    assert len(told) == 1


def test_todays_times_become_a_day_at_midnight(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> None:
    window.show_page("inbox")
    model = window.mail_page.model

    def whens() -> list[str]:
        return [model.data(model.index(row, 0), LOOK_ROLE).when for row in range(model.rowCount())]

    assert any(":" in when for when in whens())
    store.now += timedelta(days=1)
    days = window.findChild(NewDay)
    days.findChild(QTimer).timeout.emit()
    qtbot.waitUntil(lambda: not any(":" in when for when in whens()), timeout=30_000)
