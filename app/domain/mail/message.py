"""Messages, addresses, attachments, labels, accounts and threads.

A `RemoteMessage` is what the server returns (Gmail ids only); a `Message` is the same in the store, with local ids. Also a
message's options for leaving a mailing list (RFC 2369 and RFC 8058).
"""

import re
from datetime import date, datetime
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from app.domain.ids import AccountId, AttachmentId, GmailId, GmailThreadId, HistoryId, LetterId, MessageId, ThreadId
from app.domain.record import Record


class SystemLabel(StrEnum):
    """Gmail's system label ids used here."""

    INBOX = "INBOX"
    UNREAD = "UNREAD"
    STARRED = "STARRED"
    IMPORTANT = "IMPORTANT"
    SENT = "SENT"
    DRAFT = "DRAFT"
    SPAM = "SPAM"
    TRASH = "TRASH"


class Address(Record):
    """One mailbox of RFC 5322. `email` is in lower case; `name` is the decoded display name or empty."""

    email: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The part after the last @, or an empty string."""
        before, _, after = self.email.rpartition("@")
        return after if before else ""


class RemoteAttachment(Record):
    """A MIME part that is not the body. `size` is in bytes; `gmail_attachment_id` expires."""

    part_id: str
    filename: str
    mime_type: str
    size: int
    gmail_attachment_id: str = ""
    content_id: str = ""
    inline: bool = False


class MailContent(Record, kw_only=True):
    """What a message is on the server and in the store.

    `body_text` is what a reader sees, as plain text (hidden text removed). `body_html` is cleaned for display (no scripts, no
    remote loads); it is empty for plain-text mail and while the HTML waits to be cleaned. `headers` keep order and case. `date`
    is Gmail's internalDate, UTC. `rfc822_id`, `in_reply_to` and `references` hold ids with angle brackets. `too_slow`: its HTML
    needed more time than a mail has, so there is only text.
    """

    gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    date: datetime
    sender: Address
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    reply_to: tuple[Address, ...]
    subject: str
    snippet: str
    body_text: str
    body_html: str
    rfc822_id: str
    in_reply_to: str
    references: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]
    labels: frozenset[str]
    too_slow: bool = False

    def header(self, name: str) -> str:
        """Returns the first header of that name (any case), or an empty string."""
        return first_header(self.headers, name)


class RemoteMessage(MailContent, kw_only=True):
    """A message decoded from `format=full`, before it has local ids. `html_source` is HTML that is not cleaned yet."""

    history_id: HistoryId
    attachments: tuple[RemoteAttachment, ...]
    size: int
    html_source: str = ""


class Attachment(Record):
    id: AttachmentId
    message_id: MessageId
    part_id: str
    filename: str
    mime_type: str
    size: int
    content_id: str
    inline: bool


class Message(MailContent, kw_only=True):
    """A stored message, with local ids. `html_waits`: the engine must clean its HTML before it is shown."""

    id: MessageId
    account_id: AccountId
    thread_id: ThreadId
    attachments: tuple[Attachment, ...]
    html_waits: bool = False

    @property
    def outgoing(self) -> bool:
        """Whether the account's owner sent it."""
        return SystemLabel.SENT in self.labels

    @property
    def pictures(self) -> tuple[Attachment, ...]:
        """The attachments that its HTML shows by their Content-ID."""
        source = unquote(self.body_html) if "cid:" in self.body_html else ""
        return tuple(one for one in self.attachments if one.content_id and f"cid:{one.content_id}" in source)


def first_header(headers: tuple[tuple[str, str], ...], name: str) -> str:
    """The first value of header `name`, in any case."""
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return ""


class Label(Record):
    """A Gmail label. `gmail_label_id` is for example INBOX or Label_7; `kind` is system or user."""

    gmail_label_id: str
    name: str
    kind: str


GMAIL = "gmail"
ARCHIVE = "archive"
"""Kinds of accounts."""


class Vacation(Record):
    """Gmail's vacation responder. Times are Unix milliseconds, 0 for none; `until_ms` is the end, exclusive."""

    on: bool = False
    subject: str = ""
    text: str = ""
    from_ms: int = 0
    until_ms: int = 0
    contacts_only: bool = False


