"""The engine's clock, a sleep of the machine, and wake-ups."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.runtime.clock import JUMP_S, SteadyClock
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
