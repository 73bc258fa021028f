"""One connected mailbox: finds out its address, registers it as an account and syncs it until the engine ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.domain.errors import ExpectedError, LoginNeeded, NotFound, PermissionMissing, RejectedByServer, ServerError
from app.domain.ids import AccountId
from app.domain.mail.message import SendAs
from app.domain.ports.gmail import MailServer
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.domain.record import Record
from app.engine.accounts.connections import Connections
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.engine.sync.listing import SyncPace
from app.engine.sync.mirror import MailboxMirror
from app.engine.sync.status import ConnectionHealth
from app.engine.sync.syncer import Syncer, SyncListener

log = logging.getLogger(__name__)

COLOURS = ("#3b6fd4", "#b3541e", "#2d7d46", "#7a4fb5", "#a33b5d")


class MailboxContext(Record):
    tables: Tables
    announcer: EventBus
    connections: Connections
    pace: SyncPace
    listener: SyncListener


class Mailbox:
    """Syncs one mailbox. `server` is not used before `run`.

    `known` is the account if it was registered before, else 0. With `guessed` the sign-in may belong to another account than
    `known`. `registered` is awaited with account and address before the server is connected.
    """

    def __init__(
        self,
        server: MailServer,
        context: MailboxContext,
        known: AccountId,
        registered: Callable[[AccountId, str], Awaitable[None]],
        paused: bool = False,
        *,
        guessed: bool = False,
    ) -> None:
        self._server, self._context, self._registered = server, context, registered
        self._syncer: Syncer | None = None
        self._current: asyncio.Task[None] | None = None
        self.paused, self._ended = paused, False
        self._guessed = guessed
        self._changed = WakeUp()
        self.account_id = known
        self.bell = WakeUp()

    @property
    def recent_done(self) -> bool:
        """Whether the recent mail and the owner's answers are stored."""
        return self._syncer is not None and self._syncer.recent_done

    def pause(self, paused: bool) -> None:
        """Pauses or resumes the mailbox. The current sync is cancelled and later started again."""
        if paused is not self.paused:
            self.paused = paused
            self._interrupt()

    def check_now(self) -> None:
        """Polls now and retries messages that could not be fetched, at the user's request."""
        if self._syncer is not None:
            self._syncer.retry()
        self.bell.ring()

    def end(self) -> None:
        """Stops for good, because another sign-in takes its place."""
        self._ended = True
        self._interrupt()

    async def run(self) -> None:
        """Runs until cancelled or ended, with pauses in between."""
        while not self._ended:
            if self.paused:
                now_ms = int(self._context.tables.clock().timestamp() * 1000)
                self._context.announcer.tell(ConnectionChanged(self.account_id, ConnectionState.PAUSED, now_ms, ""))
                await self._changed.wait()
                continue
            life = self._current = asyncio.create_task(self._connect_and_sync())
            try:
                await life
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise

    def _interrupt(self) -> None:
        self._changed.ring()
        if self._current is not None:
            self._current.cancel()

    async def _connect_and_sync(self) -> None:
        """Connects, waiting while the server cannot be reached, then syncs."""
        health = ConnectionHealth(self.account_id, self._context.announcer)
        while True:
            try:
                account_id, email = await self._register()
                break
            except ExpectedError as error:
                if isinstance(error, LoginNeeded):
                    self._context.listener.signed_out(self.account_id)
                wait_s = health.met(error)
            await self.bell.wait(wait_s)
        self.account_id, self._guessed = account_id, False
        await self._registered(account_id, email)
        self._context.connections.put(account_id, self._server)
        mirror = MailboxMirror(account_id, self._context.tables, self._context.announcer, self._context.listener.paged)
        self._syncer = Syncer(self._server, mirror, self._context.pace, self._context.listener, self.bell)
        try:
            await self._syncer.run()
        finally:
            self._context.connections.drop(account_id)

    async def close(self) -> None:
        await self._server.close()

    async def _register(self) -> tuple[AccountId, str]:
        """Reads address and send-as names from Google and stores the account. If Google returns no names, stored ones stay.

        An account of this sign-in is renamed when Google reports another address; its mail and outbox stay.
        """
        email = (await self._server.profile()).email.lower()
        try:
            senders = await self._server.send_as()
        except (PermissionMissing, RejectedByServer, NotFound, ServerError) as error:
            log.warning("account %d: its names to send under cannot be read: %s", self.account_id, error.code)
            senders = ()
        run, table = self._context.tables.run, self._context.tables.accounts
        accounts = await run(table.all)
        known = next((one for one in accounts if one.email == email), None)
        if known is None and not self._guessed:
            known = next((one for one in accounts if one.id == self.account_id), None)
            if known is not None:
                log.info("account %d has another address", known.id)
                await run(table.renamed, known.id, email)
        if known is not None and not senders:
            return known.id, email
        standard = next((one for one in senders if one.is_default), None) or next(iter(senders), SendAs(email, "", True, ""))
        colour = known.colour if known else COLOURS[len(accounts) % len(COLOURS)]
        names = tuple(dict.fromkeys([email, *(one.email.lower() for one in senders)]))
        account_id = await run(table.add, email, standard.name, names, standard.signature, colour)
        await run(table.set_identities, account_id, senders)
        if known is None:
            log.info("account %d was added", account_id)
        return account_id, email
