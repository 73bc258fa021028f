"""The mailbox of the service, read from the store while the engine writes it, and `POST /names`.

Implements `MailboxLookup`, `MailSearch` and `NameLookup`. Searches by words and operators only: Chroma's files allow one process.
Row ids differ between stores, but addresses and Gmail's ids do not, so `/names` translates between them. It belongs to neither
protocol and is used by `RemoteGmailAgent`.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from app.domain.agents.memory import Namespace
from app.domain.agents.owner_profile import for_prompt
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.errors import NotFound
from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail.message import Account, Message
from app.domain.ports.agents import Clock, Contact
from app.service.requests import ServiceError, read_order
from app.service.serialization import packed
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.learning.preferences import Preferences
from app.store.mail.messages import Messages
from app.store.search.corpus import opened, queried, worded
from app.store.search.search import Search


class ReadOnlyMailbox:
    """Reads from a database opened read-only. Close it before the database."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._accounts = Accounts(db)
        self._messages = Messages(db)
        self._contacts = Contacts(db)
        self._search = Search(db, clock)

    def close(self) -> None:
        self._search.close()

    def accounts(self) -> tuple[Account, ...]:
        return self._accounts.all()

    def account(self, account_id: AccountId) -> Account:
        """Raises `NotFound`."""
        return self._accounts.get(account_id)

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""
        return self._messages.get(message_id)

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The contact card of an address, None when unknown."""
        return self._contacts.card(account_id, email)

    def gmail_id(self, account_id: AccountId, message_id: MessageId) -> GmailId | None:
        try:
            mail = self._messages.get(message_id)
        except NotFound:
            return None
        return mail.gmail_id if mail.account_id == account_id else None

    def message_id(self, account_id: AccountId, gmail_id: GmailId) -> MessageId | None:
        mail = self._messages.by_gmail_id(account_id, gmail_id)
        return None if mail is None else mail.id

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """Messages that contain the words, newest first."""
        return await self._found(worded, account_id, words, limit, scope)

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """Messages that match Gmail's operators, newest first. Raises `NotAllowed`."""
        return await self._found(queried, account_id, query, limit, scope)

    async def _found(
        self,
        how: Callable[[Search, AccountId, str, MailScope], Sequence[MessageId]],
        account_id: AccountId,
        words: str,
        limit: int,
        scope: MailScope,
    ) -> tuple[Message, ...]:
        ids = await asyncio.to_thread(how, self._search, account_id, words, scope)
        return await asyncio.to_thread(opened, self._messages, account_id, ids, limit)


class ReadOnlyMemory:
    """Implements `MemoryReader`. Does not count uses."""

    def __init__(self, db: Database, clock: Clock, usual: Callable[[str], str] = lambda _namespace: "") -> None:
        self._preferences = Preferences(db, clock)
        self._usual = usual

    def read(self, account_id: AccountId, namespace: str) -> str:
        return for_prompt(self._preferences.active(Namespace(namespace)), account_id, self._usual(namespace))[1]


MOST_NAMES = 100


class NameLookup(Protocol):
    """Translates ids of the mailbox. Synchronous."""

    def accounts(self) -> tuple[Account, ...]: ...

    def gmail_id(self, account_id: AccountId, message_id: MessageId) -> GmailId | None: ...

    def message_id(self, account_id: AccountId, gmail_id: GmailId) -> MessageId | None: ...


class NamesOrder(msgspec.Struct, frozen=True):
    """The body: an account by its address, messages by either id."""

    account: str
    ids: list[int] = []
    gmail_ids: list[str] = []


async def tell_names(request: Request) -> Response:
    """`POST /names`: translates message ids to Gmail's ids and back."""
    order = await read_order(request, NamesOrder)
    if len(order.ids) + len(order.gmail_ids) > MOST_NAMES:
        raise ServiceError(422, "wrong_form", f"At most {MOST_NAMES} names at once.")
    here: NameLookup | None = request.app.state.names
    answer = None if here is None else await asyncio.to_thread(_names, here, order)
    if answer is None:
        raise ServiceError(404, "no_account", "There is no mailbox of that address here.")
    return Response(packed(answer), media_type="application/json")


def _names(here: NameLookup, order: NamesOrder) -> dict[str, object] | None:
    account = next((one for one in here.accounts() if one.email.lower() == order.account.lower()), None)
    if account is None:
        return None
    ids = {one: here.message_id(account.id, GmailId(one)) for one in order.gmail_ids}
    gmail_ids = {str(one): here.gmail_id(account.id, MessageId(one)) for one in order.ids}
    return {
        "account_id": account.id,
        "ids": {gmail_id: one for gmail_id, one in ids.items() if one is not None},
        "gmail_ids": {one: gmail_id for one, gmail_id in gmail_ids.items() if gmail_id is not None},
    }
