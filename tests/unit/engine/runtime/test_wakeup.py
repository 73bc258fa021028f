"""A ring is heard once, before or while somebody waits, and a cancellation is never lost to it."""

import asyncio

import pytest

from app.engine.runtime.workers import WakeUp

pytestmark = pytest.mark.anyio


async def test_rings_before_the_wait_are_heard_once() -> None:
    bell = WakeUp()
    bell.ring()
    bell.ring()
    assert await bell.wait(10)
    assert not await bell.wait(0)
    assert not await bell.wait(0.01)


async def test_a_ring_ends_a_wait_without_limit() -> None:
    bell = WakeUp()
    waiting = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    bell.ring()
    assert await waiting


async def test_a_cancellation_that_meets_a_ring_still_cancels() -> None:
    bell = WakeUp()
    waiting = asyncio.create_task(bell.wait(60))
    await asyncio.sleep(0.01)
    bell.ring()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
