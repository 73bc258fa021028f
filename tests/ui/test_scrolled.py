"""A pane that scrolls: never cut at the sides, as low as may be, and what the keyboard reaches comes into view."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.build import label
from app.ui.scale import Space
from app.ui.scrolled import LOWEST, Flowing, Scrolled


def test_it_is_wide_enough_and_follows_the_keyboard(qtbot: QtBot) -> None:
    inside = QWidget()
    lines = QVBoxLayout(inside)
    buttons = [QPushButton(f"A button with many words on it, number {number}") for number in range(20)]
    for one in buttons:
        lines.addWidget(one)
    host = QWidget()
    qtbot.addWidget(host)
    pane = Scrolled(inside)
    QVBoxLayout(host).addWidget(pane)
    assert pane.minimumSizeHint().height() == LOWEST
    with qtbot.waitExposed(host, timeout=30_000):
        host.show()
    host.resize(10, 160)
    QCoreApplication.sendPostedEvents()
    assert pane.viewport().width() >= inside.minimumSizeHint().width()
    assert pane.focusPolicy() is Qt.FocusPolicy.NoFocus
    buttons[0].setFocus()
    qtbot.waitUntil(buttons[0].hasFocus, timeout=30_000)
    for _ in range(len(buttons) - 1):
        QTest.keyClick(host.focusWidget() or host, Qt.Key.Key_Tab)
    assert buttons[-1].hasFocus()
    shown = pane.viewport().rect()
    assert shown.contains(buttons[-1].mapTo(pane.viewport(), buttons[-1].rect().center()))


def test_words_that_fit_do_not_scroll(qtbot: QtBot) -> None:
    """As high as the words are at the width they have, and no higher; what does not fit can be reached."""
    inside = Flowing()
    lines = QVBoxLayout(inside)
    for _ in range(12):
        words = label(wrap=True)
        words.setText("Words that are long enough to be broken when there is not much room for them. " * 2)
        lines.addWidget(words)
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    with qtbot.waitExposed(area, timeout=30_000):
        area.show()
    enough = inside.heightForWidth(1500) + Space.HUGE
    assert enough < lines.minimumSize().height()
    area.resize(1600, enough)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0, timeout=30_000)
    area.resize(300, enough)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0, timeout=30_000)
    assert inside.height() >= inside.heightForWidth(inside.width())
