"""A worker that fails is told about and starts again; stopping is heard by the deaf too."""

import asyncio
from contextlib import suppress

import pytest

from app.domain.error_texts import ErrorText
from app.domain.errors import DiskFull
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Event
from app.engine.runtime import workers as supervision
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import WorkerSupervisor

pytestmark = pytest.mark.expects_warnings


async def test_a_worker_starts_again_after_trouble_and_after_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "RESTART_S", 0.01)
    told: list[Event] = []
    workers = WorkerSupervisor(EventBus(told.append))
    errors: list[Exception] = [DiskFull("full", "Free space."), ValueError("private")]
    done = asyncio.Event()

    async def work() -> None:
        if errors:
            raise errors.pop(0)
        done.set()

    workers.start("worker", work)
    await asyncio.wait_for(done.wait(), 60)
    await workers.stop()
    assert told == [
        ErrorReported("disk_full", ErrorText.of("full", "Free space.")),
        ErrorReported("bug", ErrorText.of("worker: ValueError")),
    ]


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
