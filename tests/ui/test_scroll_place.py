"""An area comes back to where it was scrolled, whenever its contents come."""

from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.ui.scroll_place import ScrollPlace


def area(qtbot: QtBot) -> tuple[QScrollArea, QWidget]:
    """On screen, with little in it."""
    made, inside = QScrollArea(), QWidget()
    qtbot.addWidget(made)
    made.resize(200, 200)
    inside.setFixedSize(100, 100)
    made.setWidget(inside)
    made.show()
    return made, inside


def test_it_waits_for_contents_and_follows_their_height(qtbot: QtBot) -> None:
    made, inside = area(qtbot)
    place = ScrollPlace(made)
    place.go(300)
    assert (made.verticalScrollBar().value(), place.at) == (0, 300)
    inside.setFixedSize(100, 400)
    qtbot.waitUntil(lambda: made.verticalScrollBar().value() > 100, timeout=30_000)
    assert place.at == 300
    inside.setFixedSize(100, 1000)
    qtbot.waitUntil(lambda: made.verticalScrollBar().value() == 300, timeout=30_000)


def test_who_scrolls_has_the_last_word(qtbot: QtBot) -> None:
    made, inside = area(qtbot)
    inside.setFixedSize(100, 1000)
    place = ScrollPlace(made)
    place.go(300)
    qtbot.waitUntil(lambda: made.verticalScrollBar().value() == 300, timeout=30_000)
    with qtbot.waitSignal(place.moved, timeout=30_000):
        made.verticalScrollBar().setValue(120)
    inside.setFixedSize(100, 1400)
    qtbot.waitUntil(lambda: made.verticalScrollBar().maximum() > 1000, timeout=30_000)
    assert (made.verticalScrollBar().value(), place.at) == (120, 120)
