"""A sign-in that comes while the engine is still starting waits until it is ready, or is told why it will not be."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.config.secrets import Secrets
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import BadFile, KeyringUnavailable, Offline
from app.domain.ids import AccountId
from app.domain.mail.message import Address
from app.domain.ports.services import PeopleChanges, Person
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Event
from app.engine.accounts.connections import EVERY_S, AddressBooks, Connections, GoogleServices
from app.engine.accounts.mailbox import MailboxContext
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.accounts.sign_in import ENDING, TESTING, SignInMonitor
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import open_tables
from app.engine.runtime.workers import WorkerSupervisor
from app.engine.sync.listing import SyncPace
from app.store.mail.sync_page import Applied, SyncPage
from fakes.engine.engine_parts import Parts, engine_parts
from fakes.engine.store.empty import prepared

NOBODY = {"REPLYROOM_GOOGLE_ENDPOINT": "http://127.0.0.1:9"}


class SlowToOpen(Secrets):
    """A keyring that is unlocked some time after the start."""

    locked = True

    async def get(self, name: str) -> str:
        """The sign-in of whoever is asked for."""
        if self.locked:
            raise KeyringUnavailable("The keyring did not answer.", "Unlock it.")
        return '{"refresh_token": "r", "client_id": "c", "client_secret": "s"}'


def mailboxes(
    parts: Parts, environment: Mapping[str, str], secrets: Secrets | None = None, workers: WorkerSupervisor | None = None
) -> Mailboxes:
    """The engine's mailboxes before their start."""
    settings, secrets = LiveSettings(parts.tables.db.path.with_name("settings.toml"), parts.announcer), secrets or Secrets()
    grants = ServiceGrants(GoogleServices(), secrets, parts.announcer, settings)
    around = MailboxContext(parts.tables, parts.announcer, Connections(), SyncPace(settings), Unheard())
    return Mailboxes(environment, around, workers or WorkerSupervisor(parts.announcer), secrets, grants)


class Unheard:
    """A listener for whom nothing matters."""

    def fetched(self) -> None: ...

    def paged(self, account_id: AccountId, page: SyncPage, applied: Applied) -> None: ...

    def signed_out(self, account_id: AccountId) -> None: ...


async def test_a_sign_in_waits_for_the_start(parts: Parts, tmp_path: Path) -> None:
    made = mailboxes(parts, NOBODY)
    early = (made.sign_in(tmp_path / "none.json"), made.sign_in_again(parts.account), made.start())
    first, again, start = await asyncio.gather(*early, return_exceptions=True)
    assert (type(first), type(again), start) == (BadFile, KeyringUnavailable, None)


async def test_a_keyring_that_opens_late_gives_the_sign_in_without_a_browser(parts: Parts) -> None:
    """Asked for again by the owner; and never is an account started twice."""
    secrets, workers = SlowToOpen(), WorkerSupervisor(parts.announcer)
    made = mailboxes(parts, NOBODY, secrets, workers)
    await made.start()
    with pytest.raises(KeyringUnavailable):
        await made.sign_in_again(parts.account)
    assert made._running == []
    secrets.locked = False
    try:
        await made.sign_in_again(parts.account)
        assert [one.account_id for one in made._running] == [parts.account_id]
        assert made._locked_out == set()
    finally:
        await workers.stop()
        await made.close()


SIGNED_IN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Scene:
    """A guard over a store whose clock is moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.now = SIGNED_IN
        self.tables = open_tables(prepared(folder / "mail.db"), lambda: self.now)
        self.events: list[Event] = []
        self.account = self.tables.accounts.add("me@example.org", "", (), "", "")
        self.tables.accounts.signed_in(self.account, SIGNED_IN)
        self.guard = SignInMonitor(self.tables, EventBus(self.events.append))

    async def looked(self, refused: AccountId | None = None) -> list[str]:
        """The codes told by one look at the accounts."""
        self.events.clear()
        if refused is not None:
            self.guard.refused(refused)
        await self.guard.look()
        return [one.code for one in self.events if isinstance(one, ErrorReported)]


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """With an account that signed in just now."""
    made = Scene(tmp_path)
    yield made
    made.tables.threads.close()
    made.tables.db.close()


async def test_a_week_old_sign_in_that_is_refused_was_in_testing(scene: Scene) -> None:
    scene.now = SIGNED_IN + timedelta(days=7, hours=2)
    assert await scene.looked(scene.account) == [TESTING]
    assert scene.tables.accounts.get(scene.account).short_lived


async def test_the_next_end_is_told_a_day_before_and_once(scene: Scene) -> None:
    scene.tables.accounts.ended_early(scene.account)
    scene.now = SIGNED_IN + timedelta(days=5)
    assert await scene.looked() == []
    scene.now = SIGNED_IN + timedelta(days=6, hours=1)
    assert await scene.looked() == [ENDING]
    assert await scene.looked() == []
    again = scene.now
    scene.tables.accounts.signed_in(scene.account, again)
    scene.now = again + timedelta(days=6, hours=1)
    assert await scene.looked() == [ENDING]


NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)


def hour(at: int, title: str) -> BusyTime:
    """An hour that is taken."""
    return BusyTime(NOW + timedelta(hours=at), NOW + timedelta(hours=at + 1), title)


EVE = Person((Address("eve@x.org", "Eve"),), "Bikes", "", "people/1", "1")


class Book:
    """An address book with one contact, or with trouble; `asked` are the tokens it got."""

    def __init__(self, trouble: bool = False) -> None:
        self.trouble = trouble
        self.asked: list[str] = []

    async def changes(self, sync_token: str) -> PeopleChanges:
        if self.trouble:
            raise Offline("no way out")
        self.asked.append(sync_token)
        people = () if sync_token else (EVE,)
        return PeopleChanges(people, (), f"t{len(self.asked)}", whole=not sync_token)

    async def close(self) -> None:
        return


async def test_a_book_is_read_whole_and_then_from_its_token(tmp_path: Path) -> None:
    async with engine_parts(tmp_path) as parts:
        services, book = GoogleServices(), Book()
        books = AddressBooks(parts.tables, services)
        assert await books.look() == EVERY_S
        await services.put_book(parts.account_id, book)
        assert await books.look() == EVERY_S
        assert await books.look() == EVERY_S
        assert book.asked == ["", "t1"]
        card = parts.tables.contacts.card(parts.account_id, "eve@x.org")
        assert card.organization == "Bikes"
