"""A sleep of the machine is noticed by the two clocks; a clock that is corrected is not taken for one."""

import pytest

from app.engine.runtime.clock import LOOK_EVERY_S, SLEPT_FROM_S, watch_sleep

pytestmark = pytest.mark.anyio


class _End(Exception):
    """Enough was seen."""


async def woken(steps: list[tuple[float, float]]) -> list[int]:
    """At which of the looks `woke` was called, when wall and steady clock went on by these seconds between them."""
    wall, steady, looks = 1000.0, 50.0, 0
    calls: list[int] = []

    async def sleep(_: float) -> None:
        nonlocal wall, steady, looks
        if looks == len(steps):
            raise _End
        wall, steady = wall + steps[looks][0], steady + steps[looks][1]
        looks += 1

    with pytest.raises(_End):
        await watch_sleep(lambda: wall, lambda: steady, lambda: calls.append(looks), sleep)
    return calls


async def test_a_night_is_noticed_once() -> None:
    usual = (LOOK_EVERY_S, LOOK_EVERY_S)
    assert await woken([usual, (8 * 3600, LOOK_EVERY_S), usual, usual]) == [2]


async def test_a_steady_clock_that_counts_sleep_is_noticed_too() -> None:
    assert await woken([(3600, 3600)]) == [1]


@pytest.mark.parametrize("step", [LOOK_EVERY_S, LOOK_EVERY_S + SLEPT_FROM_S - 1, -3600.0])
async def test_small_steps_and_steps_back_are_no_sleep(step: float) -> None:
    assert await woken([(step, LOOK_EVERY_S)]) == []
