"""What the window reads for writing: letters, addresses, text templates, and sent mail that waits for an answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.ids import AccountId, LetterId, MessageId, ThreadId
from app.domain.letter import StoredLetter
from app.domain.mail import Address, Message
from app.domain.templates import TextTemplate


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
