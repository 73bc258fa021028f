"""What is told at most so often: the first at once, the last for certain."""

import asyncio

import pytest

from app.engine.runtime.throttle import Throttle

pytestmark = pytest.mark.anyio


async def test_the_first_is_told_at_once_and_the_last_for_certain() -> None:
    told: list[int] = []
    state = [1]
    pace = Throttle(lambda: told.append(state[0]), 0.05)
    pace.ask()
    assert told == [1]
    for state[0] in (2, 3, 4):
        pace.ask()
    assert told == [1]
    async with asyncio.timeout(30):
        while len(told) < 2:
            await asyncio.sleep(0.01)
    assert told == [1, 4]


async def test_after_a_rest_without_a_question_the_next_is_told_at_once() -> None:
    told: list[str] = []
    pace = Throttle(lambda: told.append("told"), 0.0)
    pace.ask()
    for _ in range(3):
        await asyncio.sleep(0)
    pace.ask()
    assert told == ["told", "told"]


async def test_one_that_was_stopped_is_silent() -> None:
    told: list[str] = []
    pace = Throttle(lambda: told.append("told"), 0.0)
    pace.ask()
    pace.ask()
    pace.stop()
    for _ in range(5):
        await asyncio.sleep(0)
    assert told == ["told"]
