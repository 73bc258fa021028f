"""The engine's clock: the machine's time at the start, and from then on as much later as really passed.

Setting the machine's clock, by a day or an hour, neither ends an undo window early nor lets it last for ever. The keeper notices
a jump, moves along the stored times that are ends of waits, not times of day that somebody chose, and only then takes over the
machine's new time.

Notices that the machine slept: the wall clock went on while the steady one, by which everything waits, stood still.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from app.engine.runtime.store_executor import StoreExecutor
from app.store.db.database import Database
from app.store.db.times import shift_due_times

log = logging.getLogger(__name__)

LOOK_S = 2.0
JUMP_S = 2.0
"""From this difference on it is no drift; the network's time service moves the clock by less at a time, or jumps."""


def passed_s() -> float:
    """Seconds since some moment, the machine's sleep included. On macOS `time.monotonic` stands still while it sleeps."""
    if sys.platform == "linux":
        passed = time.clock_gettime(time.CLOCK_BOOTTIME)
    elif sys.platform == "darwin":
        passed = time.clock_gettime(time.CLOCK_MONOTONIC)
    else:
        passed = time.monotonic()
    return passed


class SteadyClock:
    """Call it for the time, UTC. `wall_s` is the machine's clock in Unix seconds, `steady_s` never jumps. Any thread."""

    def __init__(self, wall_s: Callable[[], float] = time.time, steady_s: Callable[[], float] = passed_s) -> None:
        self._wall_s = wall_s
        self._steady_s = steady_s
        self._offset_s = wall_s() - steady_s()

    def __call__(self) -> datetime:
        """Now."""
        return datetime.fromtimestamp(self._offset_s + self._steady_s(), UTC)

    def jump_s(self) -> float:
        """How far the machine's clock has jumped ahead of this one, 0 for mere drift."""
        ahead_s = self._wall_s() - self._steady_s() - self._offset_s
        return ahead_s if abs(ahead_s) >= JUMP_S else 0.0

    def jump(self, seconds: float) -> None:
        """Go along with the machine's clock."""
        self._offset_s += seconds


async def keep(clock: SteadyClock, db: Database, threads: StoreExecutor) -> None:
    """Look at the machine's clock for ever."""
    while True:
        await asyncio.sleep(LOOK_S)
        seconds = clock.jump_s()
        if seconds:
            log.warning("the machine's clock jumped by %.0f s; waiting times move along", seconds)
            by = timedelta(seconds=seconds)

            def follow(seconds: float = seconds) -> None:
                clock.jump(seconds)

            await threads.run(shift_due_times, db, by, clock(), follow)


LOOK_EVERY_S = 5.0
SLEPT_FROM_S = 15.0


async def watch_sleep(
    wall_s: Callable[[], float],
    steady_s: Callable[[], float],
    woke: Callable[[], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Call `woke` soon after the machine woke up; for ever. The clocks give seconds."""
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
