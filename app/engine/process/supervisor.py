"""Runs the engine services for a data folder. After damage, a wipe or lost vectors it closes them, repairs the folder and starts
again; requests of the window wait meanwhile.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Protocol

from app.config.machine import kept_number, this_machine
from app.config.paths import DataFolder, checkpoint_files, default_state_folder
from app.config.secrets import Secrets, sign_in_name
from app.domain.errors import DiskFull, ExpectedError, KeyringUnavailable, StoreCopied, StoreDamaged, StoreRestored
from app.domain.ids import AccountId
from app.domain.protocol.account_commands import SignInAgain
from app.domain.protocol.commands import Answer, Command, ConnectGmail, ConnectService, Query
from app.domain.protocol.events import EngineReady, ErrorReported, Initiator, MailChanged
from app.engine.process.account_wipe import PendingWipe, note_wipe, pending_wipe, unclear_wipe, wipe
from app.engine.process.maintenance import Maintenance
from app.engine.process.priority import age_ms
from app.engine.process.services import EngineServices
from app.engine.runtime.clock import SteadyClock, keep
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import model_label
from app.engine.runtime.store_executor import StoreExecutor
from app.engine.runtime.tables import Tables, open_tables
from app.engine.runtime.workers import ShutdownHandles, WorkerSupervisor
from app.store.db.database import Database
from app.store.maintenance import marks
from app.store.maintenance.origin import Origin
from app.store.maintenance.recovery import Recovery, recover
from app.store.requests.artifacts import ArtifactFolder

PATIENCE_S = 10.0
WITH_PEOPLE = (ConnectGmail, ConnectService, SignInAgain)
"""Commands that wait for the user at a browser, maybe for minutes. They are cancelled when the gate closes."""


class RequestTarget(Protocol):
    """Handles the requests that the gate lets through."""

    async def handle(self, command: Command) -> None:
        """Handles one command and reports its failure as an event."""

    async def answer(self, query: Query) -> Answer:
        """Answers one query. Raises `ExpectedError`."""


class RequestGate:
    """Passes commands and queries to the current engine services, and makes them wait while there are none."""

    def __init__(self) -> None:
        self._inside: asyncio.Future[RequestTarget] = asyncio.get_running_loop().create_future()
        self._busy: set[asyncio.Task[object]] = set()
        self._with_people: set[asyncio.Task[object]] = set()

    def open(self, inside: RequestTarget) -> None:
        """Passes waiting and new requests to `inside`."""
        self._inside.set_result(inside)

    async def close(self) -> None:
        """Makes new requests wait, cancels sign-ins and waits up to `PATIENCE_S` for commands under way."""
        if self._inside.done():
            self._inside = asyncio.get_running_loop().create_future()
        given_up, self._with_people = self._with_people, set()
        for task in given_up:
            task.cancel()
        if waiting := {*self._busy, *given_up}:
            await asyncio.wait(waiting, timeout=PATIENCE_S)

    async def handle(self, command: Command) -> None:
        """Handles a command as soon as the gate is open."""
        inside = await asyncio.shield(self._inside)
        task = asyncio.current_task()
        assert task is not None
        waits_for_user = isinstance(command, WITH_PEOPLE)
        under_way = self._with_people if waits_for_user else self._busy
        under_way.add(task)
        try:
            await inside.handle(command)
        except asyncio.CancelledError:
            if not waits_for_user or task in self._with_people:
                raise
            task.uncancel()  # `close` cancelled the command, and the handler has reported that
        finally:
            under_way.discard(task)

    async def answer(self, query: Query) -> Answer:
        """Answers a query as soon as the gate is open. Raises `ExpectedError`."""
        return await (await asyncio.shield(self._inside)).answer(query)


log = logging.getLogger(__name__)

NOTED_EVERY_S = 30.0
"""A kill loses at most this much of the noted steps. Only a copy put back within that time goes unnoticed."""

GIVEN = "REPLYROOM_GOOGLE_TOKEN"
"""A sign-in from the environment. It must not bring a wiped account back while this process lives."""


def origin_of(path: Path) -> Origin:
    """Identifies the machine by the system's number, or by one that we keep.

    Where the system has no number, the steps of the outbox are noted outside the data folder as well.
    """
    machine = this_machine()
    if machine:
        return Origin(path, machine)
    state = default_state_folder()
    number = kept_number(state)
    return Origin(path, number, state / "stores" if number else None)


async def keep_noted(origin: Origin, db: Database, threads: StoreExecutor) -> None:
    """Notes the number of outbox steps until cancelled."""
    while True:
        await asyncio.sleep(NOTED_EVERY_S)
        await threads.run(origin.note, db)


class EngineSupervisor:
    """Starts the engine services again and again until `stop` is called."""

    def __init__(
        self, folder: DataFolder, environment: Mapping[str, str], announcer: EventBus, gate: RequestGate, clock: SteadyClock
    ) -> None:
        self._folder = folder
        self._environment = dict(environment)
        self._announcer = announcer
        self._gate = gate
        self._secrets = Secrets()  # secrets kept for the session survive a restart of the services
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        self._stopped = False

    def stop(self) -> None:
        """Ends the engine for good."""
        self._stopped = True
        self._closing.set()

    async def run(self, served: Callable[[], None]) -> None:
        """Serves until `stop`. Calls `served` when the services are first ready. Raises `ExpectedError` when the store cannot be
        opened.
        """
        first = True
        while not self._stopped:
            self._closing.clear()
            await self._finish_wipe()
            async with AsyncExitStack() as stack:
                services = await self._build(stack)
                if first:
                    served()
                first = False
                opening = asyncio.create_task(services.open())
                await self._closing.wait()
                opening.cancel()
                await asyncio.gather(opening, return_exceptions=True)

    async def _build(self, stack: AsyncExitStack) -> EngineServices:
        """Opens the store, builds the services over it and opens the gate."""
        path = self._folder.database
        tables, recovery = await self._open_store()
        unclean = marks.begin(path)
        stack.callback(marks.end, path)
        stack.callback(tables.db.close)
        origin = await asyncio.to_thread(origin_of, path)
        doubted = await asyncio.to_thread(origin.settle, tables.db, self._clock())
        stack.callback(origin.note, tables.db)
        threads = StoreExecutor(full=self._full)
        stack.callback(threads.close)
        services = EngineServices(
            self._folder, self._environment, self._announcer, tables, threads, self._shutdown_handles(), self._secrets
        )
        stack.push_async_callback(services.close)
        workers = WorkerSupervisor(self._announcer)
        stack.push_async_callback(workers.stop)
        self._gate.open(services)
        stack.push_async_callback(self._gate.close)
        stack.callback(threads.hurry)
        self._announcer.tell(EngineReady(age_ms(), model_label(services.settings.now)))
        self._tell_of(recovery, tables)
        if doubted:
            error = StoreCopied(doubted)
            self._announcer.tell(ErrorReported.of(error))
        workers.start("clock", partial(keep, self._clock, tables.db, threads))
        workers.start("origin", partial(keep_noted, origin, tables.db, threads))
        workers.start(
            "upkeep", Maintenance(tables, threads, self._announcer, unclean, ArtifactFolder(self._folder.artifacts)).run
        )
        return services

    async def _open_store(self) -> tuple[Tables, Recovery | None]:
        """Opens the tables, after a repair where damage was noted or is met now."""
        path = self._folder.database
        if not marks.seen_damaged(path):
            try:
                return open_tables(path, self._clock, self._damaged), None
            except StoreDamaged as error:
                log.error("the database cannot be opened: %s", error)
        recovery = await asyncio.to_thread(recover, path, self._clock(), checkpoint_files(self._folder))
        return open_tables(path, self._clock, self._damaged), recovery

    def _tell_of(self, recovery: Recovery | None, tables: Tables) -> None:
        """Reports a repair. The window reads all mail again."""
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
        self._announcer.tell(ErrorReported.of(error))

    async def _finish_wipe(self) -> None:
        """Does a wipe that was noted, before anything is opened."""
        wanted = pending_wipe(self._folder)
        unclear = unclear_wipe(self._folder) if wanted is None else None
        if unclear is not None:
            self._announcer.tell(ErrorReported.of(unclear))
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
        """Deletes the account's tokens from the keyring. Reports a keyring that does not answer."""
        try:
            await self._secrets.delete(sign_in_name(wanted.email))
        except KeyringUnavailable as error:
            self._announcer.tell(ErrorReported.of(error))

    def _shutdown_handles(self) -> ShutdownHandles:
        return ShutdownHandles(self.stop, self._wipe, lambda: self._restart("the vectors are lost"))

    def _wipe(self, account_id: AccountId, email: str) -> None:
        note_wipe(self._folder, account_id, email)
        self._closing.set()

    def _damaged(self, error: StoreDamaged) -> None:
        """Notes damage at the first query that meets it and restarts the services. Called from any thread."""
        if not marks.seen_damaged(self._folder.database):
            marks.note_damaged(self._folder.database)
            self._restart(str(error))

    def _restart(self, why: str) -> None:
        log.error("everything is opened again: %s", why)
        self._loop.call_soon_threadsafe(self._closing.set)

    def _full(self, error: ExpectedError) -> None:
        """Reports a full disk."""
        log.error("%s", error)
        self._announcer.tell(ErrorReported(DiskFull.code, error.detail, error.remedy))
