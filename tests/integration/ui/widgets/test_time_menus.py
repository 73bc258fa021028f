"""When a letter leaves instead of now: the times in one click are to come, and any other arrives as it was chosen."""

from datetime import UTC, datetime, timedelta

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.factory import column
from app.ui.widgets.menus import SendLaterBar, choices, later_menu, usual_times
from fakes.window.keyboard import press

FRIDAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


def test_times_to_send_later(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert choices(FRIDAY)[-1][0] == "Monday morning"
    assert all(at > FRIDAY for _, at in choices(FRIDAY))
    chosen: list[int] = []
    menu = later_menu(parent, FRIDAY, chosen.append, lambda: chosen.append(0))
    menu.actions()[2].trigger()  # below the line for any time
    assert chosen[0] > FRIDAY.timestamp() * 1000
    menu.actions()[-1].trigger()
    assert chosen[1:] == [0]


def test_a_weekend_later_is_the_next_one() -> None:
    named = {moment.day: words for words, moment in usual_times(FRIDAY)}
    assert named[21] == "This weekend" or named[21] == "Tomorrow morning"
    later = {words: moment.day for words, moment in usual_times(FRIDAY + timedelta(days=1))}
    assert later["Next weekend"] == 28 and "This weekend" not in later


def test_return_is_the_answer_and_cancel_gives_the_keyboard_back(qtbot: QtBot) -> None:
    closed: list[bool] = []
    bar, chosen = SendLaterBar(lambda: closed.append(True)), list[int]()
    qtbot.addWidget(bar)
    bar.chosen.connect(chosen.append)
    bar.ask(FRIDAY)
    press("Up", on=bar.field)
    at = bar.field.dateTime().toMSecsSinceEpoch()
    press("Return", on=bar.field)
    assert (chosen, bar.isHidden(), closed) == ([at], True, [])
    bar.ask(FRIDAY)
    (cancel,) = [one for one in bar.findChildren(QPushButton) if one.text() == "Cancel"]
    press("Space", on=cancel)
    assert (chosen, bar.isHidden(), closed) == ([at], True, [True])


def test_a_page_that_has_gone_meanwhile_is_not_asked_on(qtbot: QtBot) -> None:
    """The times were still open when its letter had left; the keyboard went into a field that could not be seen."""
    page = QWidget()
    qtbot.addWidget(page)
    bar = SendLaterBar(lambda: None)
    column(page).addWidget(bar)
    bar.ask(FRIDAY)
    assert bar.isHidden()
    page.show()
    bar.ask(FRIDAY)
    assert bar.isVisible()
