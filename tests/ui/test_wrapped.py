"""Small widgets stand on one line where they fit, and on more where they do not; none is cut, and none lies on another."""

from itertools import combinations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.wrapped import Wrapped

NAMES = ("is:unread", "has:attachment", "newer_than:7d", "in:sent", "from:", "subject:")


def lines(made: Wrapped) -> int:
    return len({one.y() for one in made.findChildren(QPushButton)})


@pytest.mark.parametrize("mirrored", [False, True])
def test_as_many_lines_as_it_takes(qtbot: QtBot, mirrored: bool) -> None:
    host, made = QWidget(), Wrapped([QPushButton(name) for name in NAMES])
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


def test_what_is_hidden_takes_no_room(qtbot: QtBot) -> None:
    made = Wrapped([QPushButton(name) for name in NAMES])
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    made.show()
    first, second, *_ = made.findChildren(QPushButton)
    whole = made.sizeHint().width()
    first.hide()
    qtbot.waitUntil(lambda: second.x() == 0)
    assert made.sizeHint().width() < whole
    first.show()
    qtbot.waitUntil(lambda: second.x() > first.x() == 0)
