"""A sign-in that comes while the engine is still starting waits until it is ready, or is told why it will not be."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.config.secrets import Secrets
from app.config.settings import Settings, SyncSettings
from app.domain.errors import BadFile, KeyringUnavailable, NotAllowed
from app.domain.ids import AccountId
from app.engine.accounts.connections import Connections, GoogleServices
from app.engine.accounts.mailbox import MailboxContext
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.workers import WorkerSupervisor
from app.engine.sync.listing import SyncPace
from app.store.mail.sync_page import Applied, SyncPage
from fakes.engine.engine_parts import FixedSettings, Parts

pytestmark = pytest.mark.anyio
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
