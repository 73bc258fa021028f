"""Units spent are remembered: once a second, and the rest at the end; the next start counts them."""

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.engine.accounts.quota_store import QuotaStore
from app.engine.runtime.tables import Tables, open_tables
from app.mail.gmail.pacing import UnitBucket

pytestmark = pytest.mark.anyio


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """A store with one account, whose id is 1."""
    made = open_tables(tmp_path / "mail.db", lambda: datetime.now(UTC))
    made.accounts.add("me@example.com", "Mia", ("me@example.com",), "", "#336699")
    yield made
    made.close()


def stored(tables: Tables) -> int:
    """Units in the file."""
    return sum(units for _, units in tables.accounts.units_spent(AccountId(1), datetime.fromtimestamp(0, UTC)))


async def until_stored(tables: Tables, units: int) -> None:
    async with asyncio.timeout(30):
        while stored(tables) < units:
            await asyncio.sleep(0.01)


async def test_what_is_spent_is_written_soon_and_together(tables: Tables) -> None:
    spending = QuotaStore(AccountId(1), tables)
    bucket = UnitBucket(lambda: 60000, spending, time.time)
    for _ in range(30):
        await bucket.take(100)
        await asyncio.sleep(0.001)
    await until_stored(tables, 3000)
    await bucket.take(2)
    await until_stored(tables, 3002)
    assert len(tables.accounts.units_spent(AccountId(1), datetime.fromtimestamp(0, UTC))) <= 3
    assert sum(units for _, units in QuotaStore(AccountId(1), tables).load()) == 3002
    await spending.close()


async def test_after_the_clock_was_set_back_sums_are_remembered_all_the_same(tables: Tables) -> None:
    spending, back_s = QuotaStore(AccountId(1), tables), [0.0]
    bucket = UnitBucket(lambda: 6000, spending, lambda: time.time() - back_s[0])
    await bucket.take(1)
    back_s[0] = 86_400.0
    for _ in range(2):
        await bucket.take(100)
    await until_stored(tables, 100)
    await spending.close()


async def test_a_start_counts_the_last_minute_and_no_more(tables: Tables) -> None:
    now = datetime.now(UTC)
    for ago_s, units in ((70, 1), (50, 20), (1, 300)):
        tables.accounts.spend(AccountId(1), now - timedelta(seconds=ago_s), units)
    assert [units for _, units in QuotaStore(AccountId(1), tables).load()] == [20, 300]


async def test_the_end_writes_the_rest_once_and_the_next_start_does_not_spend_it_again(tables: Tables) -> None:
    spending = QuotaStore(AccountId(1), tables)
    bucket = UnitBucket(lambda: 6000, spending, time.time)
    while not bucket.room_s(50):
        await bucket.take(50)
    await spending.close()
    await spending.close()
    assert stored(tables) == sum(units for _, units in spending.load())
    assert UnitBucket(lambda: 6000, QuotaStore(AccountId(1), tables), time.time).room_s(600) > 0


async def test_before_the_account_is_known_nothing_is_stored(tables: Tables) -> None:
    spending = QuotaStore(AccountId(0), tables)
    await UnitBucket(lambda: 6000, spending, time.time).take(500)
    await spending.close()
    assert stored(tables) == 0
    assert spending.load() == ()
