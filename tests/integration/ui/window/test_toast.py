"""A notice hides nothing that is needed: the chosen row, buttons, the line that is typed; it can be put away by key and mouse.

Notices: newest wins, one action once, gone by themselves, never in the way of the keyboard.
"""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.window.keyboard import press

SIZE, ROOM = QSize(300, 50), QRect(0, 0, 1000, 600)
LONG = "The language model does not answer. Check its settings; drafting goes on without it. The server says: connection refused."


def covered(window: MainWindow, toast: Toast) -> list[str]:
    here, page = toast.geometry(), window.mail_page
    found = []
    for one in window.findChildren(QAbstractButton):
        if one.isVisible() and not toast.isAncestorOf(one) and here.intersects(QRect(one.mapTo(window, QPoint()), one.size())):
            found.append(one.accessibleName() or one.text())
    row = page.list.visualRect(page.list.currentIndex())
    if here.intersects(QRect(page.list.viewport().mapTo(window, row.topLeft()), row.size())):
        found.append("the chosen row")
    return found


@pytest.fixture
def toast(window: MainWindow) -> Toast:
    window.activateWindow()
    window.show_page("inbox")
    found = window.findChild(Toast)
    assert found is not None
    return found


def test_no_row_and_no_button_is_hidden(qtbot: QtBot, window: MainWindow, toast: Toast) -> None:
    for size in ((1440, 900), (900, 700)):
        window.resize(*size)
        page = window.mail_page
        toast.dismiss()
        page.list.select_row(page.model.rowCount() - 1)
        toast.tell(LONG, "Undo", lambda: None, for_ms=60_000)
        assert covered(window, toast) == []
        low = toast.geometry()
        while page.list.current_row() and "the chosen row" not in covered(window, toast):
            press("Up", on=page.list)
        qtbot.waitUntil(lambda: covered(window, toast) == [], timeout=30_000)
        assert toast.geometry() != low, "it went out of the way of a row that was chosen later"


def test_escape_and_the_cross_put_it_away(qtbot: QtBot, window: MainWindow, toast: Toast) -> None:
    undone: list[int] = []
    toast.tell(LONG, "Undo", lambda: undone.append(1), for_ms=60_000)
    press("Escape")
    assert toast.isHidden()
    held = QApplication.focusWidget()
    toast.tell(LONG, "Undo", lambda: undone.append(1), for_ms=60_000)
    QTest.mouseClick(toast.cross, Qt.MouseButton.LeftButton)
    assert toast.isHidden()
    assert (undone, QApplication.focusWidget()) == ([], held)


def test_seconds_are_counted_down(qtbot: QtBot, window: MainWindow, toast: Toast) -> None:
    toast.tell(lambda left: f"Sending in {left} s.", "Undo", lambda: None, for_ms=10_000)
    assert toast.words.text() == "Sending in 10 s."
    qtbot.waitUntil(lambda: toast.words.text() == "Sending in 9 s.", timeout=10_000)
    assert toast.accessibleName() == "Sending in 9 s."
    toast.tell("Sent.")
    toast._stay_clear()
    assert toast.words.text() == "Sent."


def test_escape_leaves_a_detail_before_it_closes_a_notice(window: MainWindow, toast: Toast) -> None:
    window.resize(640, 700)
    page = window.mail_page
    press("Return", on=page.list)
    toast.tell(LONG, for_ms=60_000)
    press("Escape")
    assert page.list.isVisible() and not toast.isHidden(), "what it offers is not lost on the way back"
    press("Escape")
    assert toast.isHidden()


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


def test_the_newest_notice_wins_and_goes_away(qtbot: QtBot, host: QWidget) -> None:
    toast = Toast(host)
    toast.tell("first", for_ms=5000)
    toast.tell("second", for_ms=30)
    assert toast.words.text() == "second"
    qtbot.waitUntil(toast.isHidden)


def test_the_action_is_taken_once(host: QWidget) -> None:
    toast, calls = Toast(host), []
    toast.tell("sent", "Undo", lambda: calls.append(1))
    assert not toast.action.isHidden()
    toast.action.click()
    toast.action.click()
    assert calls == [1]
    assert toast.isHidden()


def test_the_key_that_undoes_stands_only_beside_what_takes_back(host: QWidget) -> None:
    offer = QAction(host)
    offer.setShortcut("Ctrl+Z")
    toast = Toast(host, offer)
    toast.tell("sent", "Undo", lambda: None)
    assert toast.action.text().endswith("Ctrl+Z")
    toast.tell("read", "Show", lambda: None, leads=True)
    assert toast.action.text() == "Show"


def test_the_keyboard_stays_where_it_was(qtbot: QtBot, host: QWidget) -> None:
    _before, line = QLineEdit(host), QLineEdit(host)  # where Qt would go is not where it was
    for one in host.findChildren(QLineEdit):
        one.show()
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    line.setFocus()
    toast, calls = Toast(host), []
    toast.tell("hello", "Undo", lambda: calls.append(1))
    assert line.hasFocus()
    qtbot.mouseClick(toast.action, Qt.MouseButton.LeftButton)
    assert calls == [1]
    assert line.hasFocus()


@pytest.mark.parametrize("width", [1200, 460])
@pytest.mark.parametrize("action", ["", "Undo"])
@pytest.mark.parametrize("before", ["", "Saved.", LONG])
def test_no_word_is_cut(qtbot: QtBot, host: QWidget, width: int, action: str, before: str) -> None:
    host.resize(width, 500)
    toast = Toast(host)
    if before:
        toast.tell(before)
    for words in ("Saved.", LONG, "Undone. Nothing was sent.", LONG * 2):
        toast.tell(words, action, (lambda: None) if action else None)
        qtbot.waitUntil(toast.isVisible)
        label = toast.words
        toast.layout().activate()
        needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
        assert label.height() >= needed
        assert label.wordWrap() or label.width() >= label.sizeHint().width()
        assert host.rect().contains(toast.geometry())
