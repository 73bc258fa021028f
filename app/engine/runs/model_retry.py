"""Asks the model again about mail that it gave no answer for, once it is back.

A run notes that it had to do without its model by a job of kind `ask_again`. While the provider is known to be down nothing is
asked; then one mail tries it, and the others follow when that one was answered.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.domain.ids import RunId
from app.engine.runs.router import MailRouter
from app.engine.runtime.tables import Tables
from app.store.runs.runs import ASK_AGAIN

if TYPE_CHECKING:
    from app.agent.llm.turns import ModelGateway

LOOK_EVERY_S = 15.0
AT_ONCE = 10
"""Mails asked about in one go: more than one only while the model answers."""


class ModelRetry:
    """Starts the repetitions of runs that had no model."""

    def __init__(self, tables: Tables, router: MailRouter, gateway: "Callable[[], ModelGateway | None]") -> None:
        self._tables = tables
        self._router = router
        self._gateway = gateway

    async def run(self) -> None:
        """Looks for due jobs until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Starts what may be asked now. Without a model the waiting jobs are dropped."""
        gateway = self._gateway()
        jobs = await self._tables.run(self._tables.jobs.due, ASK_AGAIN, AT_ONCE, ())
        if gateway is not None:
            jobs = jobs[: 0 if gateway.waits_s else 1 if gateway.in_doubt else AT_ONCE]
        for job in jobs:
            if gateway is not None:
                await self._router.repeat(RunId(job.key))
            await self._tables.run(self._tables.jobs.done, job.id)
