"""LangGraph's checkpoints in a SQLite file of their own, next to the app's database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack
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


class CheckpointSaver(SqliteSaver):
    """LangGraph's saver, which first writes the run's rows: the log of steps is never behind a checkpoint.

    A run that has ended needs no checkpoint: its row tells its outcome. Each write is one piece of work on a thread;
    LangGraph's `AsyncSqliteSaver` goes to its thread and back for every statement, 32 times in a run of the pipeline.
    `reader` reads one checkpoint on the loop, by a connection that waits for no write: the way to a thread takes longer.
    """

    def __init__(
        self, plain: SqliteSaver, reader: SqliteSaver, before: Callable[[RunId], Awaitable[None]] | None, opened: ExitStack
    ) -> None:
        super().__init__(plain.conn)
        self._reader, self._before, self._opened = reader, before, opened

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint of a config, the newest one without an id."""
        return self._reader.get_tuple(config)

    async def alist(self, config: RunnableConfig | None, **chosen: Any) -> AsyncIterator[CheckpointTuple]:
        for one in await asyncio.to_thread(lambda: [*self.list(config, **chosen)]):
            yield one

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        if checkpoint["channel_values"].get("mail", {}).get(OUTCOME):
            return config
        if self._before is not None:
            await self._before(RunId(config["configurable"]["thread_id"]))
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Deletes all checkpoints of a thread, if it has any."""
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def newest(self) -> list[tuple[str, str]]:
        """Every thread with the id of its newest checkpoint."""

        def read() -> list[tuple[str, str]]:
            with self.cursor(transaction=False) as cursor:
                return cursor.execute("SELECT thread_id, max(checkpoint_id) FROM checkpoints GROUP BY thread_id").fetchall()

        return await asyncio.to_thread(read)

    async def close(self) -> None:

        def end() -> None:
            with self.lock:  # a write of a cancelled run is still under way in its thread, and sqlite would crash
                self._opened.close()

        await asyncio.to_thread(end)


async def open_checkpoints(path: Path, before: Callable[[RunId], Awaitable[None]] | None = None) -> CheckpointSaver:
    """Opens or creates the file. The caller closes it. `before` writes a run's rows before each of its checkpoints."""

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
