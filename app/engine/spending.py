"""Quota units spent, remembered across restarts so that a restart does not spend a minute's budget twice.

Written a few seconds late and off the loop: a transaction for each call would cost more than what it guards.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from app.domain.ids import AccountId
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables

WRITE_AFTER_S = 3.0
WINDOW_S = 60.0


class StoredSpending:
    """`Spendings` of one account for the unit bucket; before the account is known (0) nothing is stored."""

    def __init__(self, account_id: AccountId, tables: Tables, threads: StoreThreads) -> None:
        self.account_id = account_id
        self._tables = tables
        self._threads = threads
        self._written_until = time.time()
        self._spent: Sequence[tuple[float, int]] = ()
        self._writing: asyncio.Task[None] | None = None

    def load(self) -> Sequence[tuple[float, int]]:
        """What was spent in the last minute, oldest first."""
        if not self.account_id:
            return ()
        since = datetime.now(UTC) - timedelta(seconds=WINDOW_S)
        rows = self._tables.accounts.units_spent(self.account_id, since)
        return [(at.timestamp(), units) for at, units in rows]

    def save(self, spent: Sequence[tuple[float, int]]) -> None:
        """Note it; it is written soon."""
        self._spent = spent
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_soon())

    def close(self) -> None:
        """Write nothing more."""
        if self._writing is not None:
            self._writing.cancel()

    async def _write_soon(self) -> None:
        """One row for all that was spent since the last one."""
        await asyncio.sleep(WRITE_AFTER_S)
        units = sum(cost for at, cost in self._spent if at > self._written_until)
        self._written_until = time.time()
        if self.account_id and units:
            await self._threads.run(self._tables.accounts.spend, self.account_id, datetime.now(UTC), units)
