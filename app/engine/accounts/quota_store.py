"""Stores the quota units spent, so that a restart does not spend a minute's quota twice.

They are written once a second while there are new ones, off the loop.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.engine.runtime.tables import Tables

log = logging.getLogger(__name__)

WRITE_AFTER_S = 1.0
"""A kill loses at most what was spent in this time. A transaction for each call would cost more than it saves."""
WINDOW_S = 60.0


class QuotaStore:
    """`QuotaLog` of one account for the unit bucket. Stores nothing while the account is unknown (0)."""

    def __init__(self, account_id: AccountId, tables: Tables) -> None:
        self.account_id = account_id
        self._tables = tables
        self._written_until = time.time()
        self._spent: Sequence[tuple[float, int]] = ()
        self._writing: asyncio.Task[None] | None = None

    def load(self) -> Sequence[tuple[float, int]]:
        """Units spent in the last minute, oldest first."""
        if not self.account_id:
            return ()
        since = datetime.now(UTC) - timedelta(seconds=WINDOW_S)
        rows = self._tables.accounts.units_spent(self.account_id, since)
        return [(at.timestamp(), units) for at, units in rows]

    def save(self, spent: Sequence[tuple[float, int]]) -> None:
        """Takes the units spent and schedules a write."""
        self._spent = spent
        if spent:  # if the clock was set back, new entries would otherwise count as written
            self._written_until = min(self._written_until, spent[-1][0])
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
            await asyncio.sleep(WRITE_AFTER_S)
            await self._write()

    async def _write(self) -> None:
        """Writes one row for the units spent since the last one."""
        units = self._unwritten()
        if not self.account_id or not units:
            return
        self._written_until = max(at for at, _ in self._spent)
        at = datetime.fromtimestamp(self._written_until, UTC)
        await self._tables.run(self._tables.accounts.spend, self.account_id, at, units)
