"""What the window needs: a read-only handle on the mailbox and its end of the wire.

What the charts of Activity read.

What the window reads for writing: letters, addresses, text templates, and sent mail that waits for an answer.
"""

from array import array
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.agents.memory import Namespace, Preference
from app.domain.agents.runs import DailyWork, Run, StepLog
from app.domain.drafting.review import Review, ReviewRow
from app.domain.ids import AccountId, LetterId, MessageId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.mail.files import StoredFile
from app.domain.mail.letter import StoredLetter, TextTemplate
from app.domain.mail.message import Account, Address, Label, Message, MessageLine, ThreadRow
from app.domain.mail.outbox import OutboxItem
from app.domain.ports.agents import AssistantReader, Contact
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.protocol.commands import Answer, Command, Query
from app.domain.protocol.events import Event
from app.domain.protocol.views import MailView as MailView
from app.domain.sync import SetAside


class DailyReader(Protocol):
    """Numbers by day."""

    def days_of_work(self, since: datetime) -> tuple[DailyWork, ...]:
        """Days in the machine's time zone on which something was done, oldest first; `since` begins the first."""


@dataclass(frozen=True, slots=True)
class KnownAddress:
    """An address that mail was exchanged with; `weight` grows with how often and counts mail written to it most."""

    address: Address
    weight: int
    organization: str = ""


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """A sent mail that nobody has answered: to whom, what about, when."""

    message_id: MessageId
    thread_id: ThreadId
    account_id: AccountId
    to: tuple[Address, ...]
    subject: str
    snippet: str
    sent_at: datetime


class WritingReader(Protocol):
    """The read-only handle's part for writing. Every call is short; none writes."""

    def draft_names(self) -> tuple[LetterId | MessageId, ...]:
        """Letters being written and drafts that only Gmail has, the last changed first."""

    def letters_of(self, ids: Iterable[LetterId]) -> dict[LetterId, StoredLetter]:
        """Letters by id."""

    def messages_of(self, ids: Iterable[MessageId]) -> dict[MessageId, Message]:
        """Messages with their bodies by id."""

    def letter(self, letter_id: LetterId) -> StoredLetter | None:
        """One letter in whatever state."""

    def letter_of_draft(self, message_id: MessageId) -> LetterId | None:
        """The letter whose draft in Gmail is this message."""

    def people(self, typed: str, most: int, by_firm: bool = False) -> tuple[KnownAddress, ...]:
        """At most `most` people of whom each typed word begins a word of the name, the address or its domain (with `by_firm` of
        the organization, too); most written to first."""

    def known_emails(self, emails: Iterable[str]) -> frozenset[str]:
        """Those of some lower-case addresses that mail was exchanged with, or that an address book has."""

    def templates(self) -> tuple[TextTemplate, ...]:
        """Text templates, the most used first."""

    def waiting(self, before: datetime, since: datetime, limit: int = 500) -> Sequence[WaitingRow]:
        """Mail sent between `since` and `before` to which no answer came and which was not dismissed, oldest first."""


@dataclass(frozen=True, slots=True)
class MailboxCounts:
    """Numbers beside the pages' names and in the status line."""

    pending_reviews: int
    inbox_unread: int
    outbox_waiting: int
    outbox_attention: int
    messages: int


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """What the Outbox page shows of an item (no MIME bytes)."""

    item: OutboxItem
    approved_at: datetime


