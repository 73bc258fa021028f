"""LangGraph's checkpoints in their own SQLite file, written as little as safety allows.

Nodes may run again, so a checkpoint is kept only where running again would cost a model call or propose another draft, and where
a run waits or fails; a crash goes back to the last one kept. The rows of a finished task's writes are left out: in this graph the
next checkpoint follows at once. Small pages, since every row is small.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from app.domain.ids import RunId

PRAGMAS = ("page_size=1024", "journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=1000")
"""The page size counts only for a new file."""

Held = tuple[RunnableConfig, Checkpoint, CheckpointMetadata, ChannelVersions]


class LeanSaver(AsyncSqliteSaver):
    """`worth` tells by the channels' values whether a checkpoint is kept at once; `before` is awaited before one is written, so
    that the log of its steps is never behind it. A run's newest checkpoint that is not kept is held in memory meanwhile."""

    def __init__(
        self,
        connection: aiosqlite.Connection,
        worth: Callable[[Mapping[str, Any]], bool] = lambda _: True,
        before: Callable[[RunId], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(connection)
        self._worth = worth
        self._before = before
        self._held: dict[str, Held] = {}
        self._threads: set[str] = set()

    async def look(self) -> None:
        """Learn which runs have checkpoints in the file."""
        async with self.conn.execute("SELECT DISTINCT thread_id FROM checkpoints") as cursor:
            self._threads = {row[0] async for row in cursor}

    def keeps(self, run_id: RunId) -> bool:
        """Whether anything of a run is kept or held, as far as this connection knows: another one may have kept more since."""
        return run_id in self._threads or run_id in self._held

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Keep the checkpoint, or hold it until the next."""
        where = config["configurable"]
        self._held[where["thread_id"]] = (config, checkpoint, metadata, new_versions)
        if self._worth(checkpoint["channel_values"]):
            await self._keep(where["thread_id"])
        return {"configurable": {**_place(where), "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what is an interrupt, an error or the like, behind the checkpoint it belongs to."""
        if any(channel in WRITES_IDX_MAP for channel, _ in writes):
            await self._keep(config["configurable"]["thread_id"])
            await super().aput_writes(config, writes, task_id, task_path)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The newest checkpoint; one that was held is kept now."""
        await self._keep(config["configurable"]["thread_id"])
        return await super().aget_tuple(config)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete what is kept, and let go what is held."""
        self._held.pop(thread_id, None)
        await super().adelete_thread(thread_id)
        self._threads.discard(thread_id)

    async def _keep(self, thread_id: str) -> None:
        """Write what is held of a run."""
        held = self._held.pop(thread_id, None)
        if held is None:
            return
        if self._before is not None:
            await self._before(RunId(thread_id))
        await super().aput(*held)
        self._threads.add(thread_id)


def _place(where: Mapping[str, Any]) -> dict[str, Any]:
    """The thread and namespace of a configuration."""
    return {"thread_id": where["thread_id"], "checkpoint_ns": where["checkpoint_ns"]}


async def open_checkpoints(
    path: Path,
    worth: Callable[[Mapping[str, Any]], bool] = lambda _: True,
    before: Callable[[RunId], Awaitable[None]] | None = None,
) -> LeanSaver:
    """Open or make the file; close `conn` at the end."""
    connection = await aiosqlite.connect(path)
    try:
        for pragma in PRAGMAS:
            await connection.execute(f"PRAGMA {pragma}")
        saver = LeanSaver(connection, worth, before)
        await saver.setup()
        await saver.look()
    except BaseException:
        # Its thread would outlive the program otherwise.
        await connection.close()
        raise
    return saver


async def kept_runs(path: Path) -> list[RunId]:
    """The runs that have checkpoints in an existing file."""
    async with aiosqlite.connect(path) as connection, connection.execute("SELECT DISTINCT thread_id FROM checkpoints") as cursor:
        return [RunId(row[0]) async for row in cursor]
