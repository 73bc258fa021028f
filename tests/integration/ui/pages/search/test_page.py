"""The search page over a real store: results come with their reasons; a newer search takes the older one's place.

Search by meaning as a whole: a real window, the real engine with its model and its Chroma, killed and damaged on the way.

The line that says why a mail was found begins close before what was searched for.
"""

import asyncio
import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NoReturn

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from app.config.paths import DataFolder
from app.domain.errors import IndexLost, ModelUnavailable, NotAllowed, StoreDamaged
from app.domain.ids import MessageId, ThreadId
from app.domain.protocol.events import EngineReady, IndexProgress, SettingsChanged
from app.domain.protocol.queries import (
    FindMail,
    FindPassage,
    FindSimilar,
    FoundMail,
    FoundMails,
    FoundPassage,
    MatchPlace,
    SearchMatch,
    SimilarityState,
    SimilarMails,
)
from app.domain.protocol.views import MailView
from app.domain.wire import Event
from app.link.frames import LinkClosed
from app.store.search.search import Search
from app.ui.i18n.formatting import number_words
from app.ui.lists.row_painter import LOOK_ROLE
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
        self.threads = [ThreadId(one) for one in self.reader.thread_ids(MailView.ALL)]

    def found(self, where: MatchPlace, *at: int) -> tuple[FoundMail, ...]:
        mails = ((self.threads[one], self.reader.messages(self.threads[one])[-1].id, one) for one in at)
        return tuple(FoundMail(thread, mail, (SearchMatch(where, f"passage {one}"),)) for thread, mail, one in mails)

    async def exact(self, text: str, *at: int) -> None:
        before = self.engine.asked(FindMail)
        self.page.look_for(text)
        await until(lambda: self.engine.asked(FindMail) > before)
        asked = self.engine.asked(FindSimilar)
        self.engine.answer(FoundMails(self.found(MatchPlace.BODY, *at), more=False), FindMail)
        await until(lambda: self.engine.asked(FindSimilar) > asked)

    async def alike(self, *at: int, indexed: int = 40, waiting: int = 0) -> None:
        """Lets these be alike."""
        answer = SimilarMails(self.found(MatchPlace.MEANING, *at), SimilarityState.COMPARED, indexed, waiting)
        self.engine.answer(answer, FindSimilar)
        await until(lambda: not self.page._similar.under_way)

    def listed(self) -> list[int]:
        return [self.threads.index(ThreadId(one)) for one in self.page.model.ids]

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


async def test_passages_are_asked_for_rows_in_view_only(play: Play) -> None:
    page, engine = play.page, play.engine
    page.list.setMaximumHeight(100)
    await play.exact("order", 0, 1, 2, 3, 4, 5)
    await play.alike(6, 7)
    await asyncio.sleep(0.1)
    assert not engine.asked(FindPassage)
    page.list.scrollToBottom()
    await until(lambda: engine.asked(FindPassage))
    engine.answer(FoundPassage("the nearest words"), FindPassage)
    await until(lambda: any(one.text == "the nearest words" for mail in page._similar.mails for one in mail.why))


async def test_it_comes_below_says_why_and_moves_nothing(play: Play) -> None:
    page, engine = play.page, play.engine
    await play.exact("order", 2, 0)
    assert FindSimilar("order", (play.threads[2], play.threads[0])) in engine.queries
    page.list.select_row(1)
    top, read = page.list.top(), page.reading.thread_id
    await play.alike(4, 2, 5)
    assert play.listed() == [2, 0, 4, 5], "what has the words stands once, with them"
    assert (page.list.current_row(), page.list.top(), page.reading.thread_id) == (1, top, read)
    look = page.model.index(2, 0).data(LOOK_ROLE)
    assert look.chips[-1].text == where_words(MatchPlace.MEANING)
    assert look.snippet == "passage 4"
    assert where_words(MatchPlace.MEANING) in look.spoken
    assert "passage 4" in look.spoken
    assert page.model.index(0, 0).data(LOOK_ROLE).chips[-1].tone == "accent" != look.chips[-1].tone
    assert page.note.text() == "3 related emails below."
    assert not nameless(page)
    await until(lambda: not cut(page))