class ContactReader(Protocol):
    """Cards of correspondents."""

    def contact_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The card of an address with open promises, None when nothing is known of it."""


class MailReader(Protocol):
    """Mail: accounts, lists, conversations, labels, files."""

    def accounts(self) -> tuple[Account, ...]:
        """All connected accounts."""

    def archives(self) -> tuple[Account, ...]:
        """Mail archives that were read, whole or in part; `accounts` leaves them out."""

    def archive_readings(self) -> tuple[ImportProgress, ...]:
        """How far each mail archive was read."""

    def thread_ids(self, view: MailView, label: str = "", limit: int = 2000, skip: int = 0) -> "array[int]":
        """Thread ids of a view, newest first; `label` (a Gmail label id) narrows `ALL`."""

    def still_in(self, view: MailView, ids: Sequence[ThreadId]) -> frozenset[ThreadId]:
        """Which of these threads the view lists."""

    def snoozed_until(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        """When these threads come back to the inbox (UTC); those that are not snoozed are missing."""

    def thread_rows(self, ids: Sequence[ThreadId]) -> dict[ThreadId, ThreadRow]:
        """List rows by id; ids that are gone are missing."""

    def messages(self, thread_id: ThreadId) -> tuple[Message, ...]:
        """A thread's messages with bodies, oldest first."""

    def thread_lines(self, thread_id: ThreadId) -> tuple[MessageLine, ...]:
        """A thread's messages as a list shows them, oldest first; no body is read."""

    def accounts_of(self, ids: Sequence[ThreadId]) -> dict[ThreadId, AccountId]:
        """Whose threads these are; those that are gone are missing."""

    def message(self, message_id: MessageId) -> Message | None:
        """One message with its body."""

    def labels(self, account_id: AccountId) -> tuple[Label, ...]:
        """The account's labels by name."""

    def label_names(self) -> tuple[str, ...]:
        """The names of the labels that the user made in any account, each once."""

    def file(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        """A part of a message on disk, or on its way there; None before it was asked for."""

    def set_aside(self, account_id: AccountId) -> tuple[SetAside, ...]:
        """Messages that could not be fetched yet, the most often tried first; at most a hundred."""


class AssistantWorkReader(Protocol):
    """What the assistant did and what waits for the user."""

    def counts(self) -> MailboxCounts:
        """Numbers for the navigation."""

    def review_ids(self, pending: bool = True) -> "array[int]":
        """Reviews in queue order: oldest urgent first; with `pending=False` the decided ones, newest first."""

    def review_rows(self, ids: Sequence[ReviewId]) -> dict[ReviewId, ReviewRow]:
        """List rows of reviews by id."""

    def review(self, review_id: ReviewId) -> Review | None:
        """A whole review with its newest revision."""

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        """Outbox items, open ones first, then newest."""

    def outbox_ids(self, limit: int = 500) -> tuple[OutboxId, ...]:
        """The same items by their numbers."""

    def outbox_of(self, ids: Sequence[int]) -> Mapping[int, OutboxRow]:
        """Items by number; those that are gone are missing."""

    def open_items(self) -> tuple[OutboxItem, ...]:
        """Outbox items that may still leave, newest first, without their MIME bytes."""

    def runs(self, limit: int = 500) -> tuple[Run, ...]:
        """Runs, newest first."""

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        """A run's node log in order."""

    def preferences(self) -> tuple[Preference, ...]:
        """What was learned or typed and is in force, oldest first."""

    def preference_ids(self, groups: Sequence[Namespace]) -> "array[int]":
        """The same by group, in the order of `groups`, the newest first in each."""

    def preferences_of(self, ids: Sequence[int]) -> dict[int, Preference]:
        """Preferences by id; those that are gone are missing."""


class MailboxReader(MailReader, AssistantWorkReader, WritingReader, ContactReader, DailyReader, AssistantReader, Protocol):
    """The read-only handle on the database file. Every call is short; none writes. Raises `StoreTooNew`, `StoreDamaged`."""

    def close(self) -> None:
        """Release the file."""


class EngineLink(Protocol):
    """The window's end of the wire."""

    def send(self, command: Command) -> None:
        """Queue a command; returns at once, also while the engine is down (it is delivered when it is back)."""

    def ask(self, query: Query) -> Awaitable[Answer]:
        """Await an answer; cancelling the awaitable cancels the query. Raises `ExpectedError`."""

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call `listener` with each event; returns the way to stop."""
