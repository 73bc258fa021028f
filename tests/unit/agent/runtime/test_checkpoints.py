"""Which checkpoints reach the file: those worth it, those that something hangs on, never those of a forgotten run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from app.agent.graph import rows_tell, worth_keeping
from app.agent.runtime.checkpoints import SparseCheckpointSaver, open_checkpoints
from app.domain.ids import RunId

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(folder: Path, *before: Any) -> AsyncIterator[SparseCheckpointSaver]:
    saver = await open_checkpoints(folder / "checkpoints.db", lambda values: bool(values.get("worth")), *before)
    try:
        yield saver
    finally:
        await saver.conn.close()


def config(thread: str = "run-1") -> Any:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


async def put(saver: SparseCheckpointSaver, worth: bool, thread: str = "run-1") -> Any:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {"worth": worth}
    return await saver.aput(config(thread), checkpoint, {"source": "loop", "step": 1}, {})


async def rows(saver: SparseCheckpointSaver) -> int:
    async with saver.conn.execute("SELECT count(*) FROM checkpoints") as cursor:
        found = await cursor.fetchone()
    return int(found[0]) if found else 0


async def test_only_what_is_worth_it_is_written_and_the_log_goes_first(tmp_path: Path) -> None:
    told: list[str] = []

    async def before(run_id: RunId) -> None:
        told.append(f"{run_id}:{await rows(saver)}")

    async with opened(tmp_path, before) as saver:
        await put(saver, worth=False)
        assert await rows(saver) == 0
        await put(saver, worth=True)
        assert (await rows(saver), told) == (1, ["run-1:0"])


async def test_an_interrupt_brings_its_checkpoint_along(tmp_path: Path) -> None:
    async with opened(tmp_path) as saver:
        where = await put(saver, worth=False)
        await saver.aput_writes(where, [("steps", ["classify"])], "task")
        assert await rows(saver) == 0
        await saver.aput_writes(where, [("__interrupt__", ())], "task")
        assert await rows(saver) == 1
        found = await saver.aget_tuple(config())
        assert found is not None
        assert [channel for _, channel, _ in found.pending_writes or ()] == ["__interrupt__"]


async def test_what_is_held_can_be_read_and_is_forgotten_with_the_run(tmp_path: Path) -> None:
    async with opened(tmp_path) as saver:
        await put(saver, worth=False)
        await put(saver, worth=False, thread="run-2")
        await saver.adelete_thread("run-2")
        assert await saver.aget_tuple(config("run-2")) is None
        assert await saver.aget_tuple(config()) is not None
        assert await rows(saver) == 1


@pytest.mark.parametrize(
    ("steps", "worth"),
    [
        ([], False),
        (["route"], False),
        (["route", "classify"], False),
        (["retrieve"], False),
        (["decide"], True),
        (["generate"], False),
        (["check"], True),
        (["review"], False),
        (["triage_interrupt"], False),
        (["gate"], False),
        (["dispatch"], False),
    ],
)
def test_worth_keeping(steps: list[str], worth: bool) -> None:
    assert worth_keeping({"steps": steps}) is worth


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (["review"], True),
        (["triage_interrupt"], True),
        (["review", "dispatch"], True),
        (["interrupt_plan"], False),
        (["profile_plan"], False),
    ],
)
def test_where_rows_tell_enough(steps: list[str], told: bool) -> None:
    assert rows_tell({"steps": steps}) is told


async def test_an_interrupt_that_rows_tell_of_is_kept_only_behind_what_was_kept(tmp_path: Path) -> None:
    async with opened(tmp_path, None, lambda values: not values.get("worth")) as saver:
        where = await put(saver, worth=False)
        await saver.aput_writes(where, [("__interrupt__", ())], "task")
        assert (await rows(saver), saver.keeps(RunId("run-1"))) == (0, False)
        await put(saver, worth=True)
        where = await put(saver, worth=False)
        await saver.aput_writes(where, [("__interrupt__", ())], "task")
        assert (await rows(saver), saver.keeps(RunId("run-1"))) == (2, True)


async def test_what_another_connection_kept_is_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as one, opened(tmp_path) as other:
        await put(one, worth=True)
        assert not other.keeps(RunId("run-1"))
        assert await other.finds(RunId("run-1"))
        assert await other.aget_tuple(config()) is not None
        assert not await other.finds(RunId("run-2"))
