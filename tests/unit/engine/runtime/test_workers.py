"""A worker that fails is told about and starts again; stopping is heard by the deaf too."""

import asyncio
from contextlib import suppress

import pytest

from app.engine.runtime import workers as supervision
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import WorkerSupervisor

pytestmark = pytest.mark.expects_warnings


async def test_the_last_started_is_stopped_first_and_a_lost_cancellation_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "TELL_AGAIN_S", 0.05)
    ended: list[str] = []
    workers = WorkerSupervisor(EventBus(lambda _: None))

    async def plain() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append("plain")

    async def deaf() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append("deaf")

    workers.start("plain", plain)
    workers.start("deaf", deaf)
    await asyncio.sleep(0.01)
    await asyncio.wait_for(workers.stop(), 60)
    assert ended == ["deaf", "plain"]
