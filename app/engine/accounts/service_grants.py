"""Which Google services an account's sign-in covers. Opens and closes them with the settings and asks for consent in the
browser.
"""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.config.secrets import Secrets, sign_in_name
from app.config.settings import Settings
from app.domain.errors import ExpectedError, KeyringUnavailable, LoginNeeded, NotAllowed, PermissionMissing
from app.domain.ids import AccountId
from app.domain.ports.gmail import MailServer
from app.domain.protocol.commands import Service
from app.domain.protocol.events import ErrorReported, SettingsChanged
from app.engine.accounts.connections import GoogleServices
from app.engine.runtime.background_imports import load
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

    from app.engine.accounts.google import Google

log = logging.getLogger(__name__)


@dataclass(slots=True)
class SignInGrant:
    """An account's sign-in. `open` are the services that are open now."""

    email: str
    google: "Google"
    credentials: "Credentials"
    open: frozenset[Service] = frozenset()


class ServiceGrants:
    """Opens the granted services of all accounts. The settings name the wanted ones."""

    def __init__(self, services: GoogleServices, secrets: Secrets, announcer: EventBus, settings: LiveSettings) -> None:
        self._services, self._secrets = services, secrets
        self._announcer, self._settings = announcer, settings
        self._accounts: dict[AccountId, SignInGrant] = {}
        self._lock = asyncio.Lock()

    @property
    def wanted(self) -> frozenset[Service]:
        return wanted_services(self._settings.now)

    async def welcome(self, account_id: AccountId, email: str, google: "Google", credentials: "Credentials") -> None:
        """Adds an account, or replaces its sign-in, and opens its services."""
        known = self._accounts.get(account_id)
        if known is not None and known.credentials is not credentials:
            await self._close(account_id, known, known.open)
        if known is None or known.credentials is not credentials:
            self._accounts[account_id] = SignInGrant(email, google, credentials)
        else:
            known.email = email
        await self.settle()

    async def settle(self) -> None:
        """Opens and closes services to match the settings and the sign-ins."""
        async with self._lock:
            for account_id, granted in list(self._accounts.items()):
                covered = frozenset(one for one in self.wanted if granted.google.covers(granted.credentials, one))
                await self._close(account_id, granted, granted.open - covered)
                google, credentials = granted.google, granted.credentials
                if Service.CALENDAR in covered - granted.open:
                    await self._services.put_calendar(account_id, await load(partial(google.calendar, credentials)))
                if Service.CONTACTS in covered - granted.open:
                    await self._services.put_book(account_id, await load(partial(google.address_book, credentials)))
                granted.open |= covered

    async def connect(self, service: Service) -> None:
        """Asks for consent in the browser where a sign-in lacks the service, then turns it on.

        Raises `LoginNeeded`, `PermissionMissing`, `NotAllowed` or `Offline`. Then the service stays off and earlier grants stay
        valid.
        """
        if not self._accounts:
            raise LoginNeeded("No account is connected yet.", "Connect Gmail first.")
        for account_id, granted in list(self._accounts.items()):
            if not granted.google.covers(granted.credentials, service):
                try:
                    await self._extend(account_id, granted, service)
                except ExpectedError as error:
                    error.account_id = account_id
                    raise
        settings = self._settings.change(((f"{service}.connected", "true"),))
        self._announcer.tell(SettingsChanged(settings.model.name))
        await self.settle()

    async def allowed(self, account_id: AccountId, service: Service) -> MailServer:
        """A Gmail client whose sign-in covers the service; the caller closes it. Asks in the browser if the sign-in lacks it.

        Raises as `connect`.
        """
        granted = self._accounts.get(account_id)
        if granted is None:
            raise LoginNeeded("The account is not connected now.", "Connect Gmail first.")
        if not granted.google.covers(granted.credentials, service):
            await self._extend(account_id, granted, service)
            await self.settle()
        return granted.google.plain_server(granted.credentials)

    async def keep(self, email: str, stored: str) -> None:
        """Stores a sign-in in the keyring. Without a keyring it is kept for this session, which is reported."""
        try:
            await self._secrets.put(sign_in_name(email), stored)
        except KeyringUnavailable as error:
            await self._secrets.put(sign_in_name(email), stored, session_only=True)
            self._announcer.tell(ErrorReported.of(error))

    async def _extend(self, account_id: AccountId, granted: SignInGrant, service: Service) -> None:
        """Asks for one account's consent to everything it has and the new service."""
        stored = await self._secrets.get(sign_in_name(granted.email))
        if not stored:
            raise LoginNeeded("There is no sign-in for this account on this machine.", "Connect Gmail again.")
        held = {one for one in Service if granted.google.covers(granted.credentials, one)}
        credentials, text = await load(partial(granted.google.extend, stored, {*held, service}, granted.email))
        if not granted.google.covers(credentials, service):
            raise PermissionMissing(
                f"Access to the {service} was not granted on Google's page.", "Try again and tick it on Google's page."
            )
        server = granted.google.plain_server(credentials)
        try:
            email = (await server.profile()).email.lower()
        finally:
            await server.close()
        if email != granted.email:
            raise NotAllowed(f"You signed in as {email}, not as {granted.email}.", f"Try again and choose {granted.email}.")
        await self.keep(granted.email, text)
        log.info("account %d granted %s", account_id, service)
        await self._close(account_id, granted, granted.open)
        granted.credentials = credentials

    async def _close(self, account_id: AccountId, granted: SignInGrant, services: frozenset[Service]) -> None:
        if Service.CALENDAR in services:
            await self._services.put_calendar(account_id, None)
        if Service.CONTACTS in services:
            await self._services.put_book(account_id, None)
        granted.open -= services


def wanted_services(settings: Settings) -> frozenset[Service]:
    settings_by_service = {Service.CALENDAR: settings.calendar.connected, Service.CONTACTS: settings.contacts.connected}
    return frozenset(service for service, on in settings_by_service.items() if on)
