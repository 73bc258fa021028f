"""What of a page comes back: what is read, what waits, and what is never lost for it.

An area comes back to where it was scrolled, whenever its contents come.
"""

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.ui.session.restorable_parts import RestorableParts, ScrollPosition
from app.ui.session.session_store import SavedPosition


class Line(QObject):
    """A part that can be put back while it is `ready`."""

    typed = Signal(str)

    def __init__(self, ready: bool = True) -> None:
        super().__init__()
        self.ready, self.words = ready, ""

    def read(self) -> SavedPosition:
        """Nothing typed is nothing kept."""
        return {"words": self.words} if self.words else {}

    def put_back(self, spot: SavedPosition) -> bool:
        """Only when ready."""
        if self.ready:
            self.words = str(spot["words"])
        return self.ready


def made(line: Line, place: SavedPosition | None = None, *, fleeting: bool = False) -> RestorableParts:
    """A page's parts: one line."""
    parts = RestorableParts(line)
    parts.add("line", line.read, line.put_back, line.typed, fleeting=fleeting)
    parts.begin_at(place or {})
    return parts


def place_with(words: str) -> SavedPosition:
    """As the last window left it."""
    line = Line()
    line.words = words
    return made(line).place()


def test_a_part_comes_back_at_once_or_when_its_time_comes() -> None:
    line = Line()
    parts = made(line, place_with("half a"))
    assert (line.words, parts.waits("line")) == ("half a", False)
    late = Line(ready=False)
    parts = made(late, place_with("half a"))
    assert (late.words, parts.waits("line")) == ("", True)
    assert parts.place() == place_with("half a"), "what waits is written on"
    late.ready = True
    parts.retry()
    assert (late.words, parts.waits("line")) == ("half a", False)


def test_a_part_that_is_made_later_finds_what_waits_for_it() -> None:
    line = Line()
    parts = RestorableParts(line)
    parts.begin_at(place_with("half a"))
    parts.add("line", line.read, line.put_back)
    assert line.words == "half a"


@pytest.mark.parametrize("fleeting", [False, True])
def test_words_that_wait_outlive_other_words_and_a_scroll_place_does_not(fleeting: bool) -> None:
    line = Line(ready=False)
    parts = made(line, place_with("old"), fleeting=fleeting)
    line.words = "new"
    kept = str(parts.place()["line"])
    assert "new" in kept
    assert ("old" in kept) is not fleeting


def test_a_change_is_told_and_what_waits_goes_with_the_account() -> None:
    line, told = Line(ready=False), []
    parts = made(line, place_with("old"))
    parts.moved.connect(lambda: told.append(1))
    line.typed.emit("x")
    assert told
    parts.forget()
    assert parts.place() == {}


@pytest.mark.parametrize("text", ["", "{", "3", "[3, null]", '[{"words": [1]}]', 7])
def test_what_is_not_ours_counts_as_nothing(text: str | int) -> None:
    line = Line(ready=False)
    parts = made(line, {"line": text})
    assert "old" not in str(parts.place())


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
    place = ScrollPosition(made)
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
    place = ScrollPosition(made)
    place.go(300)
    qtbot.waitUntil(lambda: made.verticalScrollBar().value() == 300, timeout=30_000)
    with qtbot.waitSignal(place.moved, timeout=30_000):
        made.verticalScrollBar().setValue(120)
    inside.setFixedSize(100, 1400)
    qtbot.waitUntil(lambda: made.verticalScrollBar().maximum() > 1000, timeout=30_000)
    assert (made.verticalScrollBar().value(), place.at) == (120, 120)
