"""Commands and queries wait at the door while the house is built anew; none is lost, and none is cut off in the middle."""

import asyncio
from pathlib import Path

import pytest

from app.domain.ids import ThreadId
from app.domain.protocol.commands import Answer, Command, ConnectGmail, Query, SearchMail, SyncNow, ThreadIds
from app.engine.process.supervisor import PATIENCE_S, RequestGate

pytestmark = pytest.mark.anyio


class House:
    """Notes what comes in; `slow` holds a command until it is set."""

    def __init__(self) -> None:
        self.seen: list[Command] = []
        self.slow = asyncio.Event()

    async def handle(self, command: Command) -> None:
        await self.slow.wait()
        self.seen.append(command)

    async def answer(self, query: Query) -> Answer:
        return ThreadIds((ThreadId(7),))


async def test_what_comes_early_waits_and_goes_to_the_house_that_stands() -> None:
    door, first, second = RequestGate(), House(), House()
    second.slow.set()
    early = asyncio.create_task(door.handle(SyncNow()))
    asked = asyncio.create_task(door.answer(SearchMail("x")))
    await asyncio.sleep(0)
    door.open(first)
    assert await asked == ThreadIds((ThreadId(7),))
    closing = asyncio.create_task(door.close())
    await asyncio.sleep(0.01)
    assert not closing.done()
    late = asyncio.create_task(door.handle(SyncNow()))
    first.slow.set()
    await asyncio.gather(early, closing)
    assert not late.done()
    door.open(second)
    await late
    assert (len(first.seen), len(second.seen)) == (1, 1)


async def test_a_query_that_is_cancelled_does_not_break_the_door() -> None:
    door, house = RequestGate(), House()
    house.slow.set()
    asked = asyncio.create_task(door.answer(SearchMail("x")))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    door.open(house)
    await door.handle(SyncNow())
    assert len(house.seen) == 1


async def test_nobody_waits_for_a_sign_in() -> None:
    door, house = RequestGate(), House()
    door.open(house)
    asked = asyncio.create_task(door.handle(ConnectGmail(Path("client.json"))))
    await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S / 2):
        await door.close()
        await asked
    assert house.seen == []


async def test_a_sign_in_that_is_cancelled_from_outside_is_cancelled() -> None:
    door = RequestGate()
    door.open(House())
    asked = asyncio.create_task(door.handle(ConnectGmail(Path("client.json"))))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