async def test_typing_on_withdraws_the_question(play: Play) -> None:
    page, engine = play.page, play.engine
    await play.exact("ord", 0)
    await play.exact("order", 1)
    assert FindSimilar("ord", (play.threads[0],)) in engine.withdrawn
    await play.alike(3)
    assert play.listed() == [1, 3]
    page.look_for("")
    assert (play.listed(), page.note.isVisible()) == ([], False)


async def test_without_the_words_what_is_alike_is_shown_alone(play: Play) -> None:
    page = play.page
    await play.exact("gear that is worn")
    assert "Searching" in page.state.accessibleName()
    await play.alike(3, 1)
    assert play.listed() == [3, 1]
    assert page.reading.thread_id == play.threads[3]
    assert page.note.text() == "No mail has all the words. 2 similar."
    await play.exact("blorf")
    await play.alike()
    assert "Nothing found" in page.state.accessibleName()
    await play.exact("blorf again")
    await play.alike(indexed=20, waiting=20)
    assert "20 of 40" in page.state.accessibleName(), "said where one looks, not at the foot of an empty page"
    assert not page.note.isVisible()
    await play.exact("order", 0)
    await play.alike()
    assert page.note.text() == "No other related emails."


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (SimilarMails((), SimilarityState.NO_WORDS), ""),
        (SimilarMails((), SimilarityState.PAUSED), "while the assistant is paused"),
        (SimilarMails((), SimilarityState.COMPARED, 0, 4113), "Smart search is still being set up: <4113> emails to go."),
        (SimilarMails((), SimilarityState.COMPARED, 0, 0), "Smart search has no emails yet."),
        (SimilarMails((), SimilarityState.COMPARED, 2040, 2073), "Smart search is being set up: <2040> of <4113> emails."),
        (LinkClosed(), "Smart search is restarting"),
        (IndexLost("x"), "was damaged and is being rebuilt"),
        (ModelUnavailable("The package is missing."), "The package is missing."),
    ],
)
async def test_what_stands_in_the_way_is_said(play: Play, answer: SimilarMails | Exception, words: str) -> None:
    page, engine = play.page, play.engine
    await play.exact("order", 0)
    if isinstance(answer, SimilarMails):
        engine.answer(answer, FindSimilar)
    else:
        engine.refuse(answer, FindSimilar)  # type: ignore[arg-type]
    await until(lambda: not page._similar.under_way)
    assert play.listed() == [0], "what has the words is there all the same"
    assert re.sub(r"<(\d+)>", lambda found: number_words(int(found[1])), words) in page.note.text()
    assert page.note.isVisible() == bool(words)
    assert not cut(page)


async def test_it_asks_again_by_itself_once_it_can(play: Play) -> None:
    page, engine = play.page, play.engine

    async def again(tell: object) -> None:
        asked = engine.asked(FindMail), engine.asked(FindSimilar)
        engine.tell(tell)  # type: ignore[arg-type]
        await until(lambda: engine.asked(FindMail) > asked[0])
        engine.answer(FoundMails(play.found(MatchPlace.BODY, 0), more=False), FindMail)
        await until(lambda: engine.asked(FindSimilar) > asked[1])

    await play.exact("order", 0)
    engine.refuse(LinkClosed(), FindSimilar)
    await until(lambda: bool(page.note.text()))
    await again(EngineReady(1.0, ""))
    engine.answer(SimilarMails((), SimilarityState.PAUSED), FindSimilar)
    await until(lambda: "paused" in page.note.text())
    await again(SettingsChanged(""))
    await play.alike(indexed=10, waiting=30)
    engine.tell(IndexProgress(5, 25))
    assert "20 of 40" in page.note.text()
    await again(IndexProgress(25, 25))
    await play.alike(2, indexed=40)
    assert play.listed() == [0, 2]
    assert page.note.text() == "1 related email below."
