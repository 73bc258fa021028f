"""Store calls while the disk is full: work waits and goes on, what the user waits for fails, the end is not held up."""

import asyncio
from collections.abc import Iterator

import pytest

from app.domain.errors import DiskFull, NotAllowed
from app.engine.runtime import tables as tables_module
from app.engine.runtime.tables import StoreExecutor
from fakes.clock.waiting import until


class Disk:
    """Full until `free`; `tried` counts what was to be written, `done` what was."""

    def __init__(self) -> None:
        self.free = False
        self.tried = self.done = 0

    def write(self) -> int:
        """One transaction."""
        self.tried += 1
        if not self.free:
            raise DiskFull("full")
        self.done += 1
        return self.done


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[DiskFull]:
    monkeypatch.setattr(tables_module, "ROOM_S", 0.01)
    return []


@pytest.fixture
def threads(told: list[DiskFull]) -> Iterator[StoreExecutor]:
    made = StoreExecutor(full=told.append)
    yield made
    made.close()


async def test_whoever_writes_waits_for_room_and_it_is_told_once(threads: StoreExecutor, told: list[DiskFull]) -> None:
    disk = Disk()
    writing = [asyncio.create_task(threads.run(disk.write)) for _ in range(3)]
    await until(lambda: disk.tried >= 9)
    assert (disk.done, len(told), [task.done() for task in writing]) == (0, 1, [False] * 3)
    disk.free = True
    assert sorted(await asyncio.gather(*writing)) == [1, 2, 3]
    disk.free = False
    again = asyncio.create_task(threads.run(disk.write))
    await until(lambda: len(told) == 2)
    disk.free = True
    assert (await again, len(told)) == (4, 2)


async def test_what_the_user_waits_for_fails_at_once(threads: StoreExecutor) -> None:
    disk = Disk()
    with threads.without_waiting(), pytest.raises(DiskFull):
        await threads.run(disk.write)
    waiting = asyncio.create_task(threads.run(disk.write))
    await until(lambda: disk.tried >= 3)
    disk.free = True
    assert await waiting == 1


async def test_at_the_end_nobody_waits(threads: StoreExecutor) -> None:
    disk = Disk()
    waiting = asyncio.create_task(threads.run(disk.write))
    await until(lambda: disk.tried >= 2)
    threads.stop_waiting()
    with pytest.raises(DiskFull):
        await waiting
    with pytest.raises(DiskFull):
        await threads.run(disk.write)


async def test_other_trouble_passes(threads: StoreExecutor) -> None:
    def refuse() -> None:
        raise NotAllowed("no")

    with pytest.raises(NotAllowed):
        await threads.run(refuse)
