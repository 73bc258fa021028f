"""Keeps the cards of correspondents in step with the address books that are open: all of it once, then what changed.

Refuses to hold anybody up: a book that does not answer is looked at again later.
"""

import logging

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.mail import Account
from app.domain.ports.services import AddressBook
from app.engine.bell import Bell
from app.engine.services import Services
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables

log = logging.getLogger(__name__)

EVERY_S = 30 * 60.0
AFTER_TROUBLE_S = 5 * 60.0


class AddressBooks:
    """Runs until cancelled; looks at once when a book is opened."""

    def __init__(self, tables: Tables, threads: StoreThreads, services: Services) -> None:
        self._tables = tables
        self._threads = threads
        self._services = services
        self._bell = Bell()
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
