"""Reads the stored mail of each account in the background and adapts triage to whom its owner answers.

Reading is done in small steps, since it takes some milliseconds of processor time a mail.
"""

import asyncio
import logging

from app.agent.triage.classifier import TaughtTriage, shipped_weights
from app.agent.triage.owner_model import AnswerHistory
from app.domain.ids import MessageId
from app.domain.mail.message import Account
from app.engine.runtime.tables import Tables

log = logging.getLogger(__name__)

NEWEST = 4000
"""Messages an account's model is learned from, sent ones included."""

STEP = 10
PAUSE_S = 0.1
FIRST_S = 20.0
"""Wait after the start of the engine, when others need the processor."""

AGAIN_S = 6 * 3600.0


class ArchiveLearner:
    """Learns from the archive a while after the start, and again every few hours."""

    def __init__(self, tables: Tables, triage: TaughtTriage) -> None:
        self._tables = tables
        self._triage = triage

    async def run(self) -> None:
        """Learns until cancelled."""
        await asyncio.sleep(FIRST_S)
        while True:
            for account in await self._tables.run(self._tables.accounts.all):
                await self.learn(account)
            await asyncio.sleep(AGAIN_S)

    async def learn(self, account: Account, pause_s: float = PAUSE_S) -> None:
        """Learns from one account's newest mail."""
        ids = await self._tables.run(self._tables.messages.newest, account.id, NEWEST)
        reader = AnswerHistory(account, shipped_weights().respond)
        for start in range(0, len(ids), STEP):
            await self._tables.run(self._read, reader, ids[start : start + STEP])
            await asyncio.sleep(pause_s)
        model = await self._tables.run(reader.model)
        self._triage.adapt(account.id, model)
        log.info("triage learned from %d mails of account %d", model.examples, account.id)

    def _read(self, reader: AnswerHistory, ids: tuple[MessageId, ...]) -> None:
        found = self._tables.messages.many(ids)
        for message_id in ids:
            if message_id in found:
                reader.add(found[message_id])
