"""A menu goes with its page, and is there for one showing only."""

from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.ui.fleeting import FleetingMenu


def test_a_menu_goes_with_its_page(qtbot: QtBot) -> None:
    """What was chosen in it was done to a letter nobody saw, and the keyboard went there."""
    page = QWidget()
    qtbot.addWidget(page)
    page.show()
    menu, chosen = FleetingMenu(page), list[bool]()
    action = menu.addAction("Tomorrow")
    action.triggered.connect(chosen.append)
    menu.popup(QPoint(0, 0))
    qtbot.waitUntil(menu.isVisible)
    page.hide()
    assert not menu.isVisible()
    QCoreApplication.sendPostedEvents(menu, QEvent.Type.DeferredDelete)
    assert not isValid(menu)
    assert chosen == []
