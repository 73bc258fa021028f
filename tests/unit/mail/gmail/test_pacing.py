"""The unit bucket: never more than the budget in any minute, whatever is asked or refused."""

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.sync import UNITS
from app.mail.gmail.pacing import BACKGROUND, WINDOW_S, UnitBucket


@dataclass
class World:
    """A clock that sleeping moves on."""

    now: float = 1_000_000.0
    slept: list[float] = field(default_factory=list)

    def now_s(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.slept.append(seconds)
        self.now += seconds

    def bucket(self, budget: int = 6000) -> UnitBucket:
        return UnitBucket(lambda: budget, self.now_s, self.sleep)


def most_in_a_minute(spent: list[tuple[float, int]]) -> int:
    """The most units in any half-open sliding minute."""
    return max((sum(units for at, units in spent if start <= at < start + WINDOW_S) for start, _ in spent), default=0)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.integers(1, 400)),
        st.tuples(st.just("wait"), st.floats(0, 50, allow_nan=False)),
        st.tuples(st.just("refused"), st.just(0)),
    ),
    max_size=60,
)


@given(STEPS, st.integers(500, 3000))
def test_no_sliding_minute_gets_more_than_the_budget(steps: list[tuple[str, float]], budget: int) -> None:
    world = World()
    spent: list[tuple[float, int]] = []

    async def run() -> None:
        bucket = world.bucket(budget)
        for step, amount in steps:
            if step == "take":
                await bucket.take(int(amount))
                spent.append((world.now, int(amount)))
            elif step == "wait":
                world.now += amount
            elif step == "refused":
                bucket.learn(rate_limited=True)
            else:
                bucket = world.bucket(budget)

    asyncio.run(run())
    assert most_in_a_minute(spent) <= budget * 0.98


@pytest.fixture
def world() -> World:
    return World()


async def test_what_fits_is_spent_at_once(world: World) -> None:
    bucket = world.bucket(6000)
    for _ in range(58):
        await bucket.take(100)
    assert world.slept == []
    await bucket.take(100)
    assert sum(world.slept) == pytest.approx(60, abs=0.1)


async def test_what_fits_exactly_is_spent_at_once(world: World) -> None:
    bucket = world.bucket(1000)
    await bucket.take(300)
    world.now += 1
    await bucket.take(bucket.limit - 300)
    assert world.slept == []


async def test_a_demand_above_the_limit_waits_for_an_empty_minute_and_passes(world: World) -> None:
    bucket = world.bucket(1000)
    await bucket.take(10)
    await bucket.take(5000)
    assert sum(world.slept) == pytest.approx(60, abs=0.1)


def test_a_refusal_cuts_the_limit_and_time_heals_it(world: World) -> None:
    bucket = world.bucket(6000)
    full = bucket.limit
    bucket.learn(rate_limited=True)
    cut = bucket.limit
    assert full * 0.6 < cut < full * 0.8
    bucket.learn(rate_limited=True)
    assert bucket.limit < cut
    for _ in range(50):
        bucket.learn(rate_limited=True)
    assert bucket.limit >= 500
    world.now += 30
    assert bucket.limit > 500
    world.now += 3600
    assert bucket.limit == full
    bucket.learn(rate_limited=False)
    assert bucket.limit == full


def test_a_cut_holds_from_the_refusal_on(world: World) -> None:
    bucket = world.bucket(6000)
    full = bucket.limit
    world.now += 3600
    bucket.learn(rate_limited=True)
    assert full * 0.6 < bucket.limit < full * 0.8, "quiet time before it heals nothing"
    world.now += 60
    assert full * 0.75 < bucket.limit < full * 0.85
    world.now += 60
    assert full * 0.85 < bucket.limit < full * 0.95


def test_a_mail_can_be_sent_however_often_the_server_refused() -> None:
    """A send costs a hundred units: a smaller limit would let nothing leave before an empty minute."""
    bucket = World().bucket(500)
    for _ in range(50):
        bucket.learn(rate_limited=True)
    assert bucket.limit == UNITS["drafts.send"]


async def test_a_clock_that_is_set_back_neither_stops_nor_frees(world: World) -> None:
    bucket = world.bucket(1000)
    await bucket.take(800)
    world.now -= 86_400
    await bucket.take(200)
    assert sum(world.slept) == pytest.approx(60, abs=0.1)


def test_a_share_cut_before_the_clock_was_set_back_heals_all_the_same(world: World) -> None:
    bucket = world.bucket(6000)
    full = bucket.limit
    bucket.learn(rate_limited=True)
    world.now -= 5 * 86_400
    assert bucket.limit < full
    world.now += 3600
    assert bucket.limit == full


async def test_the_background_leaves_room_for_what_the_user_waits_for(world: World) -> None:
    bucket, spent = world.bucket(6000), 0
    while not bucket.room_s(400):
        await bucket.take(400)
        spent += 400
    assert bucket.room_s(400) == pytest.approx(60, abs=0.1)
    assert 0.85 * 6000 <= spent <= 6000 * BACKGROUND
    await bucket.take(200)
    assert world.slept == []


async def test_small_spendings_do_not_hold_up_what_is_dear_for_ever(world: World) -> None:
    bucket = world.bucket(500)
    for _ in range(30):
        await bucket.take(2)
        if not bucket.room_s(600):
            return
        world.now += 20
    raise AssertionError("never any room")


def test_another_budget_counts_at_once() -> None:
    """The setting may be changed while mail is fetched; what was spent stays spent."""
    world, budget = World(), [6000]
    bucket = UnitBucket(lambda: budget[0], world.now_s, world.sleep)
    asyncio.run(bucket.take(5000))
    budget[0] = 1000
    assert bucket.limit < 1000
    assert bucket.room_s(500) > 0
    budget[0] = 60000
    assert bucket.room_s(50000) == 0


async def test_waiters_are_served_in_order(world: World) -> None:
    """Also where what came later would fit, and what came first does not."""
    order: list[int] = []

    async def one(bucket: UnitBucket, units: int) -> None:
        await bucket.take(units)
        order.append(units)

    bucket = UnitBucket(lambda: 1000, world.now_s, lambda seconds: yielding(world, seconds))
    await bucket.take(600)
    await asyncio.gather(*(one(bucket, units) for units in (700, 20, 300, 10, 400)))
    assert order == [700, 20, 300, 10, 400]


async def yielding(world: World, seconds: float) -> None:
    """A rest in which others have their turn."""
    await asyncio.sleep(0)
    await world.sleep(seconds)
