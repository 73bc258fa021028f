"""A sign-in that comes while the engine is still starting waits until it is ready, or is told why it will not be."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.config.secrets import Secrets
from app.config.settings import Settings, SyncSettings
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import BadFile, KeyringUnavailable, NotAllowed, NotFound, Offline
from app.domain.ids import AccountId
from app.domain.mail.message import Address
from app.domain.ports.services import PeopleChanges, Person
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Event
from app.engine.accounts.connections import AFTER_TROUBLE_S, EVERY_S, AddressBooks, Connections, GoogleServices
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
from fakes.engine.agent_mailbox import ScriptedCalendar
from fakes.engine.engine_parts import FixedSettings, Parts, engine_parts
from fakes.engine.store.empty import prepared

NOBODY = {"REPLYROOM_GOOGLE_ENDPOINT": "http://127.0.0.1:9"}
ELSEWHERE = {"REPLYROOM_GOOGLE_ENDPOINT": "http://mail.example"}


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


def test_before_there_is_a_mailbox_nothing_is_here(parts: Parts) -> None:
    assert not mailboxes(parts, NOBODY).recent_done


def test_unattended_mail_is_asked_for_more_seldom() -> None:
    pace = SyncPace(FixedSettings(Settings(sync=SyncSettings(poll_s=20))))
    assert pace.poll_s() == 20
    pace.attended = False
    assert pace.poll_s() == 60


async def test_a_start_that_fails_says_why_to_who_waits(parts: Parts, tmp_path: Path) -> None:
    made = mailboxes(parts, ELSEWHERE)
    told, start = await asyncio.gather(made.sign_in(tmp_path / "none.json"), made.start(), return_exceptions=True)
    assert isinstance(told, NotAllowed)
    assert isinstance(start, NotAllowed)
    assert told.detail == start.detail != ""


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


@pytest.mark.parametrize("age", [timedelta(hours=3), timedelta(days=30)])
async def test_a_sign_in_that_is_refused_at_another_age_was_revoked(scene: Scene, age: timedelta) -> None:
    scene.now = SIGNED_IN + age
    assert await scene.looked(scene.account) == []
    assert not scene.tables.accounts.get(scene.account).short_lived


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


async def test_it_looks_at_once_when_one_was_refused(scene: Scene) -> None:
    looking = asyncio.create_task(scene.guard.run())
    scene.now = SIGNED_IN + timedelta(days=7, hours=2)
    scene.guard.refused(scene.account)
    async with asyncio.timeout(60):
        while not scene.events:
            await asyncio.sleep(0.02)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    assert [one.code for one in scene.events if isinstance(one, ErrorReported)] == [TESTING]


async def test_a_sign_in_of_a_published_client_is_never_warned_of(scene: Scene) -> None:
    scene.now = SIGNED_IN + timedelta(days=6, hours=20)
    assert await scene.looked() == []


NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)


class Writable(ScriptedCalendar):
    """A calendar that can be closed."""

    closed = False

    async def has(self, event_id: str) -> bool:
        return False

    async def insert(self, payload: bytes) -> None:
        raise AssertionError(payload)

    async def close(self) -> None:
        self.closed = True


def hour(at: int, title: str) -> BusyTime:
    """An hour that is taken."""
    return BusyTime(NOW + timedelta(hours=at), NOW + timedelta(hours=at + 1), title)


async def test_busy_times_of_all_calendars_come_together_and_once() -> None:
    services, told = GoogleServices(), []
    services.listen(lambda: told.append(1))
    with pytest.raises(NotFound):
        await services.busy(NOW, NOW + timedelta(days=1))
    work, home = Writable((hour(2, "Work"), hour(4, "Both"))), Writable((hour(4, "Both"), hour(1, "Home")))
    await services.put_calendar(AccountId(1), work)
    await services.put_calendar(AccountId(2), home)
    found = await services.busy(NOW, NOW + timedelta(days=1))
    assert [one.title for one in found] == ["Home", "Work", "Both"]
    assert services.may_schedule(AccountId(2))
    await services.put_calendar(AccountId(2), None)
    assert (home.closed, services.may_schedule(AccountId(2)), len(told)) == (True, False, 3)
    await services.close()
    assert work.closed


async def test_half_of_the_truth_is_not_told() -> None:
    services = GoogleServices()
    await services.put_calendar(AccountId(1), Writable((hour(2, "Work"),)))
    await services.put_calendar(AccountId(2), Writable(trouble=Offline("no way out")))
    with pytest.raises(Offline):
        await services.busy(NOW, NOW + timedelta(days=1))


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


async def test_a_book_that_does_not_answer_is_tried_again(tmp_path: Path) -> None:
    async with engine_parts(tmp_path) as parts:
        services = GoogleServices()
        await services.put_book(parts.account_id, Book(trouble=True))
        assert await AddressBooks(parts.tables, services).look() == AFTER_TROUBLE_S
