"""Which accounts, calendars and address books are connected now. Workers get their servers here.

`AddressBooks` copies the contacts of open address books into the store: all of them once, then the changes.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError, NotFound
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.ports.gmail import MailServer
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp

if TYPE_CHECKING:
    from app.mail.google.calendar import GoogleCalendar
    from app.mail.google.contacts import GoogleContacts

log = logging.getLogger(__name__)

S = TypeVar("S", "GoogleCalendar", "GoogleContacts")


class Connections:
    def __init__(self) -> None:
        self._servers: dict[AccountId, MailServer] = {}
        self._listeners: list[Callable[[], None]] = []

    def put(self, account_id: AccountId, server: MailServer) -> None:
        """Adds a connected account and calls the listeners."""
        self._servers[account_id] = server
        for listener in self._listeners:
            listener()

    def drop(self, account_id: AccountId) -> None:
        """Removes an account that is no longer connected."""
        self._servers.pop(account_id, None)

    def server(self, account_id: AccountId) -> MailServer | None:
        """The account's server, None while it is not connected."""
        return self._servers.get(account_id)

    @property
    def accounts(self) -> tuple[AccountId, ...]:
        return tuple(self._servers)

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` whenever an account is connected."""
        self._listeners.append(listener)


class GoogleServices:
    """Open calendars and address books by account. Implements the agents' `Calendar` port over all open calendars."""

    def __init__(self) -> None:
        self.calendars: dict[AccountId, GoogleCalendar] = {}
        self.address_books: dict[AccountId, GoogleContacts] = {}
        self._listeners: list[Callable[[], None]] = []

    def may_schedule(self, account_id: AccountId) -> bool:
        """Whether a meeting can be put into the account's calendar."""
        return account_id in self.calendars

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Busy times between two aware times in all open calendars, sorted.

        Raises `NotFound` when no calendar is open, and the errors of the calendar port.
        """
        calendars = tuple(self.calendars.values())
        if not calendars:
            raise NotFound("No calendar is connected.")
        found = await asyncio.gather(*(one.busy(start, end) for one in calendars))
        every = dict.fromkeys(busy for each in found for busy in each)
        return tuple(sorted(every, key=lambda one: (one.start, one.end, one.title)))

    async def put_calendar(self, account_id: AccountId, calendar: "GoogleCalendar | None") -> None:
        """Sets the account's calendar, or closes it with None."""
        await self._put(self.calendars, account_id, calendar)

    async def put_book(self, account_id: AccountId, book: "GoogleContacts | None") -> None:
        """Sets the account's contacts, or closes them with None."""
        await self._put(self.address_books, account_id, book)

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` whenever a service was opened or closed."""
        self._listeners.append(listener)

    async def close(self) -> None:
        for service in (*self.calendars.values(), *self.address_books.values()):
            await service.close()

    async def _put(self, services: dict[AccountId, S], account_id: AccountId, service: S | None) -> None:
        old = services.pop(account_id, None)
        if service is not None:
            services[account_id] = service
        for listener in self._listeners:
            listener()
        if old is not None:
            await old.close()


EVERY_S = 30 * 60.0
AFTER_TROUBLE_S = 5 * 60.0


class AddressBooks:
    """Reads open address books until cancelled, at once when one is opened."""

    def __init__(self, tables: Tables, services: GoogleServices) -> None:
        self._tables, self._services = tables, services
        self._wake_up = WakeUp()
        services.listen(self._wake_up.ring)

    async def run(self) -> None:
        """Reads every open address book, repeatedly."""
        while True:
            await self._wake_up.wait(await self.look())

    async def look(self) -> float:
        """Reads the changes of each open address book. Returns the seconds until the next read."""
        wait_s = EVERY_S
        accounts: tuple[Account, ...] = await self._tables.run(self._tables.accounts.all)
        for account in accounts:
            book = self._services.address_books.get(account.id)
            if book is None:
                continue
            contacts = self._tables.contacts
            try:
                changes = await book.changes(await self._tables.run(contacts.sync_token, account.id))
                count = await self._tables.run(contacts.apply, account.id, changes, self._tables.clock)
                log.info("account %d: %d contacts changed", account.id, count)
            except ExpectedError as error:
                log.info("the contacts of account %d were not read: %s", account.id, error.code)
                wait_s = AFTER_TROUBLE_S
        return wait_s
