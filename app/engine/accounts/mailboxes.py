"""All connected mailboxes. A mailbox comes from the environment (a token, for tests and trials) or from a sign-in in the keyring.

Google lets people and administrators change addresses. An account whose sign-in goes on is then renamed.
"""

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.secrets import Secrets, sign_in_name
from app.domain.errors import ExpectedError, KeyringUnavailable, LoginNeeded, NotAllowed
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.engine.accounts.mailbox import Mailbox, MailboxContext
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.accounts.sign_in import SignInPage
from app.engine.runtime.background_imports import load, preload
from app.engine.runtime.workers import WorkerSupervisor

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

    from app.engine.accounts.google import Google

log = logging.getLogger(__name__)


class Mailboxes:
    """Starts, wakes and closes all mailboxes."""

    def __init__(
        self,
        environment: Mapping[str, str],
        context: MailboxContext,
        workers: WorkerSupervisor,
        secrets: Secrets,
        grants: ServiceGrants,
    ) -> None:
        self._environment, self._context = environment, context
        self._workers, self._secrets, self._grants = workers, secrets, grants
        self._google: Google | None = None
        self._start_error: ExpectedError | None = None
        self._started = asyncio.Event()
        self._running: list[Mailbox] = []
        self._locked_out: set[AccountId] = set()

    @property
    def recent_done(self) -> bool:
        """Whether every mailbox that is not paused has its recent mail and its owner's answers. False while there is none."""
        return bool(self._running) and all(one.recent_done for one in self._running if not one.paused)

    async def start(self) -> None:
        """Loads Google's client and starts the known accounts, then releases `started`. Raises `NotAllowed`."""
        try:
            await preload("app.engine.accounts.google")  # takes half a second
            from app.engine.accounts.google import Google

            page = SignInPage(self._context.announcer, asyncio.get_running_loop())
            self._google = Google(self._environment, page.open)
            await self._start_known(self._google)
        except ExpectedError as error:
            self._start_error = error
            raise
        finally:
            self._started.set()

    async def started(self) -> "Google":
        """Returns Google's client once the known accounts were started.

        An earlier sign-in waits, so that no account is started twice. Raises `NotAllowed` or the error of `start` if there is no
        client.
        """
        await self._started.wait()
        if self._google is None:
            raise self._start_error or NotAllowed("Google's client could not be loaded.", "Start the program again.")
        return self._google

    def sync_now(self) -> None:
        for mailbox in self._running:
            mailbox.bell.ring()

    def check_now(self) -> None:
        """Polls all mailboxes and retries failed messages, at the user's request."""
        for mailbox in self._running:
            mailbox.check_now()

    def attend(self, looked_at: bool) -> None:
        """Notes whether the user looks at the window. Polls at once when the user comes back."""
        came_back = looked_at and not self._context.pace.attended
        self._context.pace.attended = looked_at
        if came_back:
            self.sync_now()

    async def sign_in(self, client_file: Path) -> None:
        """Connects another account through the browser.

        Raises `BadFile`, `LoginNeeded`, `PermissionMissing`, `Offline` or `NotAllowed`.
        """
        google = await self.started()
        credentials, stored = await load(partial(google.sign_in, client_file, self._grants.wanted))
        email, known = await self._owner(google, credentials)
        await self._grants.keep(email, stored)
        await self._replace(google, credentials, known.id if known else AccountId(0), email)

    async def sign_in_again(self, account: Account) -> None:
        """Signs an account in again through the browser, with the client of its last sign-in. The mailbox goes on with the new
        one.

        No browser is needed for a sign-in that the keyring did not give at the start and gives now. Raises as `sign_in`, and
        `NotAllowed` when somebody else consented.
        """
        google = await self.started()
        stored = await self._secrets.get(sign_in_name(account.email))
        if not stored:
            raise LoginNeeded("There is no sign-in for this account on this machine.", "Add the account again.")
        if account.id in self._locked_out:
            self._locked_out.discard(account.id)  # if this sign-in does not work, the next attempt opens the browser
            await self._go_on(google, account, stored)
            return
        credentials, text = await load(partial(google.extend, stored, self._grants.wanted, account.email))
        email, known = await self._owner(google, credentials)
        if known is None or known.id != account.id:
            raise NotAllowed(f"You signed in as {email}, not as {account.email}.", "Sign in again and choose the right account.")
        await self._grants.keep(account.email, text)
        await self._replace(google, credentials, account.id, account.email)

    async def unlocked(self) -> None:
        """Starts the accounts whose sign-in the keyring did not give at the start. Raises as `started`."""
        google = await self.started()
        for account in await self._context.tables.run(self._context.tables.accounts.all):
            if account.id in self._locked_out:
                self._locked_out.discard(account.id)
                await self._restore(google, account)

    def cancel_sign_ins(self) -> None:
        """Ends the sign-ins that wait for the user at a browser."""
        if self._google is not None:
            self._google.give_up()

    def pause(self, account_id: AccountId, paused: bool) -> None:
        for mailbox in self._running:
            if mailbox.account_id == account_id:
                mailbox.pause(paused)

    async def close(self) -> None:
        for mailbox in self._running:
            await mailbox.close()

    async def _start_known(self, google: "Google") -> None:
        accounts = await self._context.tables.run(self._context.tables.accounts.all)
        if google.given is not None:
            only = accounts[0] if len(accounts) == 1 else None
            known, paused = (only.id, only.paused) if only else (AccountId(0), False)
            self._begin(google, google.given, known, paused=paused, guessed=True)
            return
        for account in accounts:
            await self._restore(google, account)

    async def _restore(self, google: "Google", account: Account) -> None:
        """Starts an account from the keyring, or reports that it needs a sign-in."""
        try:
            stored = await self._secrets.get(sign_in_name(account.email))
            if not stored:
                raise LoginNeeded("There is no sign-in for this account on this machine.")
            await self._go_on(google, account, stored)
        except ExpectedError as error:
            log.info("account %d cannot be connected: %s", account.id, error.code)
            if isinstance(error, KeyringUnavailable):
                self._locked_out.add(account.id)
            now_ms = int(self._context.tables.clock().timestamp() * 1000)
            event = ConnectionChanged(account.id, ConnectionState.LOGIN_NEEDED, now_ms, error.detail)
            self._context.announcer.tell(event)

    async def _go_on(self, google: "Google", account: Account, stored: str) -> None:
        """Starts an account with its stored sign-in. Raises `LoginNeeded`."""
        credentials = google.restored(stored)
        self._begin(google, credentials, account.id, paused=account.paused, email=account.email)
        await self._grants.welcome(account.id, account.email, google, credentials)

    async def _owner(self, google: "Google", credentials: "Credentials") -> tuple[str, Account | None]:
        """Returns the address of a sign-in, and its account if it is known."""
        server = google.plain_server(credentials)
        try:
            email = (await server.profile()).email.lower()
        finally:
            await server.close()
        accounts = await self._context.tables.run(self._context.tables.accounts.all)
        return email, next((one for one in accounts if one.email == email), None)

    async def _replace(self, google: "Google", credentials: "Credentials", account_id: AccountId, email: str) -> None:
        """Syncs an account with a new sign-in in place of the old one."""
        self._locked_out.discard(account_id)
        for old in [one for one in self._running if account_id and one.account_id == account_id]:
            old.end()
            self._running.remove(old)
            await old.close()
        accounts = await self._context.tables.run(self._context.tables.accounts.all)
        paused = any(one.paused for one in accounts if one.id == account_id)
        signed_in_at = self._context.tables.clock()
        self._begin(google, credentials, account_id, paused=paused, signed_in_at=signed_in_at, email=email)

    def _begin(
        self,
        google: "Google",
        credentials: "Credentials",
        known: AccountId,
        *,
        paused: bool = False,
        signed_in_at: datetime | None = None,
        guessed: bool = False,
        email: str = "",
    ) -> None:
        """Starts a mailbox.

        `email` is the address under which the keyring stores the sign-in. With `guessed`, `known` may be another account.
        """
        kept_as, tables = email, self._context.tables

        async def registered(account_id: AccountId, email: str) -> None:
            """Stores the sign-in under the account's current address."""
            nonlocal kept_as
            old, kept_as = kept_as, email
            try:
                if old not in ("", email) and (stored := await self._secrets.get(sign_in_name(old))):
                    await self._grants.keep(email, stored)
                    await self._secrets.delete(sign_in_name(old))
            except KeyringUnavailable as error:  # the next start asks for a sign-in, which is stored under the new address
                log.info("the sign-in of a renamed account was not moved: %s", error.code)
            if signed_in_at is not None:
                await tables.run(tables.accounts.signed_in, account_id, signed_in_at)
            await self._grants.welcome(account_id, email, google, credentials)

        server = google.server(credentials, self._context.pace.budget_units)
        mailbox = Mailbox(server, self._context, known, registered, paused, guessed=guessed)
        self._running.append(mailbox)
        self._workers.start(f"mailbox {len(self._running)}", mailbox.run)
