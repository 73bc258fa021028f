"""Google's endpoint, credentials and clients.

Importing this module takes half a second, so import it in a thread after the engine is up.
"""

import threading
import time
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

from google.auth.credentials import Credentials

from app.domain.ports.gmail import MailServer
from app.domain.protocol.commands import Service
from app.engine.accounts.sign_in import WAIT_S, open_browser
from app.mail.gmail.auth import (
    CALENDAR_SCOPE,
    CONTACTS_SCOPE,
    GMAIL_SCOPE,
    SETTINGS_SCOPE,
    covers,
    credentials_from,
    restore,
    stored_client,
    stored_form,
)
from app.mail.gmail.client import connect
from app.mail.gmail.client_file import OAuthClient, read_client_file
from app.mail.gmail.endpoint import endpoint_from
from app.mail.gmail.pacing import UnitBucket
from app.mail.google.calendar import GoogleCalendar
from app.mail.google.contacts import GoogleContacts

_SCOPES = {Service.CALENDAR: CALENDAR_SCOPE, Service.CONTACTS: CONTACTS_SCOPE, Service.MAIL_SETTINGS: SETTINGS_SCOPE}


class Google:
    """Creates credentials and clients for one endpoint. `browser` shows a page to the user.

    Raises `NotAllowed` for an endpoint that must not get a token.
    """

    def __init__(self, environment: Mapping[str, str], browser: Callable[[str], object] = open_browser) -> None:
        self._endpoint = endpoint_from(environment)
        self._open = browser
        self._given_up = threading.Event()
        self.given = credentials_from(environment)
        """The credentials from the environment, if any."""

    def restored(self, stored: str) -> Credentials:
        """Restores credentials from the keyring's text. Raises `LoginNeeded`."""
        return restore(stored, self._endpoint)

    def sign_in(self, client_file: Path, services: Collection[Service] = ()) -> tuple[Credentials, str]:
        """Asks in the browser for Gmail and these services. Returns the credentials and their text for the keyring.

        Blocks for minutes. Raises `BadFile`, `LoginNeeded`, `SignInCancelled`, `PermissionMissing` or `Offline`.
        """
        return self._ask(read_client_file(client_file), services)

    def extend(self, stored: str, services: Collection[Service], email: str) -> tuple[Credentials, str]:
        """Asks again in the browser, with the client of a stored sign-in, for Gmail and these services. Raises as `sign_in`."""
        return self._ask(stored_client(stored), services, email)

    def covers(self, credentials: Credentials, service: Service) -> bool:
        return covers(credentials, _SCOPES[service])

    def plain_server(self, credentials: Credentials) -> MailServer:
        """A Gmail client without pacing, for a single call."""
        return connect(self._endpoint, credentials, None)

    def calendar(self, credentials: Credentials) -> GoogleCalendar:
        """A client of the primary calendar. Building it takes some milliseconds, so call it off the loop."""
        return GoogleCalendar(self._endpoint, credentials)

    def address_book(self, credentials: Credentials) -> GoogleContacts:
        """A client of the contacts. Call it off the loop."""
        return GoogleContacts(self._endpoint, credentials)

    def give_up(self) -> None:
        """Ends the sign-ins that wait for the user. Each raises `SignInCancelled`."""
        given_up, self._given_up = self._given_up, threading.Event()
        given_up.set()

    def _ask(self, client: OAuthClient, services: Collection[Service], email: str = "") -> tuple[Credentials, str]:
        from app.mail.gmail.consent import sign_in  # takes a third of a second and is needed only for a sign-in

        scopes = (GMAIL_SCOPE, *(_SCOPES[one] for one in sorted(services)))
        given_up = self._given_up.is_set
        credentials = sign_in(client, self._endpoint, self._open, scopes, WAIT_S, email, given_up)
        return credentials, stored_form(credentials, datetime.now(UTC), client.auth_uri)

    def server(self, credentials: Credentials, budget_units: Callable[[], int]) -> MailServer:
        """A paced Gmail client. `budget_units` returns the current quota per minute. Sends nothing before its first call."""
        return connect(self._endpoint, credentials, UnitBucket(budget_units, time.time))
