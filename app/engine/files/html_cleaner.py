"""Cleans HTML so that it is safe to show: at once for a message that is opened, in the background for the newest.

Cleaning costs more than everything else that sync does to a message, and most messages are never opened.
"""

import time
from datetime import timedelta

from app.domain.ids import MessageId
from app.domain.protocol.events import Initiator
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp

AHEAD = timedelta(days=14)
MOST_AHEAD = 400
"""Most messages cleaned ahead after each arrival of mail."""
AT_ONCE = 5
QUIET_S = 1.0
"""Cleaning starts when no mail came for this long. Google's quota leaves such pauses in any first sync."""
REST = 4
"""Seconds of rest for each second of work."""


class HtmlCleaner:
    """Cleans on demand with `prepare` and ahead of time with `run`. Call `wake` after mail came in."""

    def __init__(self, tables: Tables, announcer: EventBus) -> None:
        self._tables, self._announcer = tables, announcer
        self._wake_up = WakeUp()

    def wake(self) -> None:
        """Makes `run` look for new mail."""
        self._wake_up.ring()

    async def prepare(self, message_id: MessageId) -> None:
        """Cleans one message and reports its conversation as changed, even if it was clean already."""
        await self._tables.run(self._tables.html_sources.clean, [message_id])
        message = await self._tables.run(self._tables.messages.get, message_id)
        self._announcer.mail(message.account_id, (message.thread_id,), Initiator.SYNC)

    async def run(self) -> None:
        """Cleans the newest mail whenever some came in, until cancelled."""
        while True:
            woken = await self._work_ahead() or await self._wake_up.wait()
            while woken:
                woken = await self._wake_up.wait(QUIET_S)

    async def _work_ahead(self) -> bool:
        """Cleans the newest messages until none waits, enough are clean, or mail comes in. Returns whether mail came in."""
        for _ in range(MOST_AHEAD // AT_ONCE):
            since = self._tables.clock() - AHEAD
            ids = await self._tables.run(self._tables.html_sources.waiting, int(since.timestamp() * 1000), AT_ONCE)
            if not ids:
                return False
            began = time.monotonic()
            await self._tables.run(self._tables.html_sources.clean, ids)
            if await self._wake_up.wait(REST * (time.monotonic() - began)):
                return True
        return False
