"""Reading a mail archive: what the owner asks for and what is told. An archive is only read, never written to.

Everything the window may ask about files and archives, and hear about them, in one place for the wire.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.domain.ids import AccountId, GmailId
from app.domain.mail.files import FetchFile, FileChanged, Unsubscribe, Unsubscribed
from app.domain.mail.message import Label, RemoteMessage


@dataclass(frozen=True, slots=True)
class ImportArchive:
    """Read an mbox file, a Maildir folder or a Google Takeout file into a local account of its own; again: go on or look for
    what is new. `into` brings that archive up to date from it; `apart` asks nothing about an archive with the same mail."""

    path: Path
    into: AccountId | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class StopImport:
    """Stop reading for now; what was read stays, and `ContinueImport` goes on there."""

    account_id: AccountId


@dataclass(frozen=True, slots=True)
class ContinueImport:
    """Go on with a reading that was stopped, given up or cut short."""

    account_id: AccountId


@dataclass(frozen=True, slots=True)
class CancelImport:
    """End a reading. With `take_away` all it did is undone: a new archive goes, an older one is as it was before."""

    account_id: AccountId
    take_away: bool


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far an archive is: bytes, and `mails` that are here; `state` is reading, stopped, ended, done, failed, leaving or gone.

    Of this reading: mails `seen`, `added` and `relabelled`. `update` says whether the archive was read before."""

    account_id: AccountId
    name: str
    state: str
    done_bytes: int
    total_bytes: int
    mails: int
    seen: int = 0
    added: int = 0
    relabelled: int = 0
    update: bool = False


@dataclass(frozen=True, slots=True)
class ImportQuestion:
    """Of `looked` mails of a file that nobody read yet, `known` are in the archive `name`: bring it up to date, or keep apart?"""

    path: Path
    account_id: AccountId
    name: str
    looked: int
    known: int


@dataclass(frozen=True, slots=True)
class MailPlace:
    """Where an archived mail stands: its file (or box in a packed one), first byte and length. `digest` is that of the bytes
    there; empty where it is the id."""

    gmail_id: GmailId
    file: str
    start: int
    length: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedMail:
    """One mail of an archive; `message` is None for one whose file is gone meanwhile. `box` is the number of its box,
    `done_bytes` how much of the archive lies before its end, `labels` those that only the archive has. `from_gmail`: its
    source never holds two mails of one Message-ID."""

    message: RemoteMessage | None
    place: MailPlace
    box: int
    done_bytes: int
    labels: tuple[Label, ...]
    from_gmail: bool = False


class ArchiveReader(Protocol):
    """An open archive."""

    @property
    def total_bytes(self) -> int:
        """The size of all its boxes."""

    @property
    def unread(self) -> Sequence[Path]:
        """Its files that cannot be read, as far as it is known by now."""

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """The mails from that byte of that box on."""

    def sample(self) -> Iterator[ArchivedMail]:
        """Some mails from all over it."""


FileCommand = FetchFile | Unsubscribe | ImportArchive | StopImport | ContinueImport | CancelImport
FileEvent = FileChanged | Unsubscribed | ImportProgress | ImportQuestion
