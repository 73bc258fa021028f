"""One mailbox from its start to its end: whose it is, what it does while nobody answers, when it rests and when it stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.config.settings import Settings, SyncSettings
from app.domain.ids import AccountId
from app.domain.mail.message import SendAs
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.domain.wire import Event
from app.engine.accounts.connections import Connections
from app.engine.accounts.mailbox import COLOURS, Mailbox, MailboxContext
from app.engine.runtime.event_bus import EventBus
from app.engine.sync.listing import SyncPace
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import GmailClient, connect
from app.mail.gmail.endpoint import Endpoint
from app.store.mail.sync_page import Applied, SyncPage
from fakes.clock.waiting import until
from fakes.engine.engine_parts import FixedSettings
from fakes.engine.sync import SyncStage, sync_stage

PATIENCE_S = 30.0


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


async def test_each_new_account_has_a_colour_of_its_own(tmp_path: Path) -> None:
    async with around(tmp_path, 1) as it:
        for address in ("Second@example.org", "third@example.org"):
            server = await elsewhere(it, address)
            async with running(it.mailbox(server=server)):
                await until(lambda address=address: it.registered[-1:] and it.registered[-1][1] == address.lower())
            await server.close()
        assert [one.colour for one in it.stage.tables.accounts.all()] == ["#336699", *COLOURS[1:3]]


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


async def test_a_server_that_does_not_answer_is_asked_seldom_and_at_the_owners_word(tmp_path: Path) -> None:
    async with around(tmp_path, 1) as it:
        it.stage.sandbox.faults.add("403-api-off", times=0)
        mailbox = it.mailbox(it.stage.account)
        async with running(mailbox):
            await until(lambda: len(it.stage.requests("getProfile")) == 1)
            await asyncio.sleep(0.3)
            assert len(it.stage.requests("getProfile")) == 1, "it rests for minutes"
            it.stage.sandbox.faults.clear()
            mailbox.check_now()
            await until(lambda: it.stage.labels() == it.stage.served())


@pytest.mark.expects_warnings
async def test_mail_comes_without_the_names_to_send_under(tmp_path: Path) -> None:
    async with around(tmp_path, 2) as it:
        it.stage.sandbox.faults.add("500", "gmail.users.settings.sendAs.list", times=0)
        async with running(it.mailbox(it.stage.account)):
            await until(lambda: it.stage.labels() == it.stage.served())


async def test_a_sign_in_that_is_refused_before_anything_is_told(tmp_path: Path) -> None:
    async with around(tmp_path, 1) as it:
        it.stage.sandbox.faults.add("401", times=0)
        async with running(it.mailbox(it.stage.account)):
            await until(lambda: it.states() == [ConnectionState.LOGIN_NEEDED])
            assert it.refused == [it.stage.account]
            assert it.registered == []


async def test_what_could_not_be_fetched_is_tried_at_the_owners_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.sync.fetching.FIRST_RETRY_S", 3600.0)
    monkeypatch.setattr("app.engine.sync.syncer.RECHECK_AFTER_S", (3600.0,))
    async with around(tmp_path, 1) as it:
        rule = it.stage.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0)
        mailbox = it.mailbox(it.stage.account)
        async with running(mailbox):
            await until(lambda: [one.attempts for one in it.stage.waiting()] == [1])
            it.stage.sandbox.faults.remove(rule)
            mailbox.check_now()
            await until(lambda: it.stage.labels() == it.stage.served())


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


FIRST, STANDARD = SendAs("a@example.org", "A", False, "a"), SendAs("b@example.org", "B", True, "b")


@pytest.mark.parametrize(("senders", "name"), [((FIRST, STANDARD), "B"), ((FIRST,), "A"), ((), "")])
async def test_mail_is_sent_under_the_name_that_google_calls_the_standard(
    tmp_path: Path, senders: tuple[SendAs, ...], name: str
) -> None:
    async def send_as() -> tuple[SendAs, ...]:
        return senders

    async with around(tmp_path, 1) as it:
        server = await elsewhere(it, "second@example.org")
        server.send_as = send_as  # type: ignore[method-assign]
        async with running(it.mailbox(server=server)):
            await until(lambda: bool(it.registered))
        await server.close()
        account = it.stage.tables.accounts.all()[-1]
        assert (account.email, account.name, account.signature) == ("second@example.org", name, name.lower())


@pytest.mark.parametrize("paused", [False, True])
async def test_an_end_is_for_good(tmp_path: Path, paused: bool) -> None:
    async with around(tmp_path, 1) as it:
        mailbox = it.mailbox(it.stage.account, paused=paused)
        async with running(mailbox) as task:
            await until(lambda: bool(it.states()))
            mailbox.end()
            async with asyncio.timeout(PATIENCE_S):
                await task
        assert it.connections.accounts == ()


async def test_the_engines_end_is_not_taken_for_a_pause(tmp_path: Path) -> None:
    async with around(tmp_path, 1) as it:
        task = asyncio.create_task(it.mailbox(it.stage.account).run())
        await until(lambda: bool(it.registered))
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
        assert [one.cancelled() for one in done] == [True]
