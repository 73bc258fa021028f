"""LangGraph's checkpoints in a separate SQLite file, written as rarely as is safe.

Nodes may run again. So a checkpoint is written only where running again would cost a model call that no row records, or where a
run fails or waits and could not continue from its rows. A crash goes back to the last one written. Rows of finished tasks' writes
are left out, because in this graph the next checkpoint follows at once.
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
"""The page size applies to new files only. It is small because every row is small."""

Held = tuple[RunnableConfig, Checkpoint, CheckpointMetadata, ChannelVersions]
Judge = Callable[[Mapping[str, Any]], bool]


def never(_values: Mapping[str, Any]) -> bool:
    """Default of `told`: every interrupt needs its checkpoint."""
    return False


_INTERRUPT = "__interrupt__"
"""LangGraph's name of the interrupt channel."""


class SparseCheckpointSaver(AsyncSqliteSaver):
    """Saver that writes only the checkpoints that are needed and holds the newest other one of each run in memory.

    `worth` decides by the channel values whether a checkpoint is written at once, `told` whether a run waiting there can continue
    from its rows. `before` is awaited before each write, so that the log of steps is never behind a checkpoint.
    """

    def __init__(
        self,
        connection: aiosqlite.Connection,
        worth: Judge = lambda _: True,
        before: Callable[[RunId], Awaitable[None]] | None = None,
        told: Judge = never,
    ) -> None:
        super().__init__(connection)
        self._worth = worth
        self._resumable = told
        self._before = before
        self._held: dict[str, Held] = {}
        self._threads: set[str] = set()

    async def look(self) -> None:
        """Loads which runs have checkpoints in the file."""
        async with self.conn.execute("SELECT DISTINCT thread_id FROM checkpoints") as cursor:
            self._threads = {row[0] async for row in cursor}

    def keeps(self, run_id: RunId) -> bool:
        """Whether a run has a checkpoint, as far as this connection knows. Another connection may have written more since."""
        return run_id in self._threads or run_id in self._held

    async def finds(self, run_id: RunId) -> bool:
        """As `keeps`, but looks into the file where this connection knows of none."""
        if not self.keeps(run_id):
            async with self.conn.execute("SELECT 1 FROM checkpoints WHERE thread_id = ? LIMIT 1", (run_id,)) as cursor:
                self._threads.update(run_id for _ in await cursor.fetchall())
        return self.keeps(run_id)

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Writes the checkpoint, or holds it until the next one."""
        where = config["configurable"]
        self._held[where["thread_id"]] = (config, checkpoint, metadata, new_versions)
        if self._worth(checkpoint["channel_values"]):
            await self._write_held(where["thread_id"])
        return {"configurable": {**_thread_config(where), "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Stores interrupts and errors only, after the checkpoint they belong to. Other writes are left out."""
        if not any(channel in WRITES_IDX_MAP for channel, _ in writes):
            return
        thread_id = config["configurable"]["thread_id"]
        held = self._held.get(thread_id)
        waits = any(channel == _INTERRUPT for channel, _ in writes)
        if waits and thread_id not in self._threads and held is not None and self._resumable(held[1]["channel_values"]):
            del self._held[thread_id]
            return
        await self._write_held(thread_id)
        await super().aput_writes(config, writes, task_id, task_path)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The newest checkpoint; a held one is written first. None where no checkpoint is known: see `finds`."""
        thread_id = config["configurable"]["thread_id"]
        await self._write_held(thread_id)
        return await super().aget_tuple(config) if thread_id in self._threads else None

    async def adelete_thread(self, thread_id: str) -> None:
        """Deletes a run's checkpoints, written and held."""
        self._held.pop(thread_id, None)
        if thread_id in self._threads:
            await super().adelete_thread(thread_id)
            self._threads.discard(thread_id)

    async def _write_held(self, thread_id: str) -> None:
        """Writes the held checkpoint of a run."""
        held = self._held.pop(thread_id, None)
        if held is None:
            return
        if self._before is not None:
            await self._before(RunId(thread_id))
        await super().aput(*held)
        self._threads.add(thread_id)


def _thread_config(where: Mapping[str, Any]) -> dict[str, Any]:
    """The thread and namespace of a configuration."""
    return {"thread_id": where["thread_id"], "checkpoint_ns": where["checkpoint_ns"]}


async def open_checkpoints(
    path: Path,
    worth: Judge = lambda _: True,
    before: Callable[[RunId], Awaitable[None]] | None = None,
    told: Judge = never,
) -> SparseCheckpointSaver:
    """Opens or creates the file. The caller closes `conn`."""
    connection = await aiosqlite.connect(path)
    try:
        for pragma in PRAGMAS:
            await connection.execute(f"PRAGMA {pragma}")
        saver = SparseCheckpointSaver(connection, worth, before, told)
        await saver.setup()
        await saver.look()
    except BaseException:
        # Otherwise its thread would keep the program running.
        await connection.close()
        raise
    return saver


async def kept_runs(path: Path) -> list[RunId]:
    """The runs with checkpoints in an existing file."""
    async with aiosqlite.connect(path) as connection, connection.execute("SELECT DISTINCT thread_id FROM checkpoints") as cursor:
        return [RunId(row[0]) async for row in cursor]
