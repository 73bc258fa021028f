"""Stores the quota units spent, so that a restart does not spend a minute's quota twice.

Large sums are written at once, small ones a few seconds later, off the loop. A transaction for each small call would cost more
than it saves.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.engine.runtime.store_executor import StoreExecutor
from app.engine.runtime.tables import Tables

log = logging.getLogger(__name__)

WRITE_AFTER_S = 3.0
AT_ONCE_UNITS = 100
LEAST_S = 0.3
"""Least time between two writes. With a large quota, sums come faster than they need to be stored."""
WINDOW_S = 60.0


class QuotaStore:
    """`QuotaLog` of one account for the unit bucket. Stores nothing while the account is unknown (0)."""

    def __init__(self, account_id: AccountId, tables: Tables, threads: StoreExecutor) -> None:
        self.account_id = account_id
        self._tables = tables
        self._threads = threads
        self._written_until = time.time()
        self._next_write_s = 0.0
        self._spent: Sequence[tuple[float, int]] = ()
        self._writing: asyncio.Task[None] | None = None
        self._large = asyncio.Event()

    def load(self) -> Sequence[tuple[float, int]]:
        """Units spent in the last minute, oldest first."""
        if not self.account_id:
            return ()
        since = datetime.now(UTC) - timedelta(seconds=WINDOW_S)
        rows = self._tables.accounts.units_spent(self.account_id, since)
        return [(at.timestamp(), units) for at, units in rows]

    def save(self, spent: Sequence[tuple[float, int]]) -> None:
        """Takes the units spent and schedules a write, an early one when many are not written yet."""
        self._spent = spent
        if spent:  # if the clock was set back, new entries would otherwise count as written
            self._written_until = min(self._written_until, spent[-1][0])
        if self._unwritten() >= AT_ONCE_UNITS:
            self._large.set()
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_soon())

    async def close(self) -> None:
        """Stops writing in the background and writes the rest."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        try:
            await self._write()
        except ExpectedError as error:
            # The store is full or damaged. Ending in order matters more than a minute's quota.
            log.warning("the last units spent are not remembered: %s", error.code)

    def _unwritten(self) -> int:
        """Units spent since the last row was written."""
        return sum(cost for at, cost in self._spent if at > self._written_until)

    async def _write_soon(self) -> None:
        while self._unwritten():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WRITE_AFTER_S):
                    await self._large.wait()
            self._large.clear()
            await asyncio.sleep(max(self._next_write_s - time.monotonic(), 0.0))
            self._next_write_s = time.monotonic() + LEAST_S
            await self._write()

    async def _write(self) -> None:
        """Writes one row for the units spent since the last one."""
        units = self._unwritten()
        if not self.account_id or not units:
            return
        self._written_until = max(at for at, _ in self._spent)
        at = datetime.fromtimestamp(self._written_until, UTC)
        await self._threads.run(self._tables.accounts.spend, self.account_id, at, units)
