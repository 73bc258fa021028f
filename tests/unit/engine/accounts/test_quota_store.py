"""Units spent are remembered: large sums at once, small ones soon, the rest at the end; the next start counts them."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from app.domain.ids import AccountId
from app.engine.accounts.quota_store import AT_ONCE_UNITS, LEAST_S, WRITE_AFTER_S, QuotaStore
from app.engine.runtime.store_executor import StoreExecutor
from app.engine.runtime.tables import Tables, open_tables
from app.mail.gmail.pacing import UnitBucket

pytestmark = pytest.mark.anyio

P = ParamSpec("P")
T = TypeVar("T")


def opened(folder: Path) -> tuple[Tables, AccountId]:
    """A store with one account."""
    tables = open_tables(folder / "mail.db", lambda: datetime.now(UTC))
    return tables, tables.accounts.add("me@example.com", "Mia", ("me@example.com",), "", "#336699")


def stored(tables: Tables, account: AccountId) -> int:
    """Units in the file."""
    return sum(units for _, units in tables.accounts.units_spent(account, datetime.fromtimestamp(0, UTC)))


async def test_a_crash_forgets_no_large_sum(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    spending = QuotaStore(account, tables, threads)
    bucket = UnitBucket(lambda: 6000, spending, time.time)
    await bucket.take(AT_ONCE_UNITS * 4)
    async with asyncio.timeout(WRITE_AFTER_S * 0.9):
        while stored(tables, account) < AT_ONCE_UNITS * 4:
            await asyncio.sleep(0.01)
    again = QuotaStore(account, tables, threads)
    assert sum(units for _, units in again.load()) == AT_ONCE_UNITS * 4
    await spending.close()
    threads.close()
    tables.db.close()


async def test_after_the_clock_was_set_back_sums_are_remembered_all_the_same(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    spending = QuotaStore(account, tables, threads)
    back_s = [0.0]
    bucket = UnitBucket(lambda: 6000, spending, lambda: time.time() - back_s[0])
    await bucket.take(1)
    back_s[0] = 86_400.0
    for _ in range(2):
        await bucket.take(AT_ONCE_UNITS)
    async with asyncio.timeout(30):
        while stored(tables, account) < AT_ONCE_UNITS:
            await asyncio.sleep(0.01)
    await spending.close()
    threads.close()
    tables.db.close()


async def test_what_is_spent_while_a_sum_is_written_is_written_too(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    spending = QuotaStore(account, tables, threads)
    bucket = UnitBucket(lambda: 60000, spending, time.time)
    for _ in range(30):
        await bucket.take(AT_ONCE_UNITS)
        await asyncio.sleep(0.001)
    async with asyncio.timeout(30):
        while stored(tables, account) < AT_ONCE_UNITS * 30:
            await asyncio.sleep(0.01)
    assert len(tables.accounts.units_spent(account, datetime.fromtimestamp(0, UTC))) < 30, "sums are written together"
    await spending.close()
    threads.close()
    tables.db.close()


class Held(StoreExecutor):
    """A disk that takes as long as the test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.asked = asyncio.Event()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run it once the disk is free."""
        self.asked.set()
        await self.free.wait()
        return await super().run(function, *args, **kwargs)


async def test_what_is_spent_last_while_the_disk_is_slow_is_written_too(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = Held()
    spending = QuotaStore(account, tables, threads)
    bucket = UnitBucket(lambda: 6000, spending, time.time)
    async with asyncio.timeout(30):
        await bucket.take(AT_ONCE_UNITS)
        await threads.asked.wait()
        await bucket.take(AT_ONCE_UNITS)
        threads.free.set()
        while stored(tables, account) < AT_ONCE_UNITS * 2:
            await asyncio.sleep(0.01)
    await bucket.take(2)
    await asyncio.sleep(LEAST_S * 1.5)
    assert stored(tables, account) == AT_ONCE_UNITS * 2, "a small sum after a large one waits for more"
    await spending.close()
    threads.close()
    tables.db.close()


async def test_a_start_counts_the_last_minute_and_no_more(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    now = datetime.now(UTC)
    for ago_s, units in ((70, 1), (50, 20), (1, 300)):
        tables.accounts.spend(account, now - timedelta(seconds=ago_s), units)
    assert [units for _, units in QuotaStore(account, tables, threads).load()] == [20, 300]
    threads.close()
    tables.db.close()


async def test_the_next_start_does_not_spend_the_minute_again(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    spending = QuotaStore(account, tables, threads)
    bucket = UnitBucket(lambda: 6000, spending, time.time)
    while not bucket.room_s(50):
        await bucket.take(50)
    await spending.close()
    spent = stored(tables, account)
    assert spent == sum(units for _, units in spending.load())
    later = UnitBucket(lambda: 6000, QuotaStore(account, tables, threads), time.time)
    assert later.room_s(600) > 0
    threads.close()
    tables.db.close()


async def test_small_sums_wait_for_the_end_or_a_few_seconds(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    spending = QuotaStore(account, tables, threads)
    bucket = UnitBucket(lambda: 6000, spending, time.time)
    await bucket.take(2)
    await asyncio.sleep(0.05)
    assert stored(tables, account) == 0
    await spending.close()
    assert stored(tables, account) == 2
    await spending.close()
    assert stored(tables, account) == 2, "nothing is written twice"
    threads.close()
    tables.db.close()


async def test_before_the_account_is_known_nothing_is_stored(tmp_path: Path) -> None:
    tables, account = opened(tmp_path)
    threads = StoreExecutor()
    spending = QuotaStore(AccountId(0), tables, threads)
    await UnitBucket(lambda: 6000, spending, time.time).take(500)
    await spending.close()
    assert stored(tables, account) == 0
    assert spending.load() == ()
    threads.close()
    tables.db.close()
