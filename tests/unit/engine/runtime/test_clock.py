"""The engine's clock, a sleep of the machine, and wake-ups."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.runtime.clock import JUMP_S, LOOK_EVERY_S, SLEPT_FROM_S, SteadyClock, watch_sleep
from app.engine.runtime.workers import WakeUp

START = datetime(2026, 3, 10, tzinfo=UTC).timestamp()


class Machine:
    """A machine whose clock can be set."""

    def __init__(self) -> None:
        self.wall, self.passed = START, 100.0

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.wall += seconds
        self.passed += seconds


def clock_of(machine: Machine) -> SteadyClock:
    """The engine's clock on it."""
    return SteadyClock(lambda: machine.wall, lambda: machine.passed)


def test_it_starts_with_the_machines_time_and_passes_evenly() -> None:
    machine = Machine()
    clock = clock_of(machine)
    assert clock().timestamp() == START
    machine.wait(90)
    assert (clock().timestamp(), clock.jump_s()) == (START + 90, 0)
    machine.wall += JUMP_S / 2
    assert clock.jump_s() == 0


@given(st.lists(st.tuples(st.floats(0, 1e5), st.floats(-1e6, 1e6)), max_size=20))
def test_it_never_goes_by_the_machines_jumps_until_told(steps: list[tuple[float, float]]) -> None:
    """Whatever the machine's clock does: what passes is what really passed; after following it is right again."""
    machine = Machine()
    clock = clock_of(machine)
    for wait_s, jump_s in steps:
        before = clock()
        machine.wait(wait_s)
        machine.wall += jump_s
        assert abs((clock() - before).total_seconds() - wait_s) < 1e-3
        clock.jump(clock.jump_s())
        assert abs(clock().timestamp() - machine.wall) < JUMP_S + 1e-3


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


async def test_rings_before_the_wait_are_heard_once() -> None:
    bell = WakeUp()
    bell.ring()
    bell.ring()
    assert await bell.wait(10)
    assert not await bell.wait(0)
    assert not await bell.wait(0.01)


async def test_a_cancellation_that_meets_a_ring_still_cancels() -> None:
    bell = WakeUp()
    waiting = asyncio.create_task(bell.wait(60))
    await asyncio.sleep(0.01)
    bell.ring()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
