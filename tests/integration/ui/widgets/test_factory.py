"""Makers of widgets in the window's roles."""

from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.widgets.factory import action_button, action_tool


def test_buttons_of_actions_follow_them(qtbot: QtBot, qapp: QApplication) -> None:
    action, calls = QAction("Send", qapp), []
    action.setShortcut("Ctrl+Return")
    action.triggered.connect(lambda: calls.append(1))
    words, flat = action_button(action), action_tool(action)
    qtbot.addWidget(words)
    qtbot.addWidget(flat)
    words.click()
    flat.click()
    assert calls == [1, 1]
    assert "Ctrl+Return" in words.toolTip()
    action.setText("Stop")
    action.setEnabled(False)
    pixmap = QPixmap(8, 8)
    pixmap.fill()
    action.setIcon(QIcon(pixmap))
    assert words.text() == "Stop"
    assert flat.accessibleName() == "Stop"
    assert not words.isEnabled()
    assert not flat.isEnabled()
    assert not flat.icon().isNull()
