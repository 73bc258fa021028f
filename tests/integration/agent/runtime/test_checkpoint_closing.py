"""Closing the checkpoints waits for a write that a cancelled run has left in its thread; sqlite crashes the process otherwise."""

import asyncio
import threading
from pathlib import Path

import pytest

from app.agent.runtime.checkpoints import open_checkpoints

pytestmark = pytest.mark.anyio


async def test_closing_waits_for_a_write_under_way(tmp_path: Path) -> None:
    saver = await open_checkpoints(tmp_path / "checkpoints.db")
    begun, end = threading.Event(), threading.Event()

    def write() -> None:
        with saver.cursor() as cursor:
            begun.set()
            assert end.wait(10)
            cursor.execute("DELETE FROM checkpoints")

    writing = asyncio.create_task(asyncio.to_thread(write))
    assert await asyncio.to_thread(begun.wait, 10)
    closing = asyncio.create_task(saver.close())
    await asyncio.sleep(0.2)
    assert not closing.done()
    end.set()
    await asyncio.gather(writing, closing)
