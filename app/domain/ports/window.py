"""Ports of the window: read-only access to the database by topic, and its connection to the engine."""

from array import array
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from app.domain.agents.memory import Namespace, Preference
from app.domain.agents.requests import Request
from app.domain.agents.runs import DailyWork, ModelCall, Run, SentToHost, TraceStep
from app.domain.drafting.review import Review, ReviewRow, ReviewSection
from app.domain.ids import AccountId, LetterId, MessageId, OutboxId, RequestId, ReviewId, RunId, ThreadId
from app.domain.mail.files import ArtifactHandle, StoredFile
from app.domain.mail.letter import StoredLetter, TextTemplate
from app.domain.mail.message import Account, Address, Label, Message, MessageLine, ThreadRow
from app.domain.mail.outbox import OutboxItem, OutboxMail, OutboxRow
from app.domain.ports.agents import Contact
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.protocol.views import MailView as MailView
from app.domain.record import Record
from app.domain.sync import SetAside
from app.domain.wire import Answer, Command, Event, Query


class KnownAddress(Record):
    """An address that mail was exchanged with. `weight` grows with the number of messages; mail written to it counts most."""

    address: Address
    weight: int
    organization: str = ""


class WaitingRow(Record):
    """A sent message that waits for an answer, or with `owed` one in which the owner promised something.

    `sentence` is what was asked or promised; `due` the day that a promise names; `remind_at` when the owner wants to be reminded.
    """

    message_id: MessageId
    thread_id: ThreadId
    account_id: AccountId
    to: tuple[Address, ...]
    subject: str
    sentence: str
    sent_at: datetime
    owed: bool = False
    due: date | None = None
    remind_at: datetime | None = None


class MailboxCounts(Record):
    """Counts for the navigation and the status line."""

    pending_reviews: int
    inbox_unread: int
    outbox_waiting: int
    outbox_attention: int
    messages: int


class SenderHabit(Record):
    """What the owner does with mail from an address.

    `archived` counts the newest conversations in a row that the owner archived here. `label` is the name of the label that most
    have, empty if none has.
    """

    archived: int
    label: str


class BulkSender(Record):
    """A sender of newsletters or list mail: its newest message, and how many of its messages came and were read.

    `in_inbox` are the conversations with mail of this sender in the inbox.
    """

    newest: MessageId
    thread_id: ThreadId
    account_id: AccountId
    sender: Address
    messages: int
    read: int
    last: datetime
    in_inbox: tuple[ThreadId, ...]


class ArchiveLesson(Record):
    """What triage learned from an account's past mail: `answered` of `examples` messages were answered."""

    account_id: AccountId
    examples: int
    answered: int
    at: datetime


