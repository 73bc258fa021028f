"""One person's account: mailbox, drafts, addresses to send from, calendar and contacts, joined without any HTTP."""

from dataclasses import dataclass, replace
from email.utils import formataddr

from app.sandbox.calendar import Calendar
from app.sandbox.clock import Clock
from app.sandbox.content import Content
from app.sandbox.drafts import DraftBox
from app.sandbox.habits import Habits
from app.sandbox.mailbox import Mailbox
from app.sandbox.people import AddressBook
from app.sandbox.search import Search
from app.sandbox.shapes import JsonObject
from app.sandbox.spool import Spool


@dataclass(frozen=True, slots=True)
class Identity:
    """An address the account may send from; the signature is HTML."""

    address: str
    name: str
    signature: str = ""
    primary: bool = False

    @property
    def header(self) -> str:
        """As it stands in a From header."""
        return formataddr((self.name, self.address)) if self.name else self.address

    def shape(self) -> JsonObject:
        """As `settings.sendAs` gives it."""
        shape: JsonObject = {
            "sendAsEmail": self.address,
            "displayName": self.name,
            "replyToAddress": "",
            "signature": self.signature,
            "isDefault": self.primary,
        }
        if self.primary:
            shape["isPrimary"] = True
        else:
            shape["treatAsAlias"] = True
            shape["verificationStatus"] = "accepted"
        return shape


class Account:
    """Everything Google keeps for one address."""

    def __init__(self, identities: list[Identity], clock: Clock, spool: Spool, timezone: str = "UTC", ids_of: str = "") -> None:
        self.identities = identities
        self.address = identities[0].address
        self.timezone = timezone
        self.mailbox = Mailbox(clock, spool, ids_of or self.address)
        self.content = Content(self.mailbox)
        self.search = Search(self.mailbox, self.content)
        self.drafts = DraftBox(self.mailbox)
        self.calendar = Calendar(clock, self.address, timezone)
        self.contacts = AddressBook()
        self.habits = Habits()

    def identity(self, address: str) -> Identity | None:
        """The identity with this address, or None."""
        wanted = address.lower()
        return next((identity for identity in self.identities if identity.address.lower() == wanted), None)

    def rename(self, address: str) -> None:
        """Give the account another address; the one it had stays as an alias, and its tokens stay good."""
        old = self.identities[0]
        self.identities[:1] = [replace(old, address=address), replace(old, primary=False)]
        self.address = address

    def owns(self, address: str) -> bool:
        """Whether mail to the address arrives here."""
        return self.identity(address) is not None
