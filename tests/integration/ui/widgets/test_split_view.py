"""Where the keyboard is when panes and pages change: always in something on screen, inside the page that is shown.

The keyboard goes along with the page that is shown.

The left side of a page: title and count, tools at the end of their line, rows below over the whole width.
"""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QTextEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.ui.widgets.factory import column, row
from app.ui.widgets.split_view import ListAndDetail, Stack, first_control, listing
from app.ui.window.main_window import MainWindow

PAGES = (
    "activity",
    "review",
    "assistant",
    "inbox",
    "memory",
    "waiting",
    "templates",
    "outbox",
    "drafts",
    "settings",
    "shortcuts",
    "search",
)


def held(window: MainWindow) -> QWidget:
    """What has the keyboard; it can be seen and is named."""
    found = QApplication.focusWidget()
    assert found.isVisible(), found
    assert found.accessibleName() or found.property("text"), found
    return found


@pytest.mark.parametrize("width", [640, 1280])
def test_the_keyboard_is_in_the_page_that_is_shown(window: MainWindow, width: int) -> None:
    window.resize(width, 480)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    for name in (*PAGES, *PAGES[:4]):  # the second time with the detail in front, where there is one
        window.search.setFocus()
        window.show_page(name)
        page = window.page("mail" if name == "inbox" else name)
        assert page is held(window) or page.isAncestorOf(held(window)), name
        for panes in filter(None, (getattr(page, "_panes", None), getattr(page, "panes", None))):
            panes.show_detail()
            assert page.isAncestorOf(held(window)) or page is held(window), name
            if name == "search":
                continue  # back leads to the search field of the window
            assert page.go_back() == (width == 640) or name == "review"
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


@pytest.mark.parametrize("width", [500, 1000])
def test_an_empty_list_says_so_below_its_heading(qtbot: QtBot, tmp_path: Path, width: int) -> None:
    rows, detail = QTextEdit(), QTextEdit()
    left = listing("Things", rows)
    panes = ListAndDetail(left, detail, QSettings(str(tmp_path / "state.ini"), QSettings.Format.IniFormat), "things")
    qtbot.addWidget(panes)
    panes.resize(width, 600)
    panes.show()
    before, beside = left.size(), detail.isVisible()
    rows.setFocus()
    panes.show_empty(rows, True)
    qtbot.waitUntil(lambda: left.height() < 80, timeout=30_000)
    assert (left.width(), detail.width()) == (width, width)
    assert left.isVisible() and detail.isVisible()
    assert panes.focusWidget() is rows
    panes.resize(width + 40, 700)
    assert left.height() < 80 and detail.height() > 600
    panes.resize(width, 600)
    panes.show_empty(rows, False)
    qtbot.waitUntil(lambda: left.size() == before, timeout=30_000)
    assert detail.isVisible() == beside == (width == 1000)


def test_a_list_is_as_wide_as_it_was_put_once_the_detail_needs_less(qtbot: QtBot, tmp_path: Path) -> None:
    rows, detail = QWidget(), QWidget()
    panes = ListAndDetail(rows, detail, QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat), "test")
    qtbot.addWidget(panes)
    panes.resize(900, 400)
    panes.show()
    put = rows.width()
    detail.setMinimumWidth(600)
    qtbot.waitUntil(lambda: rows.width() < put)
    detail.setMinimumWidth(100)
    qtbot.waitUntil(lambda: rows.width() == put)
    panes.resize(1400, 400)
    assert rows.width() == put


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    """A window with a field, and a stack of an empty page and one with two buttons."""
    made = QWidget()
    qtbot.addWidget(made)
    inside = column(made)
    inside.addWidget(QLineEdit())
    stack = Stack()
    inside.addWidget(stack)
    content = QWidget()
    buttons = column(content)
    for name in ("back", "next"):
        buttons.addWidget(QPushButton(name, objectName=name))
    stack.addWidget(QWidget())
    stack.addWidget(content)
    made.show()
    made.activateWindow()
    assert QTest.qWaitForWindowActive(made, 30_000)
    return made


def parts(host: QWidget) -> tuple[Stack, QPushButton, QPushButton]:
    back, onward = (host.findChild(QPushButton, name) for name in ("back", "next"))
    assert isinstance(back, QPushButton)
    assert isinstance(onward, QPushButton)
    (stack,) = host.findChildren(Stack)
    return stack, back, onward


def test_what_had_it_before_and_is_hidden_now_does_not_swallow_it(host: QWidget) -> None:
    """The way back to a list, which a wide window does not show: nothing had the keyboard once a mail came."""
    stack, back, onward = parts(host)
    stack.setCurrentIndex(1)
    back.setFocus()
    stack.setCurrentIndex(0)
    back.hide()
    empty = stack.currentWidget()
    empty.setFocus()
    stack.setCurrentIndex(1)
    assert QApplication.focusWidget() is onward
