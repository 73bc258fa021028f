"""Google's side of the engine: endpoint, credentials, a server for each mailbox. Its imports cost half a second: open it in a
thread after the engine is up.

Refuses to keep a sign-in anywhere but in the keyring (`Secrets` decides what that is).
"""

import time
import webbrowser
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from google.auth.credentials import Credentials

from app.domain.ports.gmail import MailServer
from app.engine.spending import StoredSpending
from app.mail.auth import credentials_from, restore, sign_in, stored_form
from app.mail.client import connect
from app.mail.client_file import read_client_file
from app.mail.endpoint import endpoint_from
from app.mail.pace import UnitBucket


class Google:
    """Everything that needs the endpoint. Raises `Refused` for an endpoint that a token must not be sent to."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._endpoint = endpoint_from(environment)
        self._given = credentials_from(environment)

    @property
    def given(self) -> Credentials | None:
        """The credentials that the environment names, if any."""
        return self._given

    def restored(self, stored: str) -> Credentials:
        """The credentials in the keyring's text. Raises `LoginNeeded`."""
        return restore(stored, self._endpoint)

    def sign_in(self, client_file: Path) -> tuple[Credentials, str]:
        """Ask in the browser; the credentials and their text for the keyring. Blocks for minutes. Raises `BadFile`,
        `LoginNeeded`, `PermissionMissing`, `Offline`."""
        client = read_client_file(client_file)
        credentials = sign_in(client, self._endpoint, _open_browser)
        return credentials, stored_form(credentials, datetime.now(UTC))

    def server(self, credentials: Credentials, budget_units: int, spending: StoredSpending) -> MailServer:
        """A paced client. Nothing is sent before its first call."""
        bucket = UnitBucket(budget_units, spending, time.time)
        return connect(self._endpoint, credentials, bucket)


def _open_browser(address: str) -> None:
    webbrowser.open(address)
