"""One connected mailbox: finds out whose it is, registers it, and keeps it in sync until the engine ends."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.domain.errors import ExpectedError, LoginNeeded
from app.domain.events import ConnectionState
from app.domain.ids import AccountId
from app.domain.ports.gmail import MailServer, SendAs
from app.engine.announcer import Announcer
from app.engine.bell import Bell
from app.engine.connections import Connections
from app.engine.store_threads import StoreThreads
from app.engine.sync.health import Health
from app.engine.sync.mirror import Mirror, Watch
from app.engine.sync.syncer import Syncer
from app.engine.tables import Tables

log = logging.getLogger(__name__)

COLOURS = ("#3b6fd4", "#b3541e", "#2d7d46", "#7a4fb5", "#a33b5d")
SIGNED_OUT_PAUSE_S = 300.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every mailbox works with. `fetched` is called when mail came in, `watch` with every page that was written."""

    tables: Tables
    threads: StoreThreads
    announcer: Announcer
    connections: Connections
    poll_s: Callable[[], float]
    fetched: Callable[[], None]
    watch: Watch


class Mailbox:
    """`server` is not asked anything before `run`; `known` is the account when an earlier start registered it, else 0;
    `registered` is awaited with account and address once they are known, before anybody else gets the server."""

    def __init__(
        self, server: MailServer, around: Surroundings, known: AccountId, registered: Callable[[AccountId, str], Awaitable[None]]
    ) -> None:
        self._server = server
        self._around = around
        self._known = known
        self._registered = registered
        self._syncer: Syncer | None = None
        self.bell = Bell()

    @property
    def recent_done(self) -> bool:
        """Whether the recent mail and the owner's answers are mirrored."""
        return self._syncer is not None and self._syncer.recent_done

    async def run(self) -> None:
        """Connect, with pauses while the server cannot be reached, then sync."""
        health = Health(self._known, self._around.announcer)
        while True:
            try:
                account_id, email = await self._register()
                break
            except LoginNeeded as error:
                wait_s = health.failed(ConnectionState.LOGIN_NEEDED, error, SIGNED_OUT_PAUSE_S)
            except ExpectedError as error:
                wait_s = health.failed(ConnectionState.OFFLINE, error)
            await self.bell.wait(wait_s)
        await self._registered(account_id, email)
        self._around.connections.put(account_id, self._server)
        try:
            await self._sync(account_id)
        finally:
            self._around.connections.drop(account_id)

    async def close(self) -> None:
        """Close the server's connections."""
        await self._server.close()

    async def _register(self) -> tuple[AccountId, str]:
        """Ask whose mailbox it is and under which names it sends."""
        profile = await self._server.profile()
        senders = await self._server.send_as()
        email = profile.email.lower()
        standard = _default(senders, email)
        accounts = await self._around.threads.run(self._around.tables.accounts.all)
        known = next((one for one in accounts if one.email == email), None)
        colour = known.colour if known else COLOURS[len(accounts) % len(COLOURS)]
        names = tuple(dict.fromkeys([email, *(one.email.lower() for one in senders)]))
        add = self._around.tables.accounts.add
        account_id = await self._around.threads.run(add, email, standard.name, names, standard.signature, colour)
        if known is None:
            log.info("account %d was added", account_id)
        return account_id, email

    async def _sync(self, account_id: AccountId) -> None:
        around = self._around
        mirror = Mirror(account_id, around.tables, around.threads, around.announcer, around.watch)
        self._syncer = Syncer(self._server, mirror, around.announcer, self.bell, around.poll_s, time.monotonic, around.fetched)
        await self._syncer.run()


def _default(senders: Sequence[SendAs], email: str) -> SendAs:
    """The identity that mail is sent under unless told otherwise."""
    chosen = next((one for one in senders if one.is_default), None) or next(iter(senders), None)
    return chosen or SendAs(email, "", True, "")
