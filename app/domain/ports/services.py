"""What Google Contacts tells, and the port of search in mail."""

from typing import Protocol

from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.ids import AccountId
from app.domain.mail.message import Address, Message
from app.domain.record import Record


class Person(Record):
    """A contact with at least one address.

    `resource` is Google's name for it, `etag` its version. `organization` and `notes` may be empty.
    """

    addresses: tuple[Address, ...]
    organization: str
    notes: str
    resource: str = ""
    etag: str = ""


class PeopleChanges(Record):
    """The changes since a sync token: current contacts, and resources of deleted ones.

    `whole`: these are all contacts, and any other is gone.
    """

    people: tuple[Person, ...]
    gone: tuple[str, ...]
    sync_token: str
    whole: bool


class MailSearch(Protocol):
    """Searches the stored mail of one account, by words and by meaning."""

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """The best matching messages; none from spam, trash or drafts."""

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """The messages that match Gmail's operators, newest first. None from spam, trash or drafts. Raises `NotAllowed`."""
