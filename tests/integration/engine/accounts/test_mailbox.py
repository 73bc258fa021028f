"""One mailbox from its start to its end: whose it is, what it does while nobody answers, when it rests and when it stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.config.settings import Settings, SyncSettings
from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.domain.wire import Event
from app.engine.accounts.connections import Connections
from app.engine.accounts.mailbox import Mailbox, MailboxContext
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.listing import SyncPace
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import GmailClient, connect
from app.mail.gmail.endpoint import Endpoint
from app.store.mail.sync_page import Applied, SyncPage
from fakes.clock.waiting import until
from fakes.engine.engine_parts import FixedSettings
from fakes.engine.sync import SyncStage, sync_stage


@dataclass
class Around:
    """What surrounds mailboxes over a stage, and what they did with it."""

    stage: SyncStage
    told: list[Event] = field(default_factory=list)
    registered: list[tuple[AccountId, str]] = field(default_factory=list)
    refused: list[AccountId] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connections = Connections()
        settings = FixedSettings(Settings(sync=SyncSettings(poll_s=3600)))
        told = EventBus(self.told.append)
        self.surroundings = MailboxContext(self.stage.tables, told, self.connections, SyncPace(settings), self)

    def fetched(self) -> None:
        """Mail came in."""

    def paged(self, account_id: AccountId, page: SyncPage, applied: Applied) -> None:
        """A page was written."""

    def signed_out(self, account_id: AccountId) -> None:
        """Notes a rejected sign-in."""
        self.refused.append(account_id)

    def mailbox(self, known: int = 0, server: GmailClient | None = None, **more: bool) -> Mailbox:
        """A mailbox that runs once somebody starts it."""
        return Mailbox(server or self.stage.client, self.surroundings, AccountId(known), self._registered, **more)

    def states(self) -> list[ConnectionState]:
        """What was told of the connection."""
        return [one.state for one in self.told if isinstance(one, ConnectionChanged)]

    async def _registered(self, account_id: AccountId, email: str) -> None:
        assert not self.connections.accounts, "before anybody else gets the server"
        self.registered.append((account_id, email))


@asynccontextmanager
async def around(folder: Path, messages: int) -> AsyncIterator[Around]:
    """A stage whose account is registered under its address."""
    async with sync_stage(folder, messages) as stage:
        yield Around(stage)


@asynccontextmanager
async def running(mailbox: Mailbox) -> AsyncIterator[asyncio.Task[None]]:
    """Run it for the length of a `with`."""
    task = asyncio.create_task(mailbox.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def elsewhere(it: Around, address: str) -> GmailClient:
    """A client for one more account of the same server."""
    token = it.stage.sandbox.add_account(address)
    return connect(Endpoint(f"{it.stage.sandbox.url}/"), static_credentials(token), None)


async def test_who_it_is_comes_first_and_its_server_is_there_for_as_long_as_it_lives(tmp_path: Path) -> None:
    async with around(tmp_path, 3) as it:
        mailbox = it.mailbox()
        assert not mailbox.recent_done
        async with running(mailbox):
            await until(lambda: it.stage.labels() == it.stage.served())
            await until(lambda: mailbox.recent_done)
            assert it.registered == [(it.stage.account, it.stage.sandbox.account)]
            assert mailbox.account_id == it.stage.account
            assert it.connections.server(it.stage.account) is it.stage.client
        assert it.connections.accounts == ()
        (account,) = it.stage.tables.accounts.all()
        assert account.colour == "#336699", "an account that is known keeps its colour"


@pytest.mark.parametrize("guessed", [False, True])
async def test_another_address_is_another_name_of_a_known_account_unless_that_was_a_guess(tmp_path: Path, guessed: bool) -> None:
    async with around(tmp_path, 1) as it:
        server = await elsewhere(it, "second@example.org")
        async with running(it.mailbox(it.stage.account, server, guessed=guessed)):
            await until(lambda: bool(it.registered))
        accounts = {one.id: one.email for one in it.stage.tables.accounts.all()}
        ((account, email),) = it.registered
        assert email == "second@example.org" == accounts[account]
        assert (len(accounts), account != it.stage.account) == (1 + guessed, guessed)
        await server.close()


async def test_a_pause_ends_what_is_under_way_once_and_its_end_begins_it_again(tmp_path: Path) -> None:
    async with around(tmp_path, 2) as it:
        mailbox = it.mailbox(it.stage.account, paused=True)
        async with running(mailbox):
            await until(lambda: it.states() == [ConnectionState.PAUSED])
            mailbox.pause(True)
            mailbox.check_now()
            await asyncio.sleep(0.1)
            assert it.states() == [ConnectionState.PAUSED], "it rests already"
            assert it.stage.sandbox.log() == [], "and asks for nothing"
            mailbox.pause(False)
            await until(lambda: it.stage.labels() == it.stage.served())
            asked = len(it.stage.requests("getProfile"))
            mailbox.pause(False)
            await asyncio.sleep(0.1)
            assert it.connections.accounts == (it.stage.account,)
            assert len(it.stage.requests("getProfile")) == asked, "it is not begun anew"
            mailbox.pause(True)
            await until(lambda: it.connections.accounts == ())
            await until(lambda: it.states()[-1] is ConnectionState.PAUSED)
