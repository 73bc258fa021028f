"""The calendars and address books that are open now, by account. Implements the agents' `Calendar`: when the owner is taken is
what all open calendars say together.

Refuses to leave one out in silence: where a calendar does not answer, nobody learns half of the truth.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

from app.domain.errors import NotFound
from app.domain.ids import AccountId
from app.domain.ports.agents import BusyTime
from app.domain.ports.services import AddressBook, CalendarServer


class Services:
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
