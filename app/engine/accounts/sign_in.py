"""Google's sign-in page in the browser, and the watch over when sign-ins end.

A client in Google's Testing mode is recognised by its first expired sign-in; the owner is then warned before the next.
"""

import asyncio
import logging
import os
import shutil
import subprocess
import webbrowser
from collections.abc import Callable
from datetime import datetime

from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.protocol.account_commands import ended_as_in_testing, ends_at, ends_soon
from app.domain.protocol.events import ErrorReported, SignInOpened
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp

log = logging.getLogger(__name__)

WAIT_S = 300.0
BROWSER_START_S = 3.0
"""An opener that has not ended after this time is the browser itself."""


def open_browser(address: str) -> bool:
    """Opens an address in the default browser. False if none took it, as far as that can be known. Blocks for seconds."""
    opener = shutil.which("xdg-open")
    if opener is None or "BROWSER" in os.environ:
        return webbrowser.open(address)
    quiet = subprocess.DEVNULL
    started = subprocess.Popen([opener, address], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        return started.wait(BROWSER_START_S) == 0
    except subprocess.TimeoutExpired:
        return True


class SignInPage:
    """Opens consent pages from the threads of the sign-ins and tells the window about each."""

    def __init__(
        self, announcer: EventBus, loop: asyncio.AbstractEventLoop, browser: Callable[[str], object] = open_browser
    ) -> None:
        self._announcer, self._loop, self._browser = announcer, loop, browser

    def open(self, address: str) -> None:
        opened = self._browser(address) is not False
        self._loop.call_soon_threadsafe(self._announcer.tell, SignInOpened(address, opened, WAIT_S))


EVERY_S = 1800.0
ENDING, TESTING = "sign_in_ending", "sign_in_testing"
"""Event codes: the sign-in ends within a day; it ended as in Google's Testing mode."""


class SignInMonitor:
    """A worker that reports each end once."""

    def __init__(self, tables: Tables, announcer: EventBus) -> None:
        self._tables, self._announcer = tables, announcer
        self._wake_up = WakeUp()
        self._refused: set[AccountId] = set()
        self._warned: set[tuple[AccountId, str, datetime | None]] = set()

    def refused(self, account_id: AccountId) -> None:
        """Notes that Google rejects the account's sign-in."""
        self._refused.add(account_id)
        self._wake_up.ring()

    async def run(self) -> None:
        """Checks every account regularly, and at once after a rejected sign-in."""
        while True:
            await self.look()
            await self._wake_up.wait(EVERY_S)

    async def look(self) -> None:
        """Checks every account now."""
        for account in await self._tables.run(self._tables.accounts.all):
            now = self._tables.clock()
            if account.id in self._refused:
                self._refused.discard(account.id)
                if ended_as_in_testing(account.signed_in_at, now):
                    await self._tables.run(self._tables.accounts.ended_early, account.id)
                    log.info("account %d: its sign-in ended after a week, as in Testing", account.id)
                    self._tell(account, TESTING)
                    self._warned.add((account.id, ENDING, account.signed_in_at))
            elif ends_soon(account.signed_in_at, account.short_lived, now):
                self._tell(account, ENDING)

    def _tell(self, account: Account, code: str) -> None:
        """Reports once per sign-in. The text is the address and, if known, the end as ISO time."""
        key = (account.id, code, account.signed_in_at)
        if key in self._warned:
            return
        self._warned.add(key)
        end = ends_at(account.signed_in_at, code == ENDING)
        self._announcer.tell(ErrorReported(code, ErrorText.of(account.email, end.isoformat(timespec="minutes") if end else "")))
