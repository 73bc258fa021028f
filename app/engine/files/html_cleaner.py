"""HTML made safe to show: at once for the mail that somebody opens, ahead of that for the newest, gently.

Cleaning costs more than all else that sync does to a mail, and most mail is never opened.
"""

import time
from datetime import timedelta

from app.domain.ids import MessageId
from app.domain.protocol.events import Initiator
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.store_executor import StoreExecutor
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp

AHEAD = timedelta(days=14)
MOST_AHEAD = 400
"""So many of the newest are made ready unasked between two arrivals of mail."""
AT_ONCE = 5
QUIET_S = 1.0
"""Nothing came for so long: then it is the turn of what came. Google's quota leaves such rests in any first sync."""
REST = 4
"""Seconds of rest for each second of work."""


class HtmlCleaner:
    """`prepare` answers the window, `run` works ahead until cancelled; `wake` it after mail came in."""

    def __init__(self, tables: Tables, threads: StoreExecutor, announcer: EventBus) -> None:
        self._tables = tables
        self._threads = threads
        self._announcer = announcer
        self._bell = WakeUp()

    def wake(self) -> None:
        """There may be mail to make ready."""
        self._bell.ring()

    async def prepare(self, message_id: MessageId) -> None:
        """Make one mail ready and tell the window that its thread changed, also when it was ready by now."""
        await self._threads.run(self._tables.html_sources.clean, [message_id])
        message = await self._threads.run(self._tables.messages.get, message_id)
        self._announcer.mail(message.account_id, (message.thread_id,), Initiator.SYNC)

    async def run(self) -> None:
        """Make the newest mail ready whenever some came in."""
        while True:
            rang = await self._work_ahead() or await self._bell.wait()
            while rang:
                rang = await self._bell.wait(QUIET_S)

    async def _work_ahead(self) -> bool:
        """The newest, until nothing waits, enough is ready or mail comes in; whether that was it."""
        for _ in range(MOST_AHEAD // AT_ONCE):
            since = self._tables.clock() - AHEAD
            ids = await self._threads.run(self._tables.html_sources.waiting, int(since.timestamp() * 1000), AT_ONCE)
            if not ids:
                return False
            began = time.monotonic()
            await self._threads.run(self._tables.html_sources.clean, ids)
            if await self._bell.wait(REST * (time.monotonic() - began)):
                return True
        return False
