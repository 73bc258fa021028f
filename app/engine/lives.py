"""One house after the other over the same folder and wire: after damage, a wipe or lost vectors everything is closed, mended and
opened again while the window waits behind the door.

Refuses to open a store that was seen damaged before it is mended, and to start work while a wipe is pending.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial

from app.config.machine import this_machine
from app.config.paths import DataFolder, checkpoint_files
from app.config.secrets import Secrets, sign_in_name
from app.domain.errors import DiskFull, ExpectedError, KeyringUnavailable, StoreCopied, StoreDamaged, StoreRestored
from app.domain.events import EngineReady, Initiator, MailChanged, Trouble
from app.domain.ids import AccountId
from app.engine.announcer import Announcer
from app.engine.door import Door
from app.engine.exits import Exits
from app.engine.house import House
from app.engine.live_files import model_label
from app.engine.process_age import age_ms
from app.engine.steady_clock import SteadyClock, keep
from app.engine.store_threads import StoreThreads
from app.engine.supervision import Workers
from app.engine.tables import Tables, open_tables
from app.engine.upkeep import Upkeep
from app.engine.wiping import PendingWipe, note_wipe, pending_wipe, unclear_wipe, wipe
from app.store import marks
from app.store.artifacts import ArtifactFolder
from app.store.database import Database
from app.store.origin import Origin
from app.store.recovery import Recovery, recover

log = logging.getLogger(__name__)

NOTED_EVERY_S = 30.0
"""A kill forgets at most so much of what left; only a copy put back within that time is not known as one."""

GIVEN = "REPLYROOM_GOOGLE_TOKEN"
"""A sign-in of the environment; it must not bring a wiped account back while this process lives."""


async def keep_noted(origin: Origin, db: Database, threads: StoreThreads) -> None:
    """Note how far the database is, for ever."""
    while True:
        await asyncio.sleep(NOTED_EVERY_S)
        await threads.run(origin.note, db)


class Lives:
    """`run` serves until `stop` is called."""

    def __init__(
        self, folder: DataFolder, environment: Mapping[str, str], announcer: Announcer, door: Door, clock: SteadyClock
    ) -> None:
        self._folder = folder
        self._environment = dict(environment)
        self._announcer = announcer
        self._door = door
        self._secrets = Secrets()  # what is kept for the session outlives each house
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._stopped = False

    def stop(self) -> None:
        """End for good."""
        self._stopped = True
        self._over.set()

    async def run(self, served: Callable[[], None]) -> None:
        """Live, again and again; `served` is called when the first house stands. Raises the store's trouble."""
        first = True
        while not self._stopped:
            self._over.clear()
            await self._finish_wipe()
            async with AsyncExitStack() as stack:
                house = await self._build(stack)
                if first:
                    served()
                first = False
                opening = asyncio.create_task(house.open())
                await self._over.wait()
                opening.cancel()
                await asyncio.gather(opening, return_exceptions=True)

    async def _build(self, stack: AsyncExitStack) -> House:
        """Open the store, build the house over it, and let the window in."""
        path = self._folder.database
        tables, recovery = await self._open_store()
        unclean = marks.begin(path)
        stack.callback(marks.end, path)
        stack.callback(tables.db.close)
        origin = Origin(path, this_machine())
        doubted = await asyncio.to_thread(origin.settle, tables.db, self._clock())
        stack.callback(origin.note, tables.db)
        threads = StoreThreads(full=self._full)
        stack.callback(threads.close)
        house = House(self._folder, self._environment, self._announcer, tables, threads, self._exits(), self._secrets)
        stack.push_async_callback(house.close)
        around = Workers(self._announcer)
        stack.push_async_callback(around.stop)
        self._door.open(house)
        stack.push_async_callback(self._door.close)
        stack.callback(threads.hurry)
        self._announcer.tell(EngineReady(age_ms(), model_label(house.settings.now)))
        self._tell_of(recovery, tables)
        if doubted:
            error = StoreCopied(doubted)
            self._announcer.tell(Trouble(error.code, error.detail, error.remedy))
        around.start("clock", partial(keep, self._clock, tables.db, threads))
        around.start("origin", partial(keep_noted, origin, tables.db, threads))
        around.start("upkeep", Upkeep(tables, threads, self._announcer, unclean, ArtifactFolder(self._folder.artifacts)).run)
        return house

    async def _open_store(self) -> tuple[Tables, Recovery | None]:
        """The tables, mended first where damage was noted or is met now."""
        path = self._folder.database
        if not marks.seen_damaged(path):
            try:
                return open_tables(path, self._clock, self._damaged), None
            except StoreDamaged as error:
                log.error("the database cannot be opened: %s", error)
        recovery = await asyncio.to_thread(recover, path, self._clock(), checkpoint_files(self._folder))
        return open_tables(path, self._clock, self._damaged), recovery

    def _tell_of(self, recovery: Recovery | None, tables: Tables) -> None:
        """What was mended, in words; the window reads everything again."""
        if recovery is None:
            return
        for account in tables.accounts.all():
            self._announcer.tell(MailChanged(account.id, (), Initiator.SYNC))
        if recovery.kept is None:
            log.warning("indexes of the database were damaged and are built anew")
            return
        made_at = recovery.taken_at.astimezone() if recovery.taken_at else None
        error = StoreRestored(recovery.kept.name, made_at, recovery.doubted)
        log.error("%s", error)
        self._announcer.tell(Trouble(error.code, error.detail, error.remedy))

    async def _finish_wipe(self) -> None:
        """Do what was noted, before anything is opened."""
        wanted = pending_wipe(self._folder)
        unclear = unclear_wipe(self._folder) if wanted is None else None
        if unclear is not None:
            self._announcer.tell(Trouble(unclear.code, unclear.detail, unclear.remedy))
        if wanted is None:
            return
        await self._forget_sign_in(wanted)
        try:
            await asyncio.to_thread(wipe, self._folder, wanted)
        except StoreDamaged:
            await asyncio.to_thread(recover, self._folder.database, self._clock(), checkpoint_files(self._folder))
            await asyncio.to_thread(wipe, self._folder, wanted)
        self._environment.pop(GIVEN, None)
        self._announcer.tell(MailChanged(AccountId(wanted.account_id), (), Initiator.USER))

    async def _forget_sign_in(self, wanted: PendingWipe) -> None:
        """The account's tokens leave the keyring; without one that answers, the user has to know."""
        try:
            await self._secrets.delete(sign_in_name(wanted.email))
        except KeyringUnavailable as error:
            self._announcer.tell(Trouble(error.code, error.detail, error.remedy))

    def _exits(self) -> Exits:
        return Exits(self.stop, self._wipe, lambda: self._again("the vectors are lost"))

    def _wipe(self, account_id: AccountId, email: str) -> None:
        note_wipe(self._folder, account_id, email)
        self._over.set()

    def _damaged(self, error: StoreDamaged) -> None:
        """From any thread, at the first query that meets damage."""
        if not marks.seen_damaged(self._folder.database):
            marks.note_damaged(self._folder.database)
            self._again(str(error))

    def _again(self, why: str) -> None:
        log.error("everything is opened again: %s", why)
        self._loop.call_soon_threadsafe(self._over.set)

    def _full(self, error: ExpectedError) -> None:
        """Told once while the disk is full."""
        log.error("%s", error)
        self._announcer.tell(Trouble(DiskFull.code, error.detail, error.remedy))
