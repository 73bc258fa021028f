"""Reading a mail archive: what the owner asks for and what is told. An archive is read once and never written to."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.domain.ids import AccountId, GmailId
from app.domain.mail import Label, RemoteMessage


@dataclass(frozen=True, slots=True)
class ImportArchive:
    """Read an mbox file, a Maildir folder or a Google Takeout file into a local account of its own; again: go on or look for
    what is new."""

    path: Path


@dataclass(frozen=True, slots=True)
class StopImport:
    """Stop reading; what was read stays, and `ImportArchive` goes on there."""

    account_id: AccountId


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far an archive is: bytes and mails so far; `state` is reading, stopped, done or failed."""

    account_id: AccountId
    name: str
    state: str
    done_bytes: int
    total_bytes: int
    mails: int


@dataclass(frozen=True, slots=True)
class MailPlace:
    """Where an archived mail stands: its file (or box in a packed one), first byte and length."""

    gmail_id: GmailId
    file: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class ArchivedMail:
    """One mail of an archive; `message` is None for one whose file is gone meanwhile. `box` is the number of its box,
    `done_bytes` how much of the archive lies before its end, `labels` those that only the archive has."""

    message: RemoteMessage | None
    place: MailPlace
    box: int
    done_bytes: int
    labels: tuple[Label, ...]


class ArchiveReader(Protocol):
    """An open archive."""

    @property
    def total_bytes(self) -> int:
        """The size of all its boxes."""

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """The mails from that byte of that box on."""
