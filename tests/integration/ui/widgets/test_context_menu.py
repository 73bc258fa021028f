"""A menu goes with its page, and is there for one showing only."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.ui.widgets.factory import row
from app.ui.widgets.menus import PageMenu
from fakes.window.keyboard import press


def test_a_menu_goes_with_its_page(qtbot: QtBot) -> None:
    """What was chosen in it was done to a letter nobody saw, and the keyboard went there."""
    page = QWidget()
    qtbot.addWidget(page)
    page.show()
    menu, chosen = PageMenu(page), list[bool]()
    action = menu.addAction("Tomorrow")
    action.triggered.connect(chosen.append)
    menu.popup(QPoint(0, 0))
    qtbot.waitUntil(menu.isVisible)
    page.hide()
    assert not menu.isVisible()
    QCoreApplication.sendPostedEvents(menu, QEvent.Type.DeferredDelete)
    assert not isValid(menu)
    assert chosen == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_what_had_the_keyboard_goes_while_a_menu_is_open(qtbot: QtBot, key: Qt.Key) -> None:
    """The way back to a list, which a window that is made wide hides: the menu took the keyboard along when it was deleted."""
    page = QWidget()
    qtbot.addWidget(page)
    across = row(page)
    going, staying = QPushButton("Back"), QPushButton("Archive")
    across.addWidget(going)
    across.addWidget(staying)
    page.show()
    page.activateWindow()
    assert QTest.qWaitForWindowActive(page, 30_000)
    going.setFocus()
    menu = PageMenu(page)
    menu.addAction("Tomorrow")
    menu.popup(QPoint(0, 0))
    press("Down", on=menu)
    assert QApplication.focusWidget() is menu
    going.hide()
    QTest.keyClick(menu, key)
    QCoreApplication.sendPostedEvents(menu, QEvent.Type.DeferredDelete)
    assert QApplication.focusWidget() is staying
