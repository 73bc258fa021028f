"""LangGraph's checkpoints in a SQLite file of their own, next to the app's database."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from app.domain.ids import RunId

PRAGMAS = ("page_size=1024", "journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=1000")
"""The page size applies to new files only. It is small because every row is small."""

OUTCOME = "outcome"
"""The field of the state that the last node of a run sets."""


class CheckpointSaver(AsyncSqliteSaver):
    """LangGraph's saver, which first writes the run's rows: the log of steps is never behind a checkpoint.

    A run that has ended needs no checkpoint: its row tells its outcome.
    """

    def __init__(self, connection: aiosqlite.Connection, before: Callable[[RunId], Awaitable[None]]) -> None:
        super().__init__(connection)
        self._before = before

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Writes the rows, then the checkpoint."""
        if checkpoint["channel_values"].get(OUTCOME):
            return config
        await self._before(RunId(config["configurable"]["thread_id"]))
        return await super().aput(config, checkpoint, metadata, new_versions)


async def nothing(_run_id: RunId) -> None:
    """For graphs that have no rows of their own."""


async def open_checkpoints(path: Path, before: Callable[[RunId], Awaitable[None]] = nothing) -> CheckpointSaver:
    """Opens or creates the file. The caller closes `conn`."""
    connection = await aiosqlite.connect(path)
    try:
        for pragma in PRAGMAS:
            await connection.execute(f"PRAGMA {pragma}")
        saver = CheckpointSaver(connection, before)
        await saver.setup()
    except BaseException:
        # Otherwise its thread would keep the program running.
        await connection.close()
        raise
    return saver


async def kept_runs(path: Path) -> list[RunId]:
    """The runs with checkpoints in an existing file."""
    async with aiosqlite.connect(path) as connection, connection.execute("SELECT DISTINCT thread_id FROM checkpoints") as cursor:
        return [RunId(row[0]) async for row in cursor]
