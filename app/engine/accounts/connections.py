"""Which accounts, calendars and address books are connected now. Workers get their servers here.

`AddressBooks` copies the contacts of open address books into the store: all of them once, then the changes.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

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
        self._calendars: dict[AccountId, GoogleCalendar] = {}
        self._address_books: dict[AccountId, GoogleContacts] = {}
        self._listeners: list[Callable[[], None]] = []

    @property
    def calendars(self) -> tuple[AccountId, ...]:
        return tuple(self._calendars)

    def calendar(self, account_id: AccountId) -> "GoogleCalendar | None":
        """The account's calendar, None if it is not open."""
        return self._calendars.get(account_id)

    def book(self, account_id: AccountId) -> "GoogleContacts | None":
        """The account's contacts, None if they are not open."""
        return self._address_books.get(account_id)

    def may_schedule(self, account_id: AccountId) -> bool:
        """Whether a meeting can be put into the account's calendar."""
        return account_id in self._calendars

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Busy times between two aware times in all open calendars, sorted.

        Raises `NotFound` when no calendar is open, and the errors of the calendar port.
        """
        calendars = tuple(self._calendars.values())
        if not calendars:
            raise NotFound("No calendar is connected.")
        found = await asyncio.gather(*(one.busy(start, end) for one in calendars))
        every = dict.fromkeys(busy for each in found for busy in each)
        return tuple(sorted(every, key=lambda one: (one.start, one.end, one.title)))

    async def put_calendar(self, account_id: AccountId, calendar: "GoogleCalendar | None") -> None:
        """Sets the account's calendar, or closes it with None."""
        old = self._calendars.pop(account_id, None)
        if calendar is not None:
            self._calendars[account_id] = calendar
        await self._changed(old)

    async def put_book(self, account_id: AccountId, book: "GoogleContacts | None") -> None:
        """Sets the account's contacts, or closes them with None."""
        old = self._address_books.pop(account_id, None)
        if book is not None:
            self._address_books[account_id] = book
        await self._changed(old)

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` whenever a service was opened or closed."""
        self._listeners.append(listener)

    async def close(self) -> None:
        calendars, self._calendars = self._calendars, {}
        books, self._address_books = self._address_books, {}
        for calendar in calendars.values():
            await calendar.close()
        for book in books.values():
            await book.close()

    async def _changed(self, old: "GoogleCalendar | GoogleContacts | None") -> None:
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
            book = self._services.book(account.id)
            if book is None:
                continue
            try:
                await self._read(account.id, book)
            except ExpectedError as error:
                log.info("the contacts of account %d were not read: %s", account.id, error.code)
                wait_s = AFTER_TROUBLE_S
        return wait_s

    async def _read(self, account_id: AccountId, book: "GoogleContacts") -> None:
        contacts = self._tables.contacts
        changes = await book.changes(await self._tables.run(contacts.sync_token, account_id))
        count = await self._tables.run(contacts.apply, account_id, changes, self._tables.clock)
        log.info("account %d: %d contacts changed", account_id, count)
