"""The mailbox as the service sees it: read beside the engine that writes it, by words and operators alone.

Implements `MailHere`, `MailSearch` and `NamesHere`. The index by meaning stays closed, since Chroma's files are for one process.
Refuses to write.
"""

import asyncio
from collections.abc import Callable, Sequence

from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail import Account, Message
from app.domain.memory import Namespace, as_lines
from app.domain.ports.agents import Clock, Contact
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.database import Database
from app.store.mail_finding import opened, queried, worded
from app.store.messages import Messages
from app.store.preferences import Preferences
from app.store.search import Search


class ReadMailbox:
    """Over a database that is open to be read. Close it before that."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._accounts = Accounts(db)
        self._messages = Messages(db)
        self._contacts = Contacts(db)
        self._search = Search(db, clock)

    def close(self) -> None:
        """Release the file."""
        self._search.close()

    def accounts(self) -> tuple[Account, ...]:
        """All accounts."""
        return self._accounts.all()

    def account(self, account_id: AccountId) -> Account:
        """The account. Raises `NotFound`."""
        return self._accounts.get(account_id)

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""
        return self._messages.get(message_id)

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The correspondent's card, if the mailbox knows the address."""
        return self._contacts.card(account_id, email)

    def gmail_id(self, account_id: AccountId, message_id: MessageId) -> GmailId | None:
        """Gmail's id of one of the account's mails."""
        try:
            mail = self._messages.get(message_id)
        except NotFound:
            return None
        return mail.gmail_id if mail.account_id == account_id else None

    def message_id(self, account_id: AccountId, gmail_id: GmailId) -> MessageId | None:
        """The id of one of the account's mails here."""
        mail = self._messages.by_gmail_id(account_id, gmail_id)
        return None if mail is None else mail.id

    async def find(self, account_id: AccountId, words: str, limit: int) -> tuple[Message, ...]:
        """The mails with the words, newest first."""
        return await self._found(worded, account_id, words, limit)

    async def query(self, account_id: AccountId, query: str, limit: int) -> tuple[Message, ...]:
        """The mails that match Gmail's operators, newest first. Raises `Refused`."""
        return await self._found(queried, account_id, query, limit)

    async def _found(
        self, how: Callable[[Search, AccountId, str], Sequence[MessageId]], account_id: AccountId, words: str, limit: int
    ) -> tuple[Message, ...]:
        ids = await asyncio.to_thread(how, self._search, account_id, words)
        return await asyncio.to_thread(opened, self._messages, account_id, ids, limit)


class ReadMemory:
    """Implements `MemoryReader`; uses are not counted."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._preferences = Preferences(db, clock)

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The preferences of a namespace as lines for a prompt."""
        return as_lines(self._preferences.active(Namespace(namespace)))
