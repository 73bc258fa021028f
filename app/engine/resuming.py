"""Notices that the machine slept: the wall clock went on while the steady one, by which everything waits, stood still.

Refuses to judge small steps: a clock that is set right by a few seconds is no sleep.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

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
