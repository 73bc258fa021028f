"""A pane that scrolls: never cut at the sides, as low as may be, and what the keyboard reaches comes into view."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.scrolled import LOWEST, Scrolled


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
