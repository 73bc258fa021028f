"""LangGraph's checkpoints in a SQLite file of their own, next to the app's database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver

from app.domain.ids import RunId

PRAGMAS = ("page_size=1024", "journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=1000")
"""The page size applies to new files only. It is small because every row is small."""

OUTCOME = "outcome"
"""The field of the state that the last node of a run sets."""


async def nothing(_run_id: RunId) -> None:
    """For graphs that have no rows of their own."""


class CheckpointSaver(SqliteSaver):
    """LangGraph's saver, which first writes the run's rows: the log of steps is never behind a checkpoint.

    A run that has ended needs no checkpoint: its row tells its outcome. Each write is one piece of work on a thread;
    LangGraph's `AsyncSqliteSaver` goes to its thread and back for every statement, 32 times in a run of the pipeline.
    `reader` reads one checkpoint on the loop, by a connection that waits for no write: the way to a thread takes longer.
    """

    def __init__(
        self, plain: SqliteSaver, reader: SqliteSaver, before: Callable[[RunId], Awaitable[None]], opened: ExitStack
    ) -> None:
        super().__init__(plain.conn)
        self._reader, self._before, self._opened = reader, before, opened
        self._newest: dict[str, CheckpointTuple | None] = {}
        self._without: set[str] = set()

    @asynccontextmanager
    async def newest_of(self, config: RunnableConfig) -> AsyncIterator[CheckpointTuple | None]:
        """Reads a thread's newest checkpoint for a stretch. LangGraph, which asks for it next, gets the same one."""
        thread_id = config["configurable"]["thread_id"]
        self._newest[thread_id] = found = self._reader.get_tuple(config)
        if found is None:
            self._without.add(thread_id)
        try:
            yield found
        finally:
            self._newest.pop(thread_id, None)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint of a config, the newest one without an id."""
        thread_id = config["configurable"]["thread_id"]
        if thread_id in self._newest:
            return self._newest.pop(thread_id)
        return self._reader.get_tuple(config)

    async def alist(self, config: RunnableConfig | None, **chosen: Any) -> AsyncIterator[CheckpointTuple]:
        """Checkpoints, newest first."""
        for one in await asyncio.to_thread(lambda: [*self.list(config, **chosen)]):
            yield one

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Writes the rows, then the checkpoint."""
        if checkpoint["channel_values"].get("mail", {}).get(OUTCOME):
            return config
        self._without.discard(config["configurable"]["thread_id"])
        await self._before(RunId(config["configurable"]["thread_id"]))
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Stores writes of a node, e.g. an interrupt."""
        self._without.discard(config["configurable"]["thread_id"])
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Deletes all checkpoints of a thread, if it has any."""
        self._newest.pop(thread_id, None)
        if thread_id in self._without:
            self._without.discard(thread_id)
            return
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def newest(self) -> list[tuple[str, str]]:
        """Every thread with the id of its newest checkpoint."""

        def read() -> list[tuple[str, str]]:
            with self.cursor(transaction=False) as cursor:
                return cursor.execute("SELECT thread_id, max(checkpoint_id) FROM checkpoints GROUP BY thread_id").fetchall()

        return await asyncio.to_thread(read)

    async def close(self) -> None:
        """Closes the file."""

        def end() -> None:
            with self.lock:  # a write of a cancelled run is still under way in its thread, and sqlite would crash
                self._opened.close()

        await asyncio.to_thread(end)


async def open_checkpoints(path: Path, before: Callable[[RunId], Awaitable[None]] = nothing) -> CheckpointSaver:
    """Opens or creates the file. The caller closes it."""

    def opened() -> CheckpointSaver:
        with ExitStack() as stack:
            plain, reader = (stack.enter_context(SqliteSaver.from_conn_string(str(path))) for _ in range(2))
            for pragma in PRAGMAS:
                plain.conn.execute(f"PRAGMA {pragma}")
            plain.setup()
            reader.setup()
            return CheckpointSaver(plain, reader, before, stack.pop_all())

    return await asyncio.to_thread(opened)


async def kept_runs(path: Path) -> list[RunId]:
    """The runs with checkpoints in an existing file."""
    saver = await open_checkpoints(path)
    try:
        return [RunId(one) for one, _ in await saver.newest()]
    finally:
        await saver.close()
