"""Search over the real index: answers, refusals, and a newer question that takes an older one's place."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.domain.errors import Refused
from app.engine.searching import Searching
from fakes.engine_parts import Parts
from fakes.stored_mail import remote

pytestmark = pytest.mark.anyio


@pytest.fixture
async def searching(parts: Parts) -> AsyncIterator[Searching]:
    searching = Searching(parts.tables, parts.threads)
    yield searching
    await searching.close()


async def test_it_finds_by_operator_and_word(parts: Parts, searching: Searching) -> None:
    first, second = parts.mail(remote("a", subject="Invoice 7"), remote("b", text="about the garden", minutes=1))
    assert await searching.thread_ids("subject:invoice", 10) == (first.thread_id,)
    assert await searching.thread_ids("garden", 10) == (second.thread_id,)
    with pytest.raises(Refused):
        await searching.thread_ids("after:someday", 10)


async def test_a_newer_search_takes_the_place_of_an_older_one(parts: Parts, searching: Searching) -> None:
    parts.mail(*(remote(f"m{at}", text="word " * 50, minutes=at) for at in range(50)))
    asked = [asyncio.create_task(searching.thread_ids("word", 10)) for _ in range(5)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(outcomes[-1], tuple)
    assert len(outcomes[-1]) == 10
    assert all(isinstance(one, tuple | Refused) for one in outcomes)


async def test_a_cancelled_search_leaves_the_next_one_alone(parts: Parts, searching: Searching) -> None:
    parts.mail(remote("a", text="word"))
    asked = asyncio.create_task(searching.thread_ids("word", 10))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert len(await searching.thread_ids("word", 10)) == 1
