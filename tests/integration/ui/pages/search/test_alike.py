"""What is alike in meaning comes below what has the words and moves nothing; whatever stands in its way is said."""

import asyncio
import re

import pytest

from app.domain.errors import IndexLost, ModelUnavailable
from app.domain.ids import ThreadId
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
from app.link.frames import LinkClosed
from app.ui.i18n.formatting import number_words
from app.ui.lists.row_painter import LOOK_ROLE
from app.ui.pages.search.page import SearchPage, where_words
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.page_setup import Stage, cut, nameless, until


class Play:
    """The page over a lively mailbox, and conversations to find."""

    def __init__(self, stage: Stage) -> None:
        self.store: LivelyStore = lively_store(stage.data.database)
        self.stage, self.engine = stage, stage.engine
        self.page = SearchPage(stage.context)
        stage.show(self.page)
        reader = stage.context.reader
        self.threads = [ThreadId(one) for one in reader.thread_ids(MailView.ALL)]
        self.mails = {one: reader.messages(one)[-1].id for one in self.threads}

    def found(self, where: MatchPlace, *at: int) -> tuple[FoundMail, ...]:
        return tuple(
            FoundMail(self.threads[one], self.mails[self.threads[one]], (SearchMatch(where, f"passage {one}"),)) for one in at
        )

    async def exact(self, text: str, *at: int) -> None:
        before = self.engine.asked(FindMail)
        self.page.look_for(text)
        await until(lambda: self.engine.asked(FindMail) > before)
        asked = self.engine.asked(FindSimilar)
        self.engine.answer(FoundMails(self.found(MatchPlace.BODY, *at), more=False), FindMail)
        await until(lambda: self.engine.asked(FindSimilar) > asked)

    async def alike(self, *at: int, indexed: int = 40, waiting: int = 0) -> None:
        """Let these be alike."""
        answer = SimilarMails(self.found(MatchPlace.MEANING, *at), SimilarityState.COMPARED, indexed, waiting)
        self.engine.answer(answer, FindSimilar)
        await until(lambda: not self.page._similar.under_way)

    def listed(self) -> list[int]:
        return [self.threads.index(ThreadId(one)) for one in self.page.model.ids]


@pytest.fixture
def play(stage: Stage) -> Play:
    made = Play(stage)
    made.store.db.close()
    return made


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
