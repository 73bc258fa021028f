"""The graph with every real part and no language model: embedder, classifier, templates, SQLite and Chroma."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.agent.drafting.template_draft import draft_without_model
from app.agent.retrieval import MiniLm, mail_text
from app.agent.triage.classifier import LocalTriage
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import ReviewKind
from app.domain.mail.message import Message
from app.store.search.corpus import StoreCorpus
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.agent_mailbox import ANN, NOON, OWNER, SENT, Room, ScriptedCalendar, mail
from fakes.engine.runs import open_graph


@pytest.fixture
def vectors(embedder: MiniLm, tmp_path: Path) -> Iterator[Vectors]:
    """An empty index."""
    made = Vectors.open(tmp_path / "chroma", embedder.model_id, embedder.dimension)
    yield made
    made.close()


def index(room: Room, vectors: Vectors, embedder: MiniLm, *messages: tuple[Message, VectorKind]) -> None:
    """Put mails into Chroma as the indexer does."""
    rows = [(one.id, embedder.embed([mail_text(one.subject, one.body_text)])[0], kind) for one, kind in messages]
    vectors.upsert(room.account_id, rows)


async def test_from_mail_to_reviews(room: Room, embedder: MiniLm, triage: LocalTriage, vectors: Vectors) -> None:
    asked, said, question, newsletter, meeting = room.put(
        mail(
            "Hello, what are your opening hours on Saturdays? Best, Ann",
            key="q", thread="t0", subject="Opening hours", at=NOON - timedelta(days=31),
        ),
        mail(
            "Dear Ann,\n\non Saturdays we are open from 9 to 12.\n\nBest regards\nMia",
            key="a", thread="t0", sender=OWNER, to=(ANN,), labels=SENT, at=NOON - timedelta(days=30),
        ),
        mail("Hi Mia, could you tell me your opening hours on Saturdays please? Thanks, Ann", key="n", subject="Saturday hours?"),
        mail(
            "This week's best offers. Unsubscribe here.",
            key="l", thread="t2", headers=(("List-Unsubscribe", "<https://x.example/u>"), ("List-Id", "<offers.x.example>")),
        ),
        mail("Hi Mia, can we meet next week to talk about the contract? Which day suits you?", key="c", thread="t3"),
    )  # fmt: skip
    index(room, vectors, embedder, (asked, VectorKind.ANSWERED))
    deps = room.deps(
        triage, embedder=embedder, corpus=StoreCorpus(room.db, vectors), drafter=draft_without_model, calendar=ScriptedCalendar()
    )
    async with open_graph(room.folder / "checkpoints.db", deps) as graph:
        assert await graph.run(room.start(newsletter, "run-l")) is RunStatus.DONE
        assert room.all_reviews() == []
        assert await graph.run(room.start(question, "run-q", answer=True)) is RunStatus.WAITING
        assert await graph.run(room.start(meeting, "run-c", answer=True)) is RunStatus.WAITING
    reply, proposal = (one.proposal for one in room.all_reviews())
    assert (reply.kind, proposal.kind) == (ReviewKind.REPLY, ReviewKind.REPLY)
    assert reply.draft is not None
    assert said.id in {one.message_id for one in reply.sources}
    assert reply.draft.to == (ANN,)
    assert reply.draft.subject == "Re: Saturday hours?"
    assert reply.maker.startswith("local:")
    assert proposal.draft.body.strip()
    stored = room.messages.triage(newsletter.id)
    assert (stored.decision, stored.maker) == ("ignore", "rule:list-mail")
