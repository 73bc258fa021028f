"""Opens the store at the engine's start. A noted wipe is done first, and a damaged database is repaired."""

import asyncio
import logging
from pathlib import Path

from app.config.machine import kept_number, this_machine
from app.config.paths import DataFolder, checkpoint_files, default_state_folder
from app.config.secrets import Secrets, sign_in_name
from app.domain.errors import DiskFull, KeyringUnavailable, StoreDamaged, StoreRestored
from app.domain.ids import AccountId
from app.domain.ports.agents import Clock
from app.domain.protocol.events import ErrorReported, Initiator, MailChanged
from app.engine.accounts.account_wipe import pending_wipe, unclear_wipe, wipe
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.process_control import EngineExit
from app.engine.runtime.tables import Tables, open_tables
from app.store.maintenance import backups
from app.store.maintenance.origin import Origin
from app.store.maintenance.recovery import Recovery, recover

log = logging.getLogger(__name__)

NOTED_EVERY_S = 30.0
"""A kill loses at most this much of the noted steps. Only a copy put back within that time goes unnoticed."""


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


async def keep_noted(origin: Origin, tables: Tables) -> None:
    """Notes the number of outbox steps until cancelled."""
    while True:
        await asyncio.sleep(NOTED_EVERY_S)
        await tables.run(origin.note, tables.db)


async def finish_wipe(folder: DataFolder, clock: Clock, secrets: Secrets, announcer: EventBus) -> bool:
    """Does a noted wipe and returns whether there was one. Call it before anything is opened."""
    wanted = pending_wipe(folder)
    if wanted is None:
        unclear = unclear_wipe(folder)
        if unclear is not None:
            announcer.tell(ErrorReported.of(unclear))
        return False
    try:
        await secrets.delete(sign_in_name(wanted.email))
    except KeyringUnavailable as error:
        announcer.tell(ErrorReported.of(error))
    try:
        await asyncio.to_thread(wipe, folder, wanted)
    except StoreDamaged:
        await asyncio.to_thread(recover, folder.database, clock(), checkpoint_files(folder))
        await asyncio.to_thread(wipe, folder, wanted)
    announcer.tell(MailChanged(AccountId(wanted.account_id), (), Initiator.USER))
    return True


async def open_store(folder: DataFolder, clock: Clock, exits: EngineExit, announcer: EventBus) -> tuple[Tables, Recovery | None]:
    """Opens the tables, after a repair where damage was noted or is met now.

    Damage met later is noted, and the engine exits for a restart.
    """
    path = folder.database

    def damaged(error: StoreDamaged) -> None:
        if not backups.seen_damaged(path):  # each query that meets damage says so, in any thread
            backups.note_damaged(path)
            exits.restart(str(error))

    def full(error: DiskFull) -> None:
        announcer.tell(ErrorReported.of(error))

    if not backups.seen_damaged(path):
        try:
            return open_tables(path, clock, damaged, full), None
        except StoreDamaged as error:
            log.error("the database cannot be opened: %s", error)
    recovery = await asyncio.to_thread(recover, path, clock(), checkpoint_files(folder))
    return open_tables(path, clock, damaged, full), recovery


def report_repair(recovery: Recovery, tables: Tables, announcer: EventBus) -> None:
    """Reports a repair. The window reads all mail again."""
    for account in tables.accounts.all():
        announcer.tell(MailChanged(account.id, (), Initiator.SYNC))
    if recovery.kept is None:
        log.warning("indexes of the database were damaged and are built anew")
        return
    made_at = recovery.taken_at.astimezone() if recovery.taken_at else None
    error = StoreRestored(recovery.kept.name, made_at, recovery.doubted)
    log.error("%s", error)
    announcer.tell(ErrorReported.of(error))
