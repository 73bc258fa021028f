"""Runs that waited in an older graph: decided now, they end from their review rows, each with exactly one outbox row."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.agent.graph import MailGraph
from app.domain.draft import fill_slots
from app.domain.ids import RunId
from app.domain.outbox import OutboxKind, OutboxState
from app.domain.review import Action, Review, ReviewKind, ReviewStatus
from app.domain.runs import RunStatus
from fakes.mailroom import FixedTriage, verdict
from fakes.run_world import RunWorld, Work
from fakes.torture import rows

pytestmark = pytest.mark.anyio

FOLDERS = sorted(path.name for path in (Path(__file__).parents[1] / "data" / "graphs").glob("v*"))


@pytest.fixture(params=FOLDERS)
async def old(request: pytest.FixtureRequest, root: Path, tmp_path: Path) -> AsyncIterator[RunWorld]:
    """The engine's side over a copy of an old folder."""
    for file in (root / "tests" / "data" / "graphs" / str(request.param)).glob("*.db"):
        shutil.copy(file, tmp_path / file.name)
    with RunWorld(tmp_path, past=0) as world:
        yield world


@asynccontextmanager
async def at_work(world: RunWorld) -> AsyncIterator[Work]:
    """Today's graph over the old checkpoints, with router and runner; what was left to do is done."""
    graph = await MailGraph.open(world.folder / "checkpoints.db", world.deps(FixedTriage(verdict())))
    try:
        async with world.working(graph) as work:
            await work.settled()
            yield work
    finally:
        await graph.close()


def review_of(world: RunWorld, run: str, kind: ReviewKind = ReviewKind.REPLY) -> Review:
    """The run's review of a kind."""
    (row,) = world.tables.db.read("SELECT id FROM reviews WHERE run_id = ? AND kind = ?", (f"run-{run}", kind))
    return world.tables.reviews.review(row[0])


async def say(world: RunWorld, work: Work, review: Review, action: Action, text: str = "") -> None:
    """The user's word, and wait for what follows."""
    draft = review.proposal.draft
    filled = fill_slots(draft, ("It is 12.",) * len(draft.open_slots)) if draft and action is Action.ACCEPT else None
    await world.decide(review, action, filled, text)
    await work.settled()


def outbox(world: RunWorld, review: Review) -> list[tuple[str, str]]:
    """Kind and state of everything that leaves for a review."""
    found = world.tables.db.read("SELECT kind, state FROM outbox WHERE review_id = ?", (review.id,))
    return [(row[0], row[1]) for row in found]


def kept(world: RunWorld) -> set[str]:
    """The runs with checkpoints."""
    return {str(row[0]) for row in rows(world.folder / "checkpoints.db", "SELECT DISTINCT thread_id FROM checkpoints")}


QUEUED = [(OutboxKind.SEND.value, OutboxState.QUEUED.value)]


async def test_every_way_a_run_waited_ends_once(old: RunWorld) -> None:
    async with at_work(old) as work:
        assert {one.id: one.status for one in old.open_runs()} == {
            RunId(f"run-{name}"): RunStatus.WAITING for name in ("reply", "answer", "notify")
        }, "what was decided before ends by itself; what is undecided waits"

        await say(old, work, review_of(old, "reply"), Action.ACCEPT)
        assert outbox(old, review_of(old, "reply")) == QUEUED

        await say(old, work, review_of(old, "answer"), Action.RESPOND, "mention the discount")
        again = review_of(old, "answer")
        assert (again.revision, again.status) == (2, ReviewStatus.PENDING)
        assert again.proposal.draft is not None
        assert "mention the discount" in again.proposal.draft.open_slots
        await say(old, work, again, Action.ACCEPT)
        assert outbox(old, again) == QUEUED

        await say(old, work, review_of(old, "notify", ReviewKind.NOTIFY), Action.RESPOND, "thank them")
        reply = review_of(old, "notify")
        await say(old, work, reply, Action.ACCEPT)
        assert outbox(old, reply) == QUEUED

        assert old.open_runs() == []
        assert {one.status for one in old.runs()} == {RunStatus.DONE}
    assert kept(old) == set()


async def test_a_second_start_changes_nothing(old: RunWorld) -> None:
    for _ in range(2):
        async with at_work(old):
            pass
    assert len(old.runs()) == len({one.id for one in old.runs()}) == 4
    reviews = old.tables.db.read("SELECT run_id, count(*) FROM reviews GROUP BY run_id")
    assert {row[1] for row in reviews} == {1}
