"""Which accounts are connected now: the one place where workers get an account's server.

The calendars and address books that are open now, by account. Implements the agents' `Calendar`: when the owner is taken is
what all open calendars say together.

Keeps the cards of correspondents in step with the address books that are open: all of it once, then what changed.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError, NotFound
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.ports.gmail import MailServer
from app.domain.ports.services import AddressBook, CalendarServer
from app.engine.runtime.store_executor import StoreExecutor
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp


class Connections:
    """Servers by account. Listeners are told when one comes up."""

    def __init__(self) -> None:
        self._servers: dict[AccountId, MailServer] = {}
        self._listeners: list[Callable[[], None]] = []

    def put(self, account_id: AccountId, server: MailServer) -> None:
        """An account is connected."""
        self._servers[account_id] = server
        for listener in self._listeners:
            listener()

    def drop(self, account_id: AccountId) -> None:
        """An account is not connected any more."""
        self._servers.pop(account_id, None)

    def server(self, account_id: AccountId) -> MailServer | None:
        """The account's server, None while it is not connected."""
        return self._servers.get(account_id)

    @property
    def accounts(self) -> tuple[AccountId, ...]:
        """Those that are connected."""
        return tuple(self._servers)

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever an account is connected."""
        self._listeners.append(listener)


class GoogleServices:
    """Listeners are told when one comes up or goes."""

    def __init__(self) -> None:
        self._calendars: dict[AccountId, CalendarServer] = {}
        self._books: dict[AccountId, AddressBook] = {}
        self._listeners: list[Callable[[], None]] = []

    @property
    def calendars(self) -> tuple[AccountId, ...]:
        """The accounts whose calendar is open."""
        return tuple(self._calendars)

    def calendar(self, account_id: AccountId) -> CalendarServer | None:
        """The account's calendar, None where none is open."""
        return self._calendars.get(account_id)

    def book(self, account_id: AccountId) -> AddressBook | None:
        """The account's contacts, None where they are not open."""
        return self._books.get(account_id)

    def may_schedule(self, account_id: AccountId) -> bool:
        """Whether a meeting can be put into the account's calendar."""
        return account_id in self._calendars

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """What is taken between two aware times in any of the owner's calendars, in order. Raises the errors of the port, and
        `NotFound` where no calendar is open."""
        calendars = tuple(self._calendars.values())
        if not calendars:
            raise NotFound("No calendar is connected.")
        found = await asyncio.gather(*(one.busy(start, end) for one in calendars))
        every = dict.fromkeys(busy for each in found for busy in each)
        return tuple(sorted(every, key=lambda one: (one.start, one.end, one.title)))

    async def put_calendar(self, account_id: AccountId, calendar: CalendarServer | None) -> None:
        """Open the account's calendar, or close it."""
        old = self._calendars.pop(account_id, None)
        if calendar is not None:
            self._calendars[account_id] = calendar
        await self._changed(old)

    async def put_book(self, account_id: AccountId, book: AddressBook | None) -> None:
        """Open the account's contacts, or close them."""
        old = self._books.pop(account_id, None)
        if book is not None:
            self._books[account_id] = book
        await self._changed(old)

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever something was opened or closed."""
        self._listeners.append(listener)

    async def close(self) -> None:
        """Close all of them."""
        calendars, self._calendars = self._calendars, {}
        books, self._books = self._books, {}
        for calendar in calendars.values():
            await calendar.close()
        for book in books.values():
            await book.close()

    async def _changed(self, old: CalendarServer | AddressBook | None) -> None:
        for listener in self._listeners:
            listener()
        if old is not None:
            await old.close()


log = logging.getLogger(__name__)

EVERY_S = 30 * 60.0
AFTER_TROUBLE_S = 5 * 60.0


class AddressBooks:
    """Runs until cancelled; looks at once when a book is opened."""

    def __init__(self, tables: Tables, threads: StoreExecutor, services: GoogleServices) -> None:
        self._tables = tables
        self._threads = threads
        self._services = services
        self._bell = WakeUp()
        services.listen(self._bell.ring)

    async def run(self) -> None:
        """Look at every open book, again and again."""
        while True:
            await self._bell.wait(await self.look())

    async def look(self) -> float:
        """Read what changed in each open book; seconds until the next look."""
        wait_s = EVERY_S
        accounts: tuple[Account, ...] = await self._threads.run(self._tables.accounts.all)
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

    async def _read(self, account_id: AccountId, book: AddressBook) -> None:
        contacts = self._tables.contacts
        changes = await book.changes(await self._threads.run(contacts.sync_token, account_id))
        count = await self._threads.run(contacts.apply, account_id, changes, self._tables.clock)
        log.info("account %d: %d contacts changed", account_id, count)
