"""Tries triage on the owner's past mail, in small steps on a thread, with progress, until it is done or cancelled.

The command line uses the same steps without the engine.
"""

import asyncio
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.events import BacktestProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.store.mail.messages import Messages

if TYPE_CHECKING:
    pass

DAYS_A_MONTH = 30
EARLIER = 3000
"""Messages before the period that are learned from, the newest ones."""

STEP = 5
PAUSE_S = 0.005
"""Wait between two steps, so that the event loop gets its turn: a step takes some 15 ms of processor time."""

TOLD_EVERY_S = 0.25
STRONGEST = 8


class BacktestReader:
    """Reads an account's past mail into a `Backtest`, step by step. Synchronous; imports the classifier."""

    def __init__(self, messages: Messages, account: Account, months: int) -> None:
        from app.agent.triage.backtest import Backtest

        self._messages = messages
        self.since, self._ids = messages.past(account.id, months * DAYS_A_MONTH, EARLIER)
        self._account, self._until_ms = account, 0
        self._backtest: Backtest = Backtest(account, self.since)

    @property
    def total(self) -> int:
        return len(self._ids)

    def steps(self) -> Iterator[int]:
        """Reads `STEP` messages at each turn and yields how many were read."""
        for start in range(0, len(self._ids), STEP):
            ids = self._ids[start : start + STEP]
            found = self._messages.many(ids)
            for message_id in ids:
                if message_id in found:
                    self._backtest.add(found[message_id])
                    self._until_ms = int(found[message_id].date.timestamp() * 1000)
            yield min(start + STEP, len(self._ids))

    def done(self) -> BacktestDone:
        """What was found."""
        model = self._backtest.model()
        since_ms = int(self.since.timestamp() * 1000)
        rows, strongest = self._backtest.rows(), model.strongest(STRONGEST)
        return BacktestDone(self._account.id, since_ms, self._until_ms, rows, model.examples, model.answered, strongest)


class BacktestService:
    """Answers `RunBacktest`. One trial runs at a time."""

    queries = (RunBacktest,)

    def __init__(self, tables: Tables, announcer: EventBus) -> None:
        self._tables = tables
        self._announcer = announcer
        self._running = False

    async def answer(self, query: RunBacktest) -> BacktestDone:
        """Runs a trial. Raises `NotFound`, and `NotAllowed` while another one runs."""
        if self._running:
            raise NotAllowed("A trial on your past mail is already running.", "Wait until it ends, or cancel it.")
        account = await self._tables.run(self._tables.accounts.get, query.account_id)
        self._running = True
        try:
            return await self._run(account, query.months)
        finally:
            self._running = False

    async def _run(self, account: Account, months: int) -> BacktestDone:
        reader = await asyncio.to_thread(BacktestReader, self._tables.messages, account, months)
        steps, told = reader.steps(), 0.0
        self._tell(account.id, 0, reader.total)
        while (done := await asyncio.to_thread(next, steps, None)) is not None:
            if time.monotonic() - told >= TOLD_EVERY_S:
                told = time.monotonic()
                self._tell(account.id, done, reader.total)
            await asyncio.sleep(PAUSE_S)
        self._tell(account.id, reader.total, reader.total)
        return await asyncio.to_thread(reader.done)

    def _tell(self, account_id: AccountId, done: int, total: int) -> None:
        self._announcer.tell(BacktestProgress(account_id, done, total))