class MailboxReader(Protocol):
    """The window's read-only access to the database. Every call is short. Raises `StoreTooNew`, `StoreDamaged`."""

    def days_of_work(self, since: datetime) -> tuple[DailyWork, ...]:
        """Days with any work in the machine's time zone, oldest first, from `since` on."""

    def draft_names(self) -> tuple[LetterId | MessageId, ...]:
        """Open letters and drafts that only Gmail has, last changed first."""

    def letters_of(self, ids: Iterable[LetterId]) -> dict[LetterId, StoredLetter]: ...

    def messages_of(self, ids: Iterable[MessageId]) -> dict[MessageId, Message]:
        """Messages with their bodies by id."""

    def letter(self, letter_id: LetterId) -> StoredLetter | None:
        """Returns a letter in any state."""

    def letter_picture(self, letter_id: LetterId, name: str) -> bytes:
        """The bytes of a picture in a letter's text, empty until the engine has it."""

    def letter_of_draft(self, message_id: MessageId) -> LetterId | None:
        """The letter whose draft in Gmail is this message."""

    def people(self, typed: str, most: int, by_firm: bool = False) -> tuple[KnownAddress, ...]:
        """At most `most` people that match every typed word, most written to first.

        Each typed word must begin a word of the name, the address or its domain; with `by_firm` also of the organization.
        """

    def known_emails(self, emails: Iterable[str]) -> frozenset[str]:
        """Which of these lower-case addresses are correspondents or contacts."""

    def templates(self) -> tuple[TextTemplate, ...]:
        """Text templates, the most used first."""

    def waiting(self, before: datetime, since: datetime, limit: int = 400) -> Sequence[WaitingRow]:
        """Messages sent between `since` and `before` with an open question, newest first; then promises since `since`.

        Dismissed ones are left out.
        """

    def contact_card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The contact card with open promises, None for an unknown address."""

    def accounts(self) -> tuple[Account, ...]:
        """All connected accounts."""

    def archives(self) -> tuple[Account, ...]:
        """Mail archives, read whole or in part; `accounts` leaves them out."""

    def archive_readings(self) -> tuple[ImportProgress, ...]:
        """The import progress of each mail archive."""

    def thread_ids(self, view: MailView, label: str = "", limit: int = 2000, skip: int = 0) -> "array[int]":
        """Thread ids of a view, newest first. `label` (a Gmail label id) narrows `ALL`."""

    def split_counts(self) -> dict[MailView, int]:
        """How many of the newest conversations in the inbox each split has."""

    def still_in(self, view: MailView, ids: Sequence[ThreadId]) -> frozenset[ThreadId]:
        """Which of these threads are in the view."""

    def snoozed_until(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        """When these threads come back to the inbox (UTC), snoozed ones only."""

    def thread_rows(self, ids: Sequence[ThreadId]) -> dict[ThreadId, ThreadRow]:
        """List rows by id; missing ids are left out."""

    def messages(self, thread_id: ThreadId) -> tuple[Message, ...]:
        """A thread's messages with bodies, oldest first."""

    def thread_lines(self, thread_id: ThreadId) -> tuple[MessageLine, ...]:
        """A thread's messages as list rows, oldest first, without bodies."""

    def last_dates(self, ids: Sequence[ThreadId]) -> dict[ThreadId, datetime]:
        """When the newest message of each thread came; missing threads are left out."""

    def accounts_of(self, ids: Sequence[ThreadId]) -> dict[ThreadId, AccountId]:
        """The account of each thread; missing threads are left out."""

    def verdict_reason(self, message_id: MessageId) -> str:
        """The stored reason of triage's verdict on a message, empty before triage."""

    def message(self, message_id: MessageId) -> Message | None:
        """Returns a message with its body."""

    def bulk_senders(self, since: datetime) -> tuple[BulkSender, ...]:
        """The senders of newsletters and list mail since a time, those with most mail first."""

    def last_of_sender(self, account_id: AccountId, email: str, most: int) -> tuple[tuple[ThreadId, MessageId], ...]:
        """The newest conversations with mail of an address, each with its newest message."""

    def sender_habit(self, account_id: AccountId, email: str) -> SenderHabit: ...

    def labels(self, account_id: AccountId) -> tuple[Label, ...]:
        """The account's labels by name."""

    def label_names(self) -> tuple[str, ...]:
        """The names of user labels in all accounts, each once."""

    def file(self, message_id: MessageId, part_id: str) -> StoredFile | None:
        """A part of a message on disk or being fetched; None if never requested."""

    def set_aside(self, account_id: AccountId) -> tuple[SetAside, ...]:
        """Messages that could not be fetched yet, most attempts first; at most a hundred."""

    def unchecked(self) -> dict[AccountId, int]:
        """Mailboxes in which no mail is checked until the user agrees, and how many messages of each are here."""

    def counts(self) -> MailboxCounts: ...

    def review_ids(self, pending: bool = True) -> "array[int]":
        """Reviews in queue order: by section, then the oldest urgent first.

        With `pending=False` the decided ones, newest first.
        """

    def section_sizes(self) -> dict[ReviewSection, int]:
        """How many reviews wait in each section of the queue, in order and without empty ones."""

    def review_rows(self, ids: Sequence[ReviewId]) -> dict[ReviewId, ReviewRow]:
        """List rows of reviews by id."""

    def review(self, review_id: ReviewId) -> Review | None:
        """Returns a whole review with its newest revision."""

    def drafted_reply(self, thread_id: ThreadId) -> Review | None:
        """The pending reply to a conversation, None if no draft waits."""

    def outbox(self, limit: int = 500) -> tuple[OutboxRow, ...]:
        """Mail, meetings and answers, open ones first, then newest; of label changes only those that need attention."""

    def outbox_ids(self, limit: int = 500, changes: bool = False) -> tuple[OutboxId, ...]:
        """The ids of the same items; with `changes` those of label changes."""

    def change_key(self, outbox_id: OutboxId) -> str:
        """The key of the mailbox change an item belongs to, for `UndoChange`. Empty if it was undone or has none."""

    def outbox_mail(self, outbox_id: OutboxId) -> OutboxMail:
        """A mail as it was approved, empty for other items."""

    def outbox_of(self, ids: Sequence[int]) -> Mapping[int, OutboxRow]:
        """Items by id; missing ones are left out."""

    def open_items(self) -> tuple[OutboxItem, ...]:
        """Outbox items that may still be sent, newest first, without their MIME bytes."""

    def runs(self, limit: int = 500) -> tuple[Run, ...]:
        """Runs, newest first."""

    def run(self, run_id: RunId) -> Run | None: ...

    def trace(self, run_id: RunId) -> tuple[TraceStep, ...]:
        """The steps of a run in order, with the texts behind the ids and the calls each made."""

    def sent_by_day(self, since: datetime) -> tuple[SentToHost, ...]:
        """What calls of language models sent, by day and host, newest day first."""

    def sent_calls(self, since: datetime, host: str = "", limit: int = 500) -> tuple[ModelCall, ...]:
        """These calls, newest first; those to one host where it is given."""

    def preferences(self) -> tuple[Preference, ...]:
        """Preferences in force, oldest first."""

    def archive_lessons(self) -> tuple[ArchiveLesson, ...]:
        """What was learned from each account's past mail, none for accounts whose mail was not read yet."""

    def preference_ids(self, groups: Sequence[Namespace]) -> "array[int]":
        """Preference ids by group in the order of `groups`, each newest first."""

    def preferences_of(self, ids: Sequence[int]) -> dict[int, Preference]:
        """Preferences by id; missing ones are left out."""

    def request_ids(self, limit: int = 500) -> tuple[RequestId, ...]:
        """Requests, newest first, without forgotten ones."""

    def requests_of(self, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
        """Requests with their steps by id; missing ones are left out."""

    def request(self, request_id: RequestId) -> Request | None:
        """Returns a request with its steps."""

    def spent_on(self, request: Request) -> tuple[int, int, float]:
        """Calls, tokens and US dollars of its model calls so far."""

    def document(self, handle: ArtifactHandle) -> Path | None:
        """Copies an artifact for other programs to open; None if it is gone.

        Raises `NotAllowed` if its content has changed, and `DiskFull`.
        """

    def apart(self) -> "MailboxReader":
        """A reader of the same file for another thread."""

    def close(self) -> None:
        """Closes the file."""


class EngineLink(Protocol):
    """The window's connection to the engine."""

    def send(self, command: Command) -> None:
        """Queues a command and returns at once. While the engine is down, commands wait until it is back."""

    def ask(self, query: Query) -> Awaitable[Answer]:
        """Awaits an answer; cancelling the awaitable cancels the query. Raises `ExpectedError`."""

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Calls `listener` with each event; returns a function that stops this."""
