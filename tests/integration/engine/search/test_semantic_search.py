"""Search by meaning over a real store, a real Chroma and the real model: what is near, where the operators hold."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.agent.retrieval import NEAR, MiniLm, PassageCache, mail_text, near_enough
from app.config.settings import DraftingSettings, Settings
from app.domain.errors import ModelUnavailable
from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.domain.protocol.queries import FindPassage, FindSimilar, FoundPassage, MatchPlace, SimilarityState, SimilarMails
from app.engine.search.semantic_search import SemanticModels, SemanticSearch
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.agent_mailbox import ANN
from fakes.engine.engine_parts import FixedSettings, Parts
from fakes.engine.store.values import remote

BATTERY = "The battery of my bicycle lasts half as long as it did when it was new. Can you test it?"
FLIGHT = "I am flying home. Do you pack a bike into a box for the plane?"


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