class SendAs(Record):
    """An address that the owner may send from, as set in Gmail (`settings.sendAs`); `signature` is HTML."""

    email: str
    name: str
    is_default: bool
    signature: str


class Account(Record):
    """A connected mailbox, or a mail archive (`kind`).

    `send_as` are the addresses the owner may send from; `identities` has what Gmail says about each, `name` and `signature` are
    those of the usual one. A `paused` account is not synced.
    `short_lived`: Google ended its sign-in after a week once, as in testing mode.
    """

    id: AccountId
    email: str
    name: str
    send_as: tuple[str, ...]
    signature: str
    colour: str
    paused: bool = False
    signed_in_at: datetime | None = None
    short_lived: bool = False
    kind: str = GMAIL
    identities: tuple[SendAs, ...] = ()

    def identity(self, email: str) -> SendAs:
        """Name and signature to write under from an address."""
        found = next((one for one in self.identities if one.email == email.lower()), None)
        return found or SendAs(email.lower(), self.name, False, self.signature)

    def sender(self, email: str) -> Address:
        """An address of the owner with the name it writes under."""
        identity = self.identity(email)
        return Address(identity.email, identity.name or self.name)

    @property
    def usual(self) -> str:
        """The address that new mail leaves from."""
        return next((one.email for one in self.identities if one.is_default), self.email)


class MessageLine(Record):
    """A message in a conversation's list: without body, recipients and files. `letter_id` is the answer written here whose draft
    it was in Gmail.
    """

    id: MessageId
    sender: Address
    subject: str
    snippet: str
    date: datetime
    unread: bool
    starred: bool
    draft: bool = False
    letter_id: LetterId | None = None


class ThreadRow(Record):
    """A thread in a list.

    `decision`, `category` and `confidence` are empty or 0 before triage. `draft_ready`: a drafted reply waits for the owner;
    `draft_blanks`: it has blanks to fill in.
    `muted`: its new mail skips the inbox. `no_reply`: it returned because nobody answered.
    """

    id: ThreadId
    account_id: AccountId
    sender: str
    subject: str
    snippet: str
    date: datetime
    message_count: int
    unread: bool
    starred: bool
    has_attachment: bool
    labels: tuple[str, ...]
    decision: str
    category: str
    confidence: float
    draft_ready: bool = False
    draft_blanks: bool = False
    muted: bool = False
    no_reply: bool = False


class Promise(Record):
    """One sentence of the owner, when it was sent, and the day it names, if any."""

    text: str
    sent: datetime
    due: date | None = None


LONGEST_LIST_HEADER = 2000
_LISTED = re.compile(r"<\s*([^<>\s]{1,2000})\s*>")
_VERIFIED = re.compile(r"\bdkim=pass\b", re.IGNORECASE)


class UnsubscribeOption(Record):
    """`url` is https or empty; `one_click`: one request to it is enough. `mailto` begins with mailto: or is empty."""

    url: str
    one_click: bool
    mailto: str

    @property
    def host(self) -> str:
        """The host of the request, without its port."""
        return urlsplit(self.url).hostname or ""


def way_out(headers: tuple[tuple[str, str], ...]) -> UnsubscribeOption | None:
    """The options a message offers, None if none is usable.

    One click counts only if Google verified the message (`dkim=pass`).
    """
    found = _LISTED.findall(first_header(headers, "List-Unsubscribe")[: LONGEST_LIST_HEADER * 4])
    url = next((address for address in found if _is_https(address)), "")
    mailto = next((address for address in found if address.lower().startswith("mailto:") and "@" in address), "")
    asked = first_header(headers, "List-Unsubscribe-Post").strip().lower() == "list-unsubscribe=one-click"
    verified = _VERIFIED.search(first_header(headers, "Authentication-Results")) is not None
    return UnsubscribeOption(url, bool(url) and asked and verified, mailto) if url or mailto else None


def _is_https(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme.lower() == "https" and bool(parts.hostname) and "@" not in parts.netloc and parts.port in (None, 443)
    except ValueError:
        return False
