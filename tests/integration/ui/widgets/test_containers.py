"""A pane that scrolls: never cut at the sides, as low as may be, and what the keyboard reaches comes into view.

Small widgets stand on one line where they fit, and on more where they do not; none is cut, and none lies on another.

A stack is as high as what it shows.
"""

from itertools import combinations

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.containers import LOWEST, FittedStack, FlowRow, Scrolled
from app.ui.widgets.factory import column
from fakes.window.keyboard import press


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
        press("Tab", on=host.focusWidget() or host)
    assert buttons[-1].hasFocus()
    shown = pane.viewport().rect()
    assert shown.contains(buttons[-1].mapTo(pane.viewport(), buttons[-1].rect().center()))


NAMES = ("is:unread", "has:attachment", "newer_than:7d", "in:sent", "from:", "subject:")


def lines(made: FlowRow) -> int:
    return len({one.y() for one in made.findChildren(QPushButton)})


@pytest.mark.parametrize("mirrored", [False, True])
def test_as_many_lines_as_it_takes(qtbot: QtBot, mirrored: bool) -> None:
    host, made = QWidget(), FlowRow([QPushButton(name) for name in NAMES])
    host.setLayoutDirection(Qt.LayoutDirection.RightToLeft if mirrored else Qt.LayoutDirection.LeftToRight)
    layout = QVBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made)
    layout.addStretch(1)
    qtbot.addWidget(host)
    whole = made.sizeHint().width()
    host.resize(whole, 400)
    host.show()
    assert lines(made) == 1
    assert (made.findChildren(QPushButton)[0].geometry().right() == whole - 1) is mirrored, "one reads from that side"
    for width in (whole - 1, whole // 2, made.minimumSizeHint().width()):
        host.resize(width, 400)
        QApplication.sendPostedEvents()
        assert made.width() == width
        assert lines(made) > 1
        assert made.height() == made.heightForWidth(width)
        places = [one.geometry() for one in made.findChildren(QPushButton)]
        assert all(made.rect().contains(place) for place in places)
        assert not any(one.intersects(other) for one, other in combinations(places, 2))
    assert lines(made) == len(NAMES)


def test_what_holds_it_is_as_high_as_the_page_on_show(qtbot: QtBot) -> None:
    """A layout around it asks for the height at a width in a way of its own."""
    host, stack = QWidget(), FittedStack()
    qtbot.addWidget(host)
    column(host).addWidget(stack)
    low, high = QWidget(), QWidget()
    for page, words in ((low, "two words"), (high, "words " * 2000)):
        folded = QLabel(words)
        folded.setWordWrap(True)
        column(page).addWidget(folded)
        stack.addWidget(page)
    assert host.heightForWidth(300) == low.heightForWidth(300) < high.heightForWidth(300)
    stack.setCurrentIndex(1)
    assert host.heightForWidth(300) == high.heightForWidth(300)
