"""One person's account (mailbox, drafts, send-as addresses, calendar, contacts) without HTTP, and delivery between accounts.

Nothing ever leaves the process.
"""

from collections.abc import Iterable, Sequence
from email.utils import format_datetime, formataddr

from app.domain.record import Record, replace
from app.sandbox.calendar_people.calendar import EventCalendar
from app.sandbox.calendar_people.people import ContactStore
from app.sandbox.clock import Clock
from app.sandbox.gmail.content import Content
from app.sandbox.gmail.headers import Facts, addresses_in, facts_of, rewrite_head
from app.sandbox.gmail.mailbox import DraftStore, MailboxStore, Spool, StoredMessage, thread_for_arrival, thread_for_own
from app.sandbox.gmail.search import MessageSearch
from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.google_api.quirks import ServerQuirks


class Identity(Record):
    """An address the account may send from. The signature is HTML."""

    address: str
    name: str
    signature: str = ""
    primary: bool = False

    @property
    def header(self) -> str:
        return formataddr((self.name, self.address)) if self.name else self.address

    def shape(self) -> JsonObject:
        """JSON of `settings.sendAs`."""
        kind = {"isPrimary": True} if self.primary else {"treatAsAlias": True, "verificationStatus": "accepted"}
        return {
            "sendAsEmail": self.address,
            "displayName": self.name,
            "replyToAddress": "",
            "signature": self.signature,
            "isDefault": self.primary,
            **kind,
        }


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
        wanted = address.lower()
        return next((identity for identity in self.identities if identity.address.lower() == wanted), None)

    def rename(self, address: str) -> None:
        """Changes the address. The old one becomes an alias; tokens stay valid."""
        old = self.identities[0]
        self.identities[:1] = [replace(old, address=address), replace(old, primary=False)]
        self.address = address

    def owns(self, address: str) -> bool:
        return self.identity(address) is not None


class PostOffice:
    """Sends and delivers mail as Gmail does."""

    def __init__(self, accounts: Sequence[GoogleAccount]) -> None:
        self._accounts = accounts

    def send(self, account: GoogleAccount, raw: bytes, thread_id: str | None) -> StoredMessage:
        """Sends a mail. Raises `ApiError` 400 or 404 before anything is written."""
        facts = facts_of(raw)
        _check_recipients(facts)
        return self._post(account, raw, facts, thread_for_own(account.mailbox, facts, thread_id))

    def send_draft(self, account: GoogleAccount, draft_id: str, raw: bytes | None, thread_id: str | None) -> StoredMessage:
        """Sends a draft, with other content if given. The draft is deleted and the sent message has a new id."""
        draft = account.drafts.get(draft_id)
        content = raw if raw is not None else account.mailbox.raw(draft)
        facts = facts_of(content)
        _check_recipients(facts)
        thread = thread_for_own(account.mailbox, facts, thread_id) if thread_id else draft.thread_id
        account.drafts.delete(draft_id)
        return self._post(account, content, facts, thread)

    def arrive(
        self, account: GoogleAccount, raw: bytes, labels: Iterable[str], internal_ms: int, facts: Facts | None = None
    ) -> StoredMessage:
        """Adds an arriving mail to a mailbox, in the thread its headers name. `facts` avoids parsing it again."""
        facts = facts or facts_of(raw)
        thread = thread_for_arrival(account.mailbox, facts, internal_ms)
        return account.mailbox.add(raw, facts, labels, internal_ms, thread)

    def _post(self, account: GoogleAccount, raw: bytes, given: Facts, thread: str | None) -> StoredMessage:
        senders = addresses_in(given.sender)
        changes: dict[str, str | None] = {
            "Message-ID": f"<CA{account.mailbox.random_token('sent', 40)}@mail.gmail.com>",
            "Date": format_datetime(account.mailbox.clock.moment()),
        }
        if not senders or not account.owns(senders[0]):
            changes["From"] = account.identities[0].header
        if not any(line.lower().startswith(b"mime-version") for line in raw[:20_000].splitlines()):
            changes["MIME-Version"] = "1.0"
        sent = rewrite_head(raw, changes)
        facts = facts_of(sent)
        people = addresses_in(facts.to, facts.cc, facts.bcc)
        labels = {"SENT", "INBOX", "UNREAD"} if any(account.owns(person) for person in people) else {"SENT"}
        row = account.mailbox.add(sent, facts, labels, account.mailbox.clock.now_ms(), thread)
        copy = rewrite_head(sent, {"Bcc": None})
        for other in self._accounts:
            if other is not account and any(other.owns(person) for person in people):
                self.arrive(other, copy, {"INBOX", "UNREAD"}, other.mailbox.clock.now_ms())
        return row


def _check_recipients(facts: Facts) -> None:
    if not (facts.to or facts.cc or facts.bcc):
        raise invalid_argument("Recipient address required")
    for name, value in (("To", facts.to), ("Cc", facts.cc), ("Bcc", facts.bcc)):
        if value and not addresses_in(value) and ":" not in value:
            raise invalid_argument(f"Invalid {name} header")
