"""Where the keyboard is when panes and pages change: always in something on screen, inside the page that is shown."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QTextEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.ui.build import row
from app.ui.main_window import MainWindow
from app.ui.panes import first_control

PAGES = ("activity", "review", "inbox", "memory", "waiting", "templates", "outbox", "drafts", "settings", "shortcuts", "search")


def held(window: MainWindow) -> QWidget:
    """What has the keyboard; it can be seen and is named."""
    found = QApplication.focusWidget()
    assert found is not None
    assert found.isVisible(), found
    assert found.accessibleName() or found.property("text"), found
    return found


@pytest.mark.parametrize("width", [640, 1280])
def test_the_keyboard_is_in_the_page_that_is_shown(window: MainWindow, width: int) -> None:
    window.resize(width, 480)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    for name in (*PAGES, *PAGES[:4]):  # the second time with the detail in front, where there is one
        window.search.setFocus()
        window.show_page(name)
        page = window.page("mail" if name == "inbox" else name)
        assert page is held(window) or page.isAncestorOf(held(window)), name
        for panes in filter(None, (getattr(page, "_panes", None), getattr(page, "panes", None))):
            panes.show_detail()
            assert page.isAncestorOf(held(window)) or page is held(window), name
            assert page.go_back() == (width == 640 and name != "review") or name == "review"
            assert page.isAncestorOf(held(window)) or page is held(window), name
            panes.show_detail()


def test_a_control_that_goes_takes_no_other_with_it(qtbot: QtBot) -> None:
    """Once the first control of a pane had been looked for, one deleted button made every scroll bar of the window unusable."""
    host = QWidget()
    qtbot.addWidget(host)
    across = row(host)
    pane, editor = QWidget(), QTextEdit()
    across.addWidget(pane)
    across.addWidget(editor)
    inside = row(pane)
    off, going = QPushButton("off"), QPushButton("going")
    off.setEnabled(False)
    inside.addWidget(off)
    inside.addWidget(going)
    host.show()
    bar = editor.verticalScrollBar()
    assert first_control(pane) is going
    going.setEnabled(False)
    assert first_control(pane) is pane
    going.deleteLater()
    QCoreApplication.sendPostedEvents(going, QEvent.Type.DeferredDelete)
    assert not isValid(going)
    assert bar.value() == 0


def test_an_empty_list_stands_alone(window: MainWindow) -> None:
    """Nothing asks to choose where there is nothing to choose."""
    window.show_page("spam")
    mail = window.mail_page
    assert not mail.model.rowCount()
    assert not mail.reading.isVisible()
    window.show_page("inbox")
    assert mail.model.rowCount()
    assert mail.reading.isVisible()
