"""The keyboard goes along with the page that is shown."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.build import column
from app.ui.stack import Stack


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
    """The stack and what is on its second page."""
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
    assert empty is not None
    empty.setFocus()
    stack.setCurrentIndex(1)
    assert QApplication.focusWidget() is onward


def test_what_had_it_before_gets_it_again(host: QWidget) -> None:
    stack, _, onward = parts(host)
    stack.setCurrentIndex(1)
    onward.setFocus()
    stack.setCurrentIndex(0)
    stack.setCurrentIndex(1)
    assert QApplication.focusWidget() is onward


def test_it_stays_outside(host: QWidget) -> None:
    stack = parts(host)[0]
    (field,) = host.findChildren(QLineEdit)
    field.setFocus()
    stack.setCurrentIndex(1)
    stack.setCurrentIndex(0)
    assert QApplication.focusWidget() is field
