"""LangGraph's checkpoints in their own SQLite file, written as little as safety allows.

A step of this graph is one node, so its checkpoint follows its writes at once: the separate rows of a finished task's writes are
left out, and a crash between the two runs that node again, which every node allows. Small pages, since every row is small.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

PRAGMAS = ("page_size=1024", "journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=1000")
"""The page size counts only for a new file."""


class LeanSaver(AsyncSqliteSaver):
    """Keeps checkpoints, interrupts and errors; leaves out the writes that the next checkpoint holds anyway."""

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what is an interrupt, an error or the like."""
        if any(channel in WRITES_IDX_MAP for channel, _ in writes):
            await super().aput_writes(config, writes, task_id, task_path)


async def open_checkpoints(path: Path) -> LeanSaver:
    """Open or make the file; close `conn` at the end."""
    connection = await aiosqlite.connect(path)
    for pragma in PRAGMAS:
        await connection.execute(f"PRAGMA {pragma}")
    saver = LeanSaver(connection)
    await saver.setup()
    return saver
