"""What of a page comes back: what is read, what waits, and what is never lost for it."""

import pytest
from PySide6.QtCore import QObject, Signal

from app.ui.parts import Parts
from app.ui.whereabouts import Spot


class Line(QObject):
    """A part that can be put back while it is `ready`."""

    typed = Signal(str)

    def __init__(self, ready: bool = True) -> None:
        super().__init__()
        self.ready, self.words = ready, ""

    def read(self) -> Spot:
        """Nothing typed is nothing kept."""
        return {"words": self.words} if self.words else {}

    def put_back(self, spot: Spot) -> bool:
        """Only when ready."""
        if self.ready:
            self.words = str(spot["words"])
        return self.ready


def made(line: Line, place: Spot | None = None, *, fleeting: bool = False) -> Parts:
    """A page's parts: one line."""
    parts = Parts(line)
    parts.add("line", line.read, line.put_back, line.typed, fleeting=fleeting)
    parts.begin_at(place or {})
    return parts


def place_with(words: str) -> Spot:
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
    parts = Parts(line)
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
