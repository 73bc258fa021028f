"""LangGraph's checkpoints in their own SQLite file, written as little as safety allows.

Nodes may run again, so a checkpoint is kept only where running again would cost a model call that no row tells of, and where a
run fails, or waits and could not go on from its rows; a crash goes back to the last one kept. The rows of a finished task's
writes are left out: in this graph the next checkpoint follows at once. Small pages, since every row is small.
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
Judge = Callable[[Mapping[str, Any]], bool]


def never(_values: Mapping[str, Any]) -> bool:
    """No interrupt can do without its checkpoint."""
    return False


_INTERRUPT = "__interrupt__"
"""LangGraph's name of the channel."""


class SparseCheckpointSaver(AsyncSqliteSaver):
    """`worth` tells by the channels' values whether a checkpoint is kept at once, `told` whether a run that waits there goes on
    from its rows; `before` is awaited before one is written, so that the log of its steps is never behind it. A run's newest
    checkpoint that is not kept is held in memory meanwhile."""

    def __init__(
        self,
        connection: aiosqlite.Connection,
        worth: Judge = lambda _: True,
        before: Callable[[RunId], Awaitable[None]] | None = None,
        told: Judge = never,
    ) -> None:
        super().__init__(connection)
        self._worth = worth
        self._told = told
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

    async def finds(self, run_id: RunId) -> bool:
        """The same, and whoever wrote it: the file is asked where nothing is known."""
        if not self.keeps(run_id):
            async with self.conn.execute("SELECT 1 FROM checkpoints WHERE thread_id = ? LIMIT 1", (run_id,)) as cursor:
                self._threads.update(run_id for _ in await cursor.fetchall())
        return self.keeps(run_id)

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
        if not any(channel in WRITES_IDX_MAP for channel, _ in writes):
            return
        thread_id = config["configurable"]["thread_id"]
        held = self._held.get(thread_id)
        waits = any(channel == _INTERRUPT for channel, _ in writes)
        if waits and thread_id not in self._threads and held is not None and self._told(held[1]["channel_values"]):
            del self._held[thread_id]
            return
        await self._keep(thread_id)
        await super().aput_writes(config, writes, task_id, task_path)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The newest checkpoint; one that was held is kept now. None without a look where nothing is known: see `finds`."""
        thread_id = config["configurable"]["thread_id"]
        await self._keep(thread_id)
        return await super().aget_tuple(config) if thread_id in self._threads else None

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete what is kept, and let go what is held."""
        self._held.pop(thread_id, None)
        if thread_id in self._threads:
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
    worth: Judge = lambda _: True,
    before: Callable[[RunId], Awaitable[None]] | None = None,
    told: Judge = never,
) -> SparseCheckpointSaver:
    """Open or make the file; close `conn` at the end."""
    connection = await aiosqlite.connect(path)
    try:
        for pragma in PRAGMAS:
            await connection.execute(f"PRAGMA {pragma}")
        saver = SparseCheckpointSaver(connection, worth, before, told)
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
