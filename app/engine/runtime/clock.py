"""The engine's clock. It starts at the machine's time and then counts the time that really passed.

Setting the machine's clock by an hour or a day neither ends an undo delay early nor extends it. `keep` notices such a jump,
shifts the stored ends of waits (times that a user chose stay) and then adopts the machine's new time. `watch_sleep` notices that
the machine slept.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from app.engine.runtime.tables import Tables
from app.store.db.times import shift_due_times

log = logging.getLogger(__name__)

LOOK_S = 2.0
JUMP_S = 2.0
"""A smaller difference is drift. The network's time service moves the clock by less at a time, or jumps."""


def passed_s() -> float:
    """Seconds since an arbitrary moment, including time asleep. On macOS `time.monotonic` stops during sleep."""
    if sys.platform == "linux":
        passed = time.clock_gettime(time.CLOCK_BOOTTIME)
    elif sys.platform == "darwin":
        passed = time.clock_gettime(time.CLOCK_MONOTONIC)
    else:
        passed = time.monotonic()
    return passed


class SteadyClock:
    """A callable that returns the current time in UTC. Usable from any thread.

    `wall_s` is the machine's clock in Unix seconds. `steady_s` never jumps.
    """

    def __init__(self, wall_s: Callable[[], float] = time.time, steady_s: Callable[[], float] = passed_s) -> None:
        self._wall_s, self._steady_s = wall_s, steady_s
        self._offset_s = wall_s() - steady_s()

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(self._offset_s + self._steady_s(), UTC)

    def jump_s(self) -> float:
        """Seconds that the machine's clock jumped ahead of this one, 0 for mere drift."""
        ahead_s = self._wall_s() - self._steady_s() - self._offset_s
        return ahead_s if abs(ahead_s) >= JUMP_S else 0.0

    def jump(self, seconds: float) -> None:
        self._offset_s += seconds


async def keep(clock: SteadyClock, tables: Tables) -> None:
    """Checks for jumps of the machine's clock until cancelled."""
    while True:
        await asyncio.sleep(LOOK_S)
        seconds = clock.jump_s()
        if seconds:
            log.warning("the machine's clock jumped by %.0f s; waiting times move along", seconds)
            follow = partial(clock.jump, seconds)
            await tables.run(shift_due_times, tables.db, timedelta(seconds=seconds), clock(), follow)


LOOK_EVERY_S = 5.0
SLEPT_FROM_S = 15.0


async def watch_sleep(
    wall_s: Callable[[], float],
    steady_s: Callable[[], float],
    woke: Callable[[], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Calls `woke` soon after the machine woke up, until cancelled. The clocks return seconds."""
    wall, steady = wall_s(), steady_s()
    while True:
        await sleep(LOOK_EVERY_S)
        wall_now, steady_now = wall_s(), steady_s()
        ahead_s = (wall_now - wall) - (steady_now - steady)
        late_s = steady_now - steady - LOOK_EVERY_S
        if max(ahead_s, late_s) >= SLEPT_FROM_S:
            log.info("the machine slept for about %.0f s", max(ahead_s, late_s))
            woke()
        wall, steady = wall_now, steady_now
