"""Calendar and contacts are asked for when they are turned on, over the real OAuth flow: more is never asked, less is told."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from app.config.secrets import Secrets
from app.domain.errors import LoginNeeded, NotAllowed, PermissionMissing
from app.domain.ids import AccountId
from app.domain.protocol.commands import Service
from app.domain.protocol.events import ErrorReported
from app.engine.accounts.connections import GoogleServices
from app.engine.accounts.google import Google
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.runtime.settings_watcher import LiveSettings
from app.mail.gmail.auth import CALENDAR_SCOPE, CONTACTS_SCOPE, GMAIL_SCOPE, SETTINGS_SCOPE
from fakes.engine.engine_parts import Parts, engine_parts
from fakes.gmail.consenting_browser import ConsentingBrowser
from fakes.gmail.sandbox import Sandbox, running_sandbox

ACCOUNT = AccountId(1)


@dataclass
class Desk:
    """Grants over a server, with one account that granted Gmail."""

    server: Sandbox
    parts: Parts
    browser: ConsentingBrowser
    services: GoogleServices
    secrets: Secrets
    grants: ServiceGrants
    settings: LiveSettings

    def asked(self) -> list[set[str]]:
        """The scopes of each consent page so far."""
        return [set(parse_qs(urlsplit(one).query)["scope"][0].split()) for one in self.browser.opened]


@asynccontextmanager
async def desk(folder: Path, changed: Callable[[str], str] = str) -> AsyncIterator[Desk]:
    with running_sandbox("--me", "me@example.com") as server:
        async with engine_parts(folder) as parts:
            browser, services, secrets = ConsentingBrowser(changed), GoogleServices(), Secrets()
            environment = {"REPLYROOM_GOOGLE_ENDPOINT": server.url, "REPLYROOM_GOOGLE_TOKEN_URI": f"{server.url}/token"}
            google = Google(environment, browser)
            settings = LiveSettings(folder / "settings.toml", parts.announcer)
            grants = ServiceGrants(services, secrets, parts.announcer, settings)
            made = Desk(server, parts, browser, services, secrets, grants, settings)
            client = folder / "client.json"
            addresses = {"auth_uri": f"{server.url}/o/oauth2/auth", "token_uri": f"{server.url}/token"}
            client.write_text(json.dumps({"installed": {"client_id": "1.apps.example", "client_secret": "s", **addresses}}))
            credentials, stored = google.sign_in(client, grants.wanted)
            await secrets.put("gmail:me@example.com", stored, session_only=True)
            await grants.welcome(ACCOUNT, "me@example.com", google, credentials)
            try:
                yield made
            finally:
                browser.close()
                await services.close()


async def test_a_sign_in_asks_for_gmail_alone_and_a_service_when_it_is_turned_on(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        assert made.asked() == [{GMAIL_SCOPE}]
        assert not made.services.may_schedule(ACCOUNT)
        await made.grants.connect(Service.CALENDAR)
        assert made.asked()[1:] == [{GMAIL_SCOPE, CALENDAR_SCOPE}]
        assert made.settings.now.calendar.connected
        assert made.services.may_schedule(ACCOUNT)
        now = datetime.now(UTC)
        assert await made.services.busy(now, now + timedelta(days=1)) == ()
        await made.grants.connect(Service.CONTACTS)
        assert made.asked()[2:] == [{GMAIL_SCOPE, CALENDAR_SCOPE, CONTACTS_SCOPE}]
        book = made.services.address_books.get(ACCOUNT)
        assert (await book.changes("")).people == ()
        await made.grants.connect(Service.CALENDAR)
        assert len(made.browser.opened) == 3, "what was granted is not asked again"


async def test_turning_it_off_closes_it_and_on_again_asks_nobody(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        await made.grants.connect(Service.CALENDAR)
        made.settings.change((("calendar.connected", "false"),))
        await made.grants.settle()
        assert not made.services.calendars
        made.settings.change((("calendar.connected", "true"),))
        await made.grants.settle()
        assert made.services.calendars
        assert len(made.browser.opened) == 2


async def test_a_consent_without_the_service_leaves_it_off(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        made.server.set_consent(granted=[GMAIL_SCOPE])
        with pytest.raises(PermissionMissing):
            await made.grants.connect(Service.CALENDAR)
        assert not made.settings.now.calendar.connected
        assert not made.services.calendars
        made.server.set_consent(deny=True)
        with pytest.raises(LoginNeeded):
            await made.grants.connect(Service.CALENDAR)


async def test_another_persons_consent_is_refused(tmp_path: Path) -> None:
    async with desk(tmp_path, lambda address: address.replace("login_hint=me%40", "login_hint=eve%40")) as made:
        made.server.add_account("eve@example.com")
        with pytest.raises(NotAllowed, match=r"eve@example\.com"):
            await made.grants.connect(Service.CALENDAR)
        assert not made.services.calendars


async def test_without_an_account_there_is_nothing_to_connect(tmp_path: Path) -> None:
    async with engine_parts(tmp_path) as parts:
        grants = ServiceGrants(
            GoogleServices(), Secrets(), parts.announcer, LiveSettings(tmp_path / "settings.toml", parts.announcer)
        )
        with pytest.raises(LoginNeeded):
            await grants.connect(Service.CALENDAR)
        assert parts.events(ErrorReported) == []


async def test_gmail_settings_are_asked_for_with_the_first_change(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        assert made.asked() == [{GMAIL_SCOPE}]
        for html in ("<b>One</b>", "<b>Two</b>"):
            server = await made.grants.allowed(ACCOUNT, Service.MAIL_SETTINGS)
            await server.set_signature("me@example.com", html)
            (own,) = await server.send_as()
            await server.close()
            assert own.signature == html
        assert made.asked() == [{GMAIL_SCOPE}, {GMAIL_SCOPE, SETTINGS_SCOPE}]
        with pytest.raises(LoginNeeded):
            await made.grants.allowed(AccountId(9), Service.MAIL_SETTINGS)
