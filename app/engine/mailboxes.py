"""All connected mailboxes: which there are, started, woken and closed.

A mailbox comes from the environment (a token, for tests and trials) or from the keyring (a sign-in). Refuses to give up on one
that cannot be reached.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.secrets import Secrets
from app.domain.errors import ExpectedError, KeyringUnavailable, LoginNeeded
from app.domain.events import ConnectionChanged, ConnectionState, Trouble
from app.domain.ids import AccountId
from app.domain.mail import Account
from app.engine.grants import Grants
from app.engine.loading import load
from app.engine.mailbox import Mailbox, Surroundings
from app.engine.spending import StoredSpending
from app.engine.supervision import Workers

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

    from app.engine.google import Google

log = logging.getLogger(__name__)


class Mailboxes:
    """`budget_units` gives the quota a minute for each."""

    def __init__(
        self,
        environment: Mapping[str, str],
        around: Surroundings,
        workers: Workers,
        secrets: Secrets,
        budget_units: Callable[[], int],
        grants: Grants,
    ) -> None:
        self._environment = environment
        self._around = around
        self._workers = workers
        self._secrets = secrets
        self._budget_units = budget_units
        self._grants = grants
        self._google: Google | None = None
        self._running: list[Mailbox] = []
        self._spendings: list[StoredSpending] = []

    @property
    def recent_done(self) -> bool:
        """Whether every mailbox has its recent mail and its owner's answers; not before there is one."""
        return bool(self._running) and all(one.recent_done for one in self._running)

    async def start(self) -> None:
        """Load Google's client and start what is known. Raises `Refused`."""
        google = self._google = await load(partial(_open_google, self._environment))
        accounts = await self._around.threads.run(self._around.tables.accounts.all)
        if google.given is not None:
            self._begin(google, google.given, accounts[0].id if len(accounts) == 1 else AccountId(0))
            return
        for account in accounts:
            await self._restore(google, account)

    def sync_now(self) -> None:
        """Poll all of them at once."""
        for mailbox in self._running:
            mailbox.bell.ring()

    async def sign_in(self, client_file: Path) -> None:
        """Connect another account through the browser. Raises `BadFile`, `LoginNeeded`, `PermissionMissing`, `Offline`."""
        if self._google is None:
            raise LoginNeeded("The engine is still starting.", "Try again in a moment.")
        google = self._google
        credentials, stored = await asyncio.to_thread(google.sign_in, client_file, self._grants.wanted)
        server = google.server(credentials, self._budget_units(), self._spending(AccountId(0)))
        try:
            email = (await server.profile()).email.lower()
        finally:
            await server.close()
        try:
            await self._secrets.put(secret_name(email), stored)
        except KeyringUnavailable as error:
            await self._secrets.put(secret_name(email), stored, session_only=True)
            self._around.announcer.tell(Trouble(error.code, error.detail, error.remedy))
        known = await self._around.threads.run(self._around.tables.accounts.all)
        self._begin(google, credentials, next((one.id for one in known if one.email == email), AccountId(0)))

    async def close(self) -> None:
        """Close every server."""
        for mailbox in self._running:
            await mailbox.close()
        for spending in self._spendings:
            await spending.close()

    async def _restore(self, google: "Google", account: Account) -> None:
        """Start an account from the keyring, or say that it needs a sign-in."""
        try:
            stored = await self._secrets.get(secret_name(account.email))
            if not stored:
                raise LoginNeeded("There is no sign-in for this account on this machine.")
            credentials = google.restored(stored)
            self._begin(google, credentials, account.id)
            await self._grants.welcome(account.id, account.email, google, credentials)
        except ExpectedError as error:
            log.info("account %d cannot be connected: %s", account.id, error.code)
            now_ms = int(self._around.tables.clock().timestamp() * 1000)
            event = ConnectionChanged(account.id, ConnectionState.LOGIN_NEEDED, now_ms, error.detail)
            self._around.announcer.tell(event)

    def _begin(self, google: "Google", credentials: "Credentials", known: AccountId) -> None:
        spending = self._spending(known)
        server = google.server(credentials, self._budget_units(), spending)

        async def registered(account_id: AccountId, email: str) -> None:
            spending.account_id = account_id
            await self._grants.welcome(account_id, email, google, credentials)

        mailbox = Mailbox(server, self._around, known, registered)
        self._running.append(mailbox)
        self._workers.start(f"mailbox {len(self._running)}", mailbox.run)

    def _spending(self, known: AccountId) -> StoredSpending:
        spending = StoredSpending(known, self._around.tables, self._around.threads)
        self._spendings.append(spending)
        return spending


def _open_google(environment: Mapping[str, str]) -> "Google":
    from app.engine.google import Google  # half a second of imports

    return Google(environment)


def secret_name(email: str) -> str:
    """The name under which an account's sign-in is kept."""
    return f"gmail:{email}"
