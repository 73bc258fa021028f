"""Waits for what other tasks do."""

import asyncio
from collections.abc import Callable


async def until(holds: Callable[[], object], within_s: float = 60) -> None:
    """Runs the event loop until a condition holds. Raises `TimeoutError`."""
    async with asyncio.timeout(within_s):
        while not holds():
            await asyncio.sleep(0.01)
