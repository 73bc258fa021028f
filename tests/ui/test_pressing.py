"""Return presses a button that has the keyboard, in a window as in a dialog; with Ctrl it is somebody else's key."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot

from app.ui.build import button

NONE, CONTROL, PAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.KeypadModifier


@pytest.mark.parametrize(
    ("key", "modifier", "times"),
    [
        (Qt.Key.Key_Return, NONE, 1),
        (Qt.Key.Key_Enter, PAD, 1),
        (Qt.Key.Key_Space, NONE, 1),
        (Qt.Key.Key_Return, CONTROL, 0),
        (Qt.Key.Key_A, NONE, 0),
    ],
)
def test_what_presses_it(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier, times: int) -> None:
    pressed: list[int] = []
    made = button("Start", "primary", lambda: pressed.append(1))
    qtbot.addWidget(made)
    made.show()
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(made, QKeyEvent(kind, key, modifier))
    assert len(pressed) == times
