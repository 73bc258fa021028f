"""The search page over a real store: results come with their reasons; a newer search takes the older one's place.

Search by meaning as a whole: a real window, the real engine with its model and its Chroma, killed and damaged on the way.

The line that says why a mail was found begins close before what was searched for.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NoReturn

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from app.config.paths import DataFolder
from app.domain.errors import NotAllowed, StoreDamaged
from app.domain.ids import MessageId, ThreadId
from app.domain.protocol.events import EngineReady
from app.domain.protocol.queries import (
    FindMail,
    FindSimilar,
    FoundMail,
    FoundMails,
    MatchPlace,
    SearchMatch,
    SimilarityState,
    SimilarMails,
)
from app.domain.protocol.views import MailView
from app.domain.wire import Event
from app.store.search.search import Search
from app.ui.pages.search.page import SearchPage, where_words, why_line
from app.ui.services.engine_bridge import EngineBridge
from app.ui.startup.application import WindowOptions
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.page_setup import Stage, cut, nameless, until
from fakes.window.ready_window import engine_window


class Play:
    """The page over a lively mailbox, and the engine's answers to its searches."""

    def __init__(self, stage: Stage) -> None:
        self.store, self.engine, self.reader = lively_store(stage.data.database), stage.engine, stage.context.reader
        self.page = SearchPage(stage.context)
        stage.show(self.page)
        self._answers = 0

    async def answer(self, found: Sequence[FoundMail]) -> None:
        await self.asked()
        self.engine.answer(FoundMails(tuple(found), more=False), FindMail)
        await asyncio.sleep(0.02)

    async def asked(self) -> None:
        """Waits for the next search."""
        self._answers += 1
        await until(lambda: self.engine.asked(FindMail) >= self._answers)

    async def find(self, text: str, most: int = 10) -> Sequence[FoundMail]:
        self.page.look_for(text)
        search = Search(self.store.db, self.store.clock)
        found = search.find(text, most).mails
        search.close()
        await self.answer(found)
        await until(lambda: 0 < self.page.model.rowCount() == len(found))
        return found


@pytest.fixture
def play(stage: Stage) -> Iterator[Play]:
    made = Play(stage)
    yield made
    made.store.db.close()


async def test_results_say_why(play: Play, stage: Stage) -> None:
    page = play.page
    page.look_for("order")
    found = await play.find("scratch")
    assert play.engine.queries[-1] != FindMail("order")
    look = page.model.record(0)
    assert look is not None
    assert [one.text for one in look.chips[:2]] == ["Inbox", where_words(MatchPlace.SUBJECT)]
    assert look.snippet[slice(*look.found)].lower() == "scratch"
    assert page.reading.thread_id == found[0].thread_id
    assert not nameless(page)
    assert not cut(page)
    page.list.opened.emit(page.model.id_at(0))
    assert ("message", found[0].message_id) in stage.neighbours.went


@pytest.mark.parametrize(("text", "chips"), [("in:inbox", ["Inbox"]), ("is:unread", ["Inbox", "unread"])])
async def test_a_label_of_gmail_as_a_reason_is_said_once_and_in_words(play: Play, text: str, chips: list[str]) -> None:
    await play.find(text)
    look = play.page.model.record(0)
    assert look is not None
    assert [one.text for one in look.chips] == chips
    assert look.snippet not in ("", "INBOX", "UNREAD")


async def test_new_mail_moves_neither_the_list_nor_the_reading(play: Play) -> None:
    page = play.page
    page.resize(1000, 420)
    threads = [ThreadId(one) for one in play.reader.thread_ids(MailView.ALL)]
    found = [FoundMail(one, play.reader.messages(one)[-1].id, ()) for one in threads]
    assert len(found) > 5
    page.look_for("the")
    await play.answer(found[1:])
    await until(lambda: page.model.rowCount() == len(found) - 1)
    page.list.select_row(1)
    page.list.verticalScrollBar().setValue(3 * page.list.row_height)
    top = page.model.id_at(page.list.top()[0])
    page.refresh()
    await play.answer(found)
    await until(lambda: page.model.rowCount() == len(found) and page.model.id_at(page.list.top()[0]) == top)
    assert page.reading.thread_id == found[2].thread_id
    read = page.reading.thread_id
    page.refresh()
    await play.answer([*found[:2], *found[3:]])  # read under is:unread, it is found no more
    assert page.reading.thread_id == read
    assert page.model.id_at(page.list.current_row()) == read
    await until(lambda: page.model.id_at(page.list.top()[0]) == top)


