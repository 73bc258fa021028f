"""A sign-in that comes while the engine is still starting waits until it is ready, or is told why it will not be."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.config.secrets import Secrets
from app.config.settings import Settings
from app.domain.errors import BadFile, KeyringUnavailable, NotAllowed
from app.engine.accounts.connections import Connections, GoogleServices
from app.engine.accounts.mailbox import MailboxContext
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.runtime.workers import WorkerSupervisor
from app.engine.sync.listing import limits_of
from fakes.engine.engine_parts import Parts

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
    settings, secrets = Settings(), secrets or Secrets()
    grants = ServiceGrants(GoogleServices(), secrets, parts.announcer, lambda: settings, lambda _service: None)
    around = MailboxContext(
        parts.tables,
        parts.announcer,
        Connections(),
        lambda: 1.0,
        lambda: None,
        lambda _account, _page, _applied: None,
        lambda _account: None,
        lambda: limits_of(settings.sync),
    )
    return Mailboxes(environment, around, workers or WorkerSupervisor(parts.announcer), secrets, lambda: 6000, grants)


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


def test_unattended_mail_is_asked_for_more_seldom(parts: Parts) -> None:
    made = mailboxes(parts, NOBODY)
    assert not made.recent_done, "nothing is here before there is a mailbox"
    paces = [made.poll_s(20)]
    for looked_at in (False, False, True):
        made.attend(looked_at)
        paces.append(made.poll_s(20))
    assert paces == [20, 60, 60, 20]


async def test_a_start_that_fails_says_why_to_who_waits(parts: Parts, tmp_path: Path) -> None:
    made = mailboxes(parts, ELSEWHERE)
    told, start = await asyncio.gather(made.sign_in(tmp_path / "none.json"), made.start(), return_exceptions=True)
    assert isinstance(told, NotAllowed)
    assert isinstance(start, NotAllowed)
    assert told.detail == start.detail != ""
