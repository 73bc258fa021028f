"""The engine's clock goes on evenly, says how far the machine's has jumped, and follows only when told."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.engine.runtime.clock import JUMP_S, SteadyClock, passed_s

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


def test_what_passed_only_grows() -> None:
    """The system's own measure."""
    assert passed_s() <= passed_s()
