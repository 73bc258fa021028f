"""Search by meaning over a real store, a real Chroma and the real model: what is near, where the operators hold."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.agent.retrieval import NEAR, MiniLm, PassageCache, mail_text, near_enough
from app.config.settings import DraftingSettings, Settings, SyncSettings
from app.domain.errors import IndexLost, ModelUnavailable, NotAllowed
from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.domain.protocol.queries import FindPassage, FindSimilar, FoundPassage, MatchPlace, SimilarityState, SimilarMails
from app.engine.search.indexer import INDEX
from app.engine.search.semantic_search import SemanticModels, SemanticSearch
from app.store.mail.sync_page import SyncPage
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.agent_mailbox import ANN
from fakes.engine.engine_parts import FixedSettings, Parts
from fakes.engine.store.values import remote

BATTERY = "The battery of my bicycle lasts half as long as it did when it was new. Can you test it?"
FLIGHT = "I am flying home. Do you pack a bike into a box for the plane?"
WORDS = "a worn battery; a bike on a plane"
"""Alike to both; without an operator of the search."""
OPEN = "When are you open, and can I come on Saturday?"


class Bench:
    """The search over a few mails, some of them indexed."""

    def __init__(self, parts: Parts, vectors: Vectors, paused: bool = False) -> None:
        self.parts, self.vectors, self.settings = parts, vectors, FixedSettings()
        self.pause(paused)
        self.model = MiniLm.open()
        self.meaning = SemanticSearch(parts.tables, self.settings)

    def pause(self, paused: bool) -> None:
        """Pauses the agents."""
        self.settings.now = Settings(drafting=DraftingSettings(paused=paused))

    def index(self, *mails: Message) -> None:
        for one in mails:
            vector = self.model.embed([mail_text(one.subject, one.body_text)])[0]
            self.vectors.upsert(one.account_id, [(one.id, vector, VectorKind.OTHER)])
        rows = self.parts.tables.db.read("SELECT id, kind, key FROM jobs WHERE kind = 'index'")
        with self.parts.tables.db.transaction() as connection:
            for row in rows:
                if int(row["key"]) in {int(one.id) for one in mails}:
                    connection.execute("DELETE FROM jobs WHERE kind = 'index' AND key = ?", (row["key"],))

    def load(self) -> None:
        """The agents are there."""
        self.meaning.begin()
        self.meaning.ready(
            SemanticModels(self.model, self.vectors, PassageCache(self.model), near_enough, NEAR, self.model.question)
        )

    async def found(self, text: str, **more: object) -> list[int]:
        """Message ids."""
        answer = await self.meaning.answer(FindSimilar(text, **more))  # type: ignore[arg-type]
        assert isinstance(answer, SimilarMails)
        assert answer.likeness is SimilarityState.COMPARED
        return [int(one.message_id) for one in answer.mails]


@pytest.fixture
async def bench(parts: Parts, tmp_path: Path) -> AsyncIterator[Bench]:
    vectors = await asyncio.to_thread(Vectors.open, tmp_path / "chroma", "all-MiniLM-L6-v2-int8", 384)
    made = Bench(parts, vectors)
    yield made
    await made.meaning.close()
    vectors.close()


def filled(bench: Bench) -> list[Message]:
    """Three questions, of which one has a file."""
    mails = bench.parts.mail(
        remote("a", subject="E-bike", text=BATTERY, files=("sheet.pdf",), minutes=1),
        remote("b", subject="Travel", text=FLIGHT, sender=ANN, minutes=2),
        remote("c", subject="Hello", text=OPEN, minutes=3),
    )
    bench.index(*mails)
    bench.load()
    return mails


async def test_what_is_alike_comes_with_its_passage_and_nonsense_finds_nothing(bench: Bench) -> None:
    battery, flight, opening = filled(bench)
    answer = await bench.meaning.answer(FindSimilar("electric bicycle loses power"))
    assert [one.message_id for one in answer.mails][:1] == [battery.id]
    (why,) = answer.mails[0].why
    assert (why.where, why.text) == (MatchPlace.MEANING, "")
    passage = await bench.meaning.answer(FindPassage("electric bicycle loses power", battery.id))
    assert isinstance(passage, FoundPassage) and "battery" in passage.passage
    assert await bench.meaning.answer(FindPassage("electric", MessageId(999))) == FoundPassage("")
    assert (answer.indexed, answer.waiting) == (3, 0)
    assert (await bench.found("taking a bicycle on a journey by air"))[0] == flight.id
    assert (await bench.found("business hours at the weekend"))[0] == opening.id
    for nonsense in ("blorf gnarp", "quantum chromodynamics lattice", "pancreatic cancer chemotherapy"):
        assert await bench.found(nonsense) == []


async def test_operators_hold_and_alone_ask_nothing(bench: Bench) -> None:
    battery, flight, _ = filled(bench)
    bench.parts.mail(remote("late", subject="Not indexed yet", text=BATTERY, sender=ANN, files=("b.pdf",)))
    assert set(await bench.found(WORDS)) >= {battery.id, flight.id}
    assert await bench.found(f"{WORDS} from:{ANN.email}") == [flight.id]
    assert await bench.found(f"{WORDS} has:attachment") == [battery.id]
    assert await bench.found(f"{WORDS} -has:attachment -from:ann") == []
    assert await bench.found(f"{WORDS} before:2020/01/01") == []
    assert await bench.found(f'{WORDS} "for the plane"') == [flight.id]
    assert await bench.found(f"{WORDS} from:nobody") == []
    for pure in ("from:ann", "has:attachment", '"the battery"', "in:inbox -is:unread", "!!!"):
        assert await bench.meaning.answer(FindSimilar(pure)) == SimilarMails((), SimilarityState.NO_WORDS)
    with pytest.raises(NotAllowed):
        await bench.meaning.answer(FindSimilar("battery is:purple"))


async def test_hidden_and_gone_mail_and_what_was_found_stay_out(bench: Bench) -> None:
    battery, flight, _ = filled(bench)
    assert battery.id not in await bench.found(WORDS, besides=(battery.thread_id,))
    assert len(await bench.found(WORDS, limit=1)) == 1
    tables = bench.parts.tables
    tables.messages.apply(bench.parts.account_id, SyncPage(add_labels=((battery.gmail_id, frozenset({"TRASH"})),)))
    assert battery.id not in await bench.found(WORDS)
    assert battery.id in await bench.found(f"{WORDS} in:trash")
    tables.messages.apply(bench.parts.account_id, SyncPage(delete=(flight.gmail_id,)))
    assert flight.id not in await bench.found(WORDS), "its vector may outlive it"


async def test_archives_are_compared_where_the_owner_wants_it(bench: Bench) -> None:
    filled(bench)
    tables = bench.parts.tables
    old = tables.archives.open(Path("/old.mbox"), 100).account_id
    tables.messages.apply(
        old, SyncPage(messages=(remote("o", subject="Tent", text="The tent leaks where it is sewn."),), index=False)
    )
    (tent,) = tables.messages.many([MessageId(4)]).values()
    bench.index(tent)
    assert await bench.found("water comes through the camping canvas") == []
    bench.settings.now = Settings(sync=SyncSettings(archives_by_meaning=True))
    assert await bench.found("water comes through the camping canvas") == [tent.id]


async def test_a_conversation_comes_once_with_its_nearest_mail(bench: Bench) -> None:
    first, second = bench.parts.mail(
        remote("a", "t", subject="E-bike", text=BATTERY), remote("b", "t", subject="E-bike", text="Thank you!", minutes=5)
    )
    bench.index(first, second)
    bench.load()
    assert await bench.found("electric bicycle loses power") == [first.id]


async def test_how_far_the_index_is(bench: Bench) -> None:
    mails = bench.parts.mail(remote("a", text=BATTERY), remote("b", text=FLIGHT), remote("c", text=OPEN))
    bench.load()
    answer = await bench.meaning.answer(FindSimilar("battery"))
    assert (answer.mails, answer.indexed, answer.waiting) == ((), 0, 3)
    bench.index(mails[0])
    answer = await bench.meaning.answer(FindSimilar("electric bicycle loses power"))
    assert (len(answer.mails), answer.indexed, answer.waiting) == (1, 1, 2)
    assert bench.parts.tables.jobs.counts()[INDEX] == 2


async def test_a_question_waits_for_the_model_and_is_told_when_it_cannot_be_loaded(bench: Bench) -> None:
    waiting = asyncio.create_task(bench.meaning.answer(FindSimilar("battery")))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    bench.load()
    assert (await waiting).likeness is SimilarityState.COMPARED
    broken = SemanticSearch(bench.parts.tables, FixedSettings())
    waiting = asyncio.create_task(broken.answer(FindSimilar("battery")))
    await asyncio.sleep(0.1)
    broken.fail(ModelUnavailable("The package is missing."))
    with pytest.raises(ModelUnavailable, match="package"):
        await waiting
    await broken.close()


async def test_a_paused_assistant_compares_nothing_until_it_is_loaded(bench: Bench) -> None:
    filled_parts = bench.parts.mail(remote("a", text=BATTERY))
    bench.pause(True)
    assert await bench.meaning.answer(FindSimilar("battery")) == SimilarMails((), SimilarityState.PAUSED)
    bench.index(*filled_parts)
    bench.load()
    assert (await bench.meaning.answer(FindSimilar("battery"))).likeness is SimilarityState.COMPARED


async def test_the_end_takes_no_search_for_damage(bench: Bench, tmp_path: Path) -> None:
    filled(bench)
    asked = [asyncio.create_task(bench.meaning.answer(FindSimilar(f"battery {at}"))) for at in range(6)]
    await asyncio.sleep(0.05)
    for one in asked:
        one.cancel()
    await bench.meaning.close()
    bench.vectors.close()
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(one, SimilarMails | asyncio.CancelledError) for one in outcomes), outcomes
    assert (tmp_path / "chroma" / "model.json").exists(), "a search at the end was taken for damage"


async def test_damage_is_told(bench: Bench, tmp_path: Path) -> None:
    filled(bench)
    bench.vectors._client.delete_collection(f"account-{bench.parts.account_id}")
    with pytest.raises(IndexLost):
        await bench.meaning.answer(FindSimilar("battery"))
    assert not (tmp_path / "chroma" / "model.json").exists()
