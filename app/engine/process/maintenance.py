"""Background maintenance of the store: an integrity check at the start, a daily copy and the retention sweep.

The check is due after an unclean end, or when the last one is a day old. It uses its own connections and thread, and stops when
the engine ends.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from app.domain.errors import ExpectedError, NotAllowed, StoreDamaged
from app.domain.protocol.events import ErrorReported
from app.engine.runtime.background_imports import load
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.store.db.times import at_work
from app.store.maintenance.backups import back_up, backup_due, check_due, newest_copy, note_checked
from app.store.maintenance.retention import sweep
from app.store.requests.artifacts import ArtifactFolder, named_documents

log = logging.getLogger(__name__)

LOOK_S = 5.0
AGAIN_S = 3600.0
OVERDUE = timedelta(hours=6)
DOCUMENTS = timedelta(days=30)
"""How long the assistant's documents stay after nothing names them any more, the same as the logs that name them."""
STOPS_WITHIN_S = 2.0
"""How long its thread may take to stop. The last connection to close then folds the write-ahead log."""


class Maintenance:
    """Runs until cancelled. `unclean` means that the last engine did not end in order."""

    def __init__(self, tables: Tables, announcer: EventBus, unclean: bool, artifacts: ArtifactFolder) -> None:
        self._tables, self._announcer, self._unclean, self._artifacts = tables, announcer, unclean, artifacts
        self._ending = threading.Event()
        self._began = tables.clock()

    async def run(self) -> None:
        """Checks the database if due, then makes a copy once a day until cancelled."""
        try:
            if self._unclean or check_due(self._tables.db.path, self._tables.clock()):
                await self._guarded(self._check)
            while True:
                await asyncio.sleep(LOOK_S)
                if not await self._tables.run(copy_now, self._tables, self._began):
                    continue
                if not await self._guarded(self._copy):
                    await asyncio.sleep(AGAIN_S)
                    continue
                gone = await self._tables.run(sweep, self._tables.db, self._tables.clock())
                files = await self._tables.run(self._sweep_documents)
                log.info("the daily copy is made; retention took %d rows and %d documents", gone, files)
        finally:
            self._ending.set()

    def _sweep_documents(self) -> int:
        with self._tables.db.reading() as connection:
            named = named_documents(connection)
        return self._artifacts.sweep(named, self._tables.clock() - DOCUMENTS)

    def _check(self) -> None:
        self._tables.db.check(self._go_on)
        note_checked(self._tables.db.path)
        log.info("the database is whole")

    def _copy(self) -> None:
        with self._tables.db.border():
            back_up(self._tables.db.path, self._go_on)

    def _go_on(self) -> bool:
        return not self._ending.is_set()

    async def _guarded(self, work: Callable[[], None]) -> bool:
        """Runs `work` on a thread. Returns whether it succeeded. Damage is reported by whoever opened the store."""
        working = asyncio.ensure_future(load(partial(work)))
        try:
            await asyncio.shield(working)
        except asyncio.CancelledError:
            self._ending.set()
            with suppress(ExpectedError, TimeoutError):
                await asyncio.wait_for(working, STOPS_WITHIN_S)
            raise
        except (StoreDamaged, NotAllowed) as error:
            log.info("upkeep stopped: %s", error.code)
            return False
        except ExpectedError as error:
            log.error("upkeep failed: %s", error)
            self._announcer.tell(ErrorReported.of(error))
            return False
        return True


def copy_now(tables: Tables, began: datetime) -> bool:
    """Whether a copy is due and the engine is idle enough for it. `began` is when the engine started."""
    now, path = tables.clock(), tables.db.path
    # A store without any copy is usually still fetching its mail, and a copy of half a mailbox is worth little. So its delay
    # counts from the engine's start.
    held_up = backup_due(path, now - OVERDUE) if newest_copy(path).exists() else now - began >= OVERDUE
    return backup_due(path, now) and (held_up or not at_work(tables.db, now))
