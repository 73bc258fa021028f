"""Mail as the program knows it: addresses, messages, attachments, labels, threads.

Two shapes of a message exist: `RemoteMessage`, what the server says (Gmail ids only), and `Message`, the same after the store
gave it local ids.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.ids import AccountId, AttachmentId, GmailId, GmailThreadId, HistoryId, MessageId, ThreadId


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


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox of RFC 5322. `email` is lower-cased; `name` is the decoded display name or empty."""

    email: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The part after the last @, or an empty string."""
        before, _, after = self.email.rpartition("@")
        return after if before else ""


@dataclass(frozen=True, slots=True)
class RemoteAttachment:
    """A MIME part that is not the body. `size` in bytes; `gmail_attachment_id` is valid only for a while."""

    part_id: str
    filename: str
    mime_type: str
    size: int
    gmail_attachment_id: str = ""
    content_id: str = ""
    inline: bool = False


@dataclass(frozen=True, slots=True)
class RemoteMessage:
    """A message as decoded from `format=full`, before it has local ids.

    `body_text` is what a reader of the mail sees, as plain text (hidden text removed); `body_html` is already
    cleaned for display (no scripts, no remote loads), empty for a plain-text mail and for one whose HTML waits to be
    cleaned: that stands in `html_source` as the stranger wrote it. `headers` keep order and case.
    `date` is Gmail's internalDate, UTC. `rfc822_id`, `in_reply_to` and `references` hold ids with angle brackets.
    """

    gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    history_id: HistoryId
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
    attachments: tuple[RemoteAttachment, ...]
    size: int
    html_source: str = ""

    def header(self, name: str) -> str:
        """The first header of that name (any case), or an empty string."""
        return first_header(self.headers, name)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A stored attachment's row."""

    id: AttachmentId
    message_id: MessageId
    part_id: str
    filename: str
    mime_type: str
    size: int
    content_id: str
    inline: bool


@dataclass(frozen=True, slots=True)
class Message:
    """A stored message. Fields as in `RemoteMessage`, with local ids. With `html_waits` there is HTML that the engine has to
    clean before anybody sees it."""

    id: MessageId
    account_id: AccountId
    thread_id: ThreadId
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
    attachments: tuple[Attachment, ...]
    html_waits: bool = False

    def header(self, name: str) -> str:
        """The first header of that name (any case), or an empty string."""
        return first_header(self.headers, name)

    @property
    def outgoing(self) -> bool:
        """Whether the account's owner sent it."""
        return SystemLabel.SENT in self.labels


def first_header(headers: tuple[tuple[str, str], ...], name: str) -> str:
    """The first value of header `name`, compared without case."""
    wanted = name.lower()
    return next((value for key, value in headers if key.lower() == wanted), "")


@dataclass(frozen=True, slots=True)
class Label:
    """A Gmail label: `gmail_label_id` such as INBOX or Label_7; `kind` is system or user."""

    gmail_label_id: str
    name: str
    kind: str


GMAIL = "gmail"
ARCHIVE = "archive"
"""Kinds of accounts."""


@dataclass(frozen=True, slots=True)
class Account:
    """A connected mailbox. `send_as` are the addresses the owner may send from; `signature` is Gmail's, as HTML. One that is
    `paused` is not synced; `short_lived` when Google once ended its sign-in after a week, as it does in Testing.
    `kind` tells a mailbox at Gmail from an `ARCHIVE`: a file of old mail, read once and never written to."""

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


@dataclass(frozen=True, slots=True)
class MessageLine:
    """What a list shows of one message of a conversation: all but its body, recipients and files."""

    id: MessageId
    sender: Address
    subject: str
    snippet: str
    date: datetime
    unread: bool
    starred: bool


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """What a list shows of one thread. `decision`, `category` and `confidence` are empty or 0 before triage."""

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
