"""One person's account: mailbox, drafts, send-as addresses, calendar and contacts, without HTTP."""

from dataclasses import dataclass, replace
from email.utils import formataddr

from app.sandbox.calendar_people.calendar import EventCalendar
from app.sandbox.calendar_people.people import ContactStore
from app.sandbox.clock import Clock
from app.sandbox.gmail.content import Content
from app.sandbox.gmail.mailbox import DraftStore, MailboxStore, Spool
from app.sandbox.gmail.search import MessageSearch
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.google_api.quirks import ServerQuirks


@dataclass(frozen=True, slots=True)
class Identity:
    """An address the account may send from. The signature is HTML."""

    address: str
    name: str
    signature: str = ""
    primary: bool = False

    @property
    def header(self) -> str:
        """Value of a From header."""
        return formataddr((self.name, self.address)) if self.name else self.address

    def shape(self) -> JsonObject:
        """JSON of `settings.sendAs`."""
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


class GoogleAccount:
    """Everything Google stores for one address."""

    def __init__(self, identities: list[Identity], clock: Clock, spool: Spool, timezone: str = "UTC", ids_of: str = "") -> None:
        self.identities = identities
        self.address = identities[0].address
        self.vacation: JsonObject = {"enableAutoReply": False}
        self.timezone = timezone
        self.mailbox = MailboxStore(clock, spool, ids_of or self.address)
        self.content = Content(self.mailbox)
        self.search = MessageSearch(self.mailbox, self.content)
        self.drafts = DraftStore(self.mailbox)
        self.calendar = EventCalendar(clock, self.address, timezone)
        self.contacts = ContactStore()
        self.habits = ServerQuirks()

    def identity(self, address: str) -> Identity | None:
        """The identity with this address, or None."""
        wanted = address.lower()
        return next((identity for identity in self.identities if identity.address.lower() == wanted), None)

    def rename(self, address: str) -> None:
        """Changes the address. The old one becomes an alias; tokens stay valid."""
        old = self.identities[0]
        self.identities[:1] = [replace(old, address=address), replace(old, primary=False)]
        self.address = address

    def owns(self, address: str) -> bool:
        """Whether mail to the address arrives here."""
        return self.identity(address) is not None