async def test_nothing_found_trouble_and_nothing_typed(play: Play) -> None:
    page = play.page
    assert "Search your mail" in page.state.accessibleName()
    page.look_for("zebra")
    await play.answer(())
    await until(lambda: play.engine.asked(FindSimilar) == 1)
    assert "Searching" in page.state.accessibleName(), "what is alike in meaning may still come"
    play.engine.answer(SimilarMails((), SimilarityState.COMPARED, 9), FindSimilar)
    await until(lambda: "Nothing found" in page.state.accessibleName())
    assert not page.reading.isVisible(), "nothing is there to be chosen, so nothing asks to choose"
    page.look_for("is:purple")
    await play.asked()
    play.engine.refuse(NotAllowed("is: knows no purple.", "Write is:unread."), FindMail)
    await until(lambda: "Search failed" in page.state.accessibleName())
    page.look_for("")
    await asyncio.sleep(0)
    assert "Search your mail" in page.state.accessibleName()


@pytest.mark.expects_warnings
@pytest.mark.parametrize("again", [False, True])
async def test_an_answer_over_a_damaged_file_is_told(play: Play, again: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the engine's, what is shown of it the file's: neither the first list nor a later one ends in a fault."""
    page = play.page

    def damaged() -> NoReturn:
        raise StoreDamaged("bad page")

    thread = ThreadId(play.reader.thread_ids(MailView.ALL)[0])
    found = await play.find("order", 3) if again else [FoundMail(thread, play.reader.messages(thread)[-1].id, ())]
    monkeypatch.setattr(play.reader, "reading", damaged)
    page.refresh() if again else page.look_for("order")
    await play.answer(found)
    await until(lambda: "damaged" in page.fault)


def test_an_operator_is_one_click(play: Play) -> None:
    play.page.line.setText("order")
    next(one for one in play.page.findChildren(QPushButton) if one.text() == "from:").click()
    assert play.page.line.text() == "order from:"
    assert not play.engine.queries


SETTINGS = "[sync]\npoll_s = 300\n[sending]\nundo_s = 300\n"
WORDS = "when will my parcel arrive"
PATIENCE_S = 120


def alike(page: SearchPage) -> list[int]:
    """Conversations listed for their meaning."""
    return [key for key, found in page._found.items() if any(one.where is MatchPlace.MEANING for one in found.why)]


async def until_by_meaning(holds: Callable[[], object], page: SearchPage) -> None:
    """Wait long: the engine imports, loads and indexes."""
    for _ in range(PATIENCE_S * 20):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never happened; {page.note.text()!r}, {page.state.accessibleName()!r}")


async def everything_indexed(page: SearchPage) -> None:
    """The answer counts all mail, and some is alike."""
    await until_by_meaning(lambda: page._similar._answer is not None and not page._similar._answer.waiting and alike(page), page)


async def scenario(window: MainWindow, bridge: EngineBridge, data: DataFolder, store: LivelyStore) -> None:
    page = window.search_page
    window.show_page("search")
    told: list[Event] = []
    bridge.subscribe(told.append)
    bridge.start()
    await until_by_meaning(lambda: any(isinstance(one, EngineReady) for one in told), page)
    page.look_for(WORDS)
    await everything_indexed(page)
    assert int(store.mails["m03"].thread_id) in alike(page)[:3], "it asks when an order arrives"
    page.look_for(f"{WORDS} from:lee")
    await until_by_meaning(lambda: page._answered.endswith("lee") and not page._similar.under_way, page)
    assert int(store.mails["m03"].thread_id) not in alike(page), "operators hold"
    page.look_for("from:ana")
    await until_by_meaning(lambda: page._answered == "from:ana" and not page._similar.under_way, page)
    assert page._found
    assert not alike(page)
    assert not page.note.text()
    page.look_for(WORDS)
    await until_by_meaning(lambda: alike(page), page)
    os.kill(bridge.pid, signal.SIGKILL)
    await until_by_meaning(lambda: not bridge.pid, page)
    (data.chroma / "chroma.sqlite3").write_bytes(b"garbage" * 2000)
    page.refresh()
    await until_by_meaning(lambda: "Search failed" in page.state.accessibleName(), page)
    await everything_indexed(page)
    assert int(store.mails["m03"].thread_id) in alike(page)[:3], "the index was built anew, and the page asked again by itself"


def test_a_window_an_engine_and_its_index(qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    store.db.close()
    data.settings.write_text(SETTINGS)
    options = WindowOptions(page="search", open_link=lambda address: None, clock=lambda: datetime.now(UTC))
    with engine_window(qapp, data, options) as opened:
        opened.loop.run_until_complete(scenario(opened.window, opened.bridge, data, store))


LINE = SearchMatch(MatchPlace.BODY, "…Mia, when will order 4411 arrive?", 16, 21)


@pytest.mark.parametrize(
    ("others", "line"),
    [
        ((), "…Mia, when will order 4411 arrive?"),
        ((SearchMatch(MatchPlace.SUBJECT, "Order", 0, 5),), "…will order 4411 arrive?"),
    ],
)
def test_beside_several_chips_the_line_begins_later(others: tuple[SearchMatch, ...], line: str) -> None:
    match = why_line(FoundMail(ThreadId(1), MessageId(2), (*others, LINE)))
    assert match is not None and (match.text, match.text[match.start : match.end]) == (line, "order")
