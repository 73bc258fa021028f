"""A dialog tells its page when it is shown, typed into and put away; what it is for survives as words."""

from pytestqt.qtbot import QtBot

from app.domain.ids import ThreadId
from app.ui.page import Page
from app.ui.returning_dialog import ReturningDialog, for_threads, keep_dialogs, threads_of
from app.ui.whereabouts import Spot
from fakes.page_stage import Stage


class Asking(ReturningDialog):
    """With one word in it."""

    word = ""

    def typed(self) -> Spot:
        """The word."""
        return {"word": self.word}

    def type_again(self, typed: Spot) -> None:
        """The word of before."""
        self.word = str(typed["word"])


def test_it_comes_back_once_its_page_is_seen(qtbot: QtBot, lively_stage: Stage) -> None:
    page = Page(lively_stage.context, "any", "Any")
    opened: list[Asking] = []

    def reopen(place: Spot) -> Asking:
        opened.append(Asking(page))
        opened[-1].again = {"kind": place["kind"]}
        opened[-1].open()
        return opened[-1]

    keep_dialogs(page, reopen)
    place: Spot = {"dialog": '[{"kind": "x", "word": "half"}]'}
    page.parts.begin_at(place)
    assert not opened
    with qtbot.waitSignal(page.parts.moved, timeout=30_000):
        lively_stage.show(page)
    assert (opened[0].word, page.parts.place()) == ("half", place)
    with qtbot.waitSignal(page.parts.moved, timeout=30_000):
        opened[0].close()
    assert page.parts.place() == {}


def test_threads_as_words() -> None:
    threads = [ThreadId(3), ThreadId(14)]
    assert threads_of(for_threads("label", threads)) == threads
    assert threads_of({"threads": "3 x -1"}) == [3]
