"""Makers of widgets in the window's roles."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.factory import action_button, action_tool, button, chip, clear, clearable, column, label, set_tone


def test_words_are_plain_text(qtbot: QtBot) -> None:
    made = label("<b>not bold</b> & so on")
    qtbot.addWidget(made)
    made.show()
    assert made.width() >= made.fontMetrics().horizontalAdvance("<b>not bold</b>")


def test_a_tone_changes_what_is_seen(qtbot: QtBot, qapp: QApplication) -> None:
    qapp.setStyleSheet('QLabel[tone="danger"] { color: #ff0000; }')
    made = chip("hello")
    qtbot.addWidget(made)
    made.show()
    before = made.grab().toImage()
    set_tone(made, "danger")
    assert made.grab().toImage() != before
    qapp.setStyleSheet("")


def test_a_button_calls_what_it_was_given(qtbot: QtBot) -> None:
    calls: list[int] = []
    made = button("Go", clicked=lambda: calls.append(1))
    qtbot.addWidget(made)
    made.click()
    assert calls == [1]


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


def test_clearing_leaves_nothing(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    layout = column(host)
    layout.addWidget(label("one"))
    layout.addStretch(1)
    layout.addWidget(label("two"))
    clear(layout)
    assert layout.count() == 0


def test_the_button_that_empties_a_line_has_our_icon(qtbot: QtBot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    drawn = QPixmap(16, 16)
    drawn.fill(Qt.GlobalColor.red)
    clearable(line, QIcon(drawn))
    assert line.isClearButtonEnabled()
    (clear,) = line.findChildren(QAction)
    assert clear.icon().pixmap(16).toImage().pixelColor(8, 8) == Qt.GlobalColor.red
