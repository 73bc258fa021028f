"""Many runs one after the other: what has ended leaves no checkpoints, logs go with their time, memory stays."""

import gc
import json
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from app.agent.runtime.checkpoints import open_checkpoints
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import Action
from app.domain.ids import MessageId, ReviewId
from app.domain.mail.triage import Category, Decision
from app.engine.runs.agent_runtime import forget_ended
from app.store.maintenance.retention import DAYS_OF_LOGS, sweep
from fakes.engine.agent_mailbox import FixedTriage, verdict
from fakes.engine.runs import RunWorld, Work, open_graph
from fakes.engine.torture import rows

VERDICTS = (
    verdict(),
    verdict(Decision.IGNORE, Category.OTHER),
    verdict(Decision.NOTIFY, Category.OTHER),
    verdict(Decision.RESPOND, Category.SPAM, 0.9),
)
MOST_GROWTH_MB = 40.0


async def finish(world: RunWorld, work: Work, message_id: MessageId) -> None:
    """One run to its end."""
    await work.run(message_id)
    for review_id in world.pending(message_id):
        await world.decide(world.tables.reviews.review(review_id), Action.IGNORE)
    await work.settled()


async def many(folder: Path, count: int) -> float:
    """`count` runs over one graph; how many megabytes the process grew after the first tenth."""
    triage = FixedTriage(verdict())
    with RunWorld(folder, past=10) as world:
        async with open_graph(folder / "checkpoints.db", world.deps(triage)) as graph, world.working(graph) as work:
            resident = 0
            for number, message_id in enumerate(world.questions(count)):
                triage.verdict = VERDICTS[number % len(VERDICTS)]
                if number == count // 10:
                    resident = _resident()
                await finish(world, work, message_id)
            grown_mb = (_resident() - resident) / 1e6
        check_ended(world, count)
        check_retention(world, count)
    return grown_mb


def _resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def check_ended(world: RunWorld, count: int) -> None:
    """Every run is done, and nothing of it is left but its rows."""
    assert [one.status for one in world.runs()] == [RunStatus.DONE] * count
    counted = "SELECT (SELECT count(*) FROM checkpoints), (SELECT count(*) FROM writes)"
    assert rows(world.folder / "checkpoints.db", counted) == [(0, 0)]
    assert not world.tables.jobs.counts().keys() & {"route", "classify", "wake"}


def check_retention(world: RunWorld, count: int) -> None:
    """The nodes' log is whole, stays for its days, and goes after them; runs and reviews stay."""
    logs = "SELECT count(DISTINCT run_id), count(*) FROM run_steps"
    traced, before = world.tables.db.read(logs)[0]
    assert traced == count
    now = world.tables.clock()
    sweep(world.tables.db, now + timedelta(days=DAYS_OF_LOGS - 1))
    assert world.tables.db.read(logs)[0][1] == before
    sweep(world.tables.db, now + timedelta(days=DAYS_OF_LOGS + 1))
    assert world.tables.db.read(logs)[0][1] == 0
    assert len(world.runs()) == count


async def test_a_job_that_a_crash_left_behind_does_not_begin_an_ended_run_again(tmp_path: Path) -> None:
    triage = FixedTriage(verdict())
    with RunWorld(tmp_path, past=0) as world:
        async with open_graph(tmp_path / "checkpoints.db", world.deps(triage)) as graph, world.working(graph) as work:
            (message_id,) = world.questions(1)
            await finish(world, work, message_id)
            (run,) = world.runs()
            steps = world.tables.runs.steps(run.id)
            triage.verdict = verdict(Decision.NOTIFY, Category.OTHER)
            world.tables.jobs.put("classify", str(message_id), json.dumps({"run_id": run.id}))
            world.rows.wake(run.id, ReviewId(0))
            world.bell.ring()
            await work.settled()
        assert world.runs() == [run]
        assert world.tables.runs.steps(run.id) == steps
        assert world.tables.reviews.pending_count() == 0
        assert triage.calls == 1
        check_ended(world, 1)


async def test_a_crash_before_the_checkpoints_end_leaves_none_for_long(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    with RunWorld(tmp_path, past=0) as world:
        first, second = world.questions(2)
        async with open_graph(path, world.deps(FixedTriage(verdict()))) as graph, world.working(graph) as work:
            await finish(world, work, first)
            await work.run(second)
        (done,) = (one.id for one in world.runs() if one.status is RunStatus.DONE)
        (waiting,) = (one.id for one in world.runs() if one.status is RunStatus.WAITING)
        saver = await open_checkpoints(path)
        try:
            for thread in (done, waiting, "a run that is no more"):
                where: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
                await saver.aput(where, empty_checkpoint(), {"source": "loop", "step": 1}, {})
        finally:
            await saver.close()
        async with open_graph(path, world.deps(FixedTriage(verdict()))) as graph:
            await forget_ended(path, graph, world.rows.ended)
        assert rows(path, "SELECT DISTINCT thread_id FROM checkpoints") == [(waiting,)]


async def test_ended_runs_leave_only_their_rows(tmp_path: Path) -> None:
    await many(tmp_path, 16)


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_five_hundred_runs(tmp_path: Path) -> None:
    grown_mb = await many(tmp_path, 500)
    print(f"grown {grown_mb:.1f} MB, checkpoint file {(tmp_path / 'checkpoints.db').stat().st_size / 1e3:.0f} kB")
    assert grown_mb < MOST_GROWTH_MB
