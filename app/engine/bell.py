"""A bell wakes a worker before its time: rung from anywhere in the loop, heard once."""

import asyncio
from contextlib import suppress


class Bell:
    """Rings are not counted: however often it rang, the next `wait` returns at once, and only that one."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Wake whoever waits, now or next."""
        self._event.set()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for a ring, at most `timeout_s` seconds (None: for ever); whether it rang."""
        if timeout_s is None or timeout_s > 0:
            # Not wait_for: before Python 3.12 it loses a cancellation that meets a ring.
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._event.wait()
        rang = self._event.is_set()
        self._event.clear()
        return rang
