"""Commands and events for mail archives and files, and the types the importer reads. Archives are only read, never written."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from app.domain.ids import AccountId, GmailId
from app.domain.mail.files import FetchFile, Unsubscribe
from app.domain.mail.message import Label, RemoteMessage
from app.domain.record import Record
from app.domain.wire import Command, Event


class ImportArchive(Command):
    """Imports a mail archive into an account of its own.

    It is an mbox file, a Maildir folder or a Google Takeout file. Given again, it resumes or looks for new mail.
    """

    path: Path


class StopImport(Command):
    """Stops the import for now. `ContinueImport` resumes it."""

    account_id: AccountId


class ContinueImport(Command):
    """Resumes an import that was stopped or failed."""

    account_id: AccountId


class ImportProgress(Event):
    """Progress of an import in bytes, and the number of `mails` stored.

    `state` is reading, stopped, done or failed. `seen` and `added` count the messages of this reading.
    """

    account_id: AccountId
    name: str
    state: str
    done_bytes: int
    total_bytes: int
    mails: int
    seen: int = 0
    added: int = 0


class MailPlace(Record):
    """Where an archived message is: file (or box of a packed one), first byte, length. `digest` is that of these bytes."""

    gmail_id: GmailId
    file: str
    start: int
    length: int
    digest: str


class ArchivedMail(Record):
    """One message of an archive; `message` is None if its file has gone.

    `box` is the number of its box, `done_bytes` how much of the archive ends with it, `labels` those only the archive has.
    """

    message: RemoteMessage | None
    place: MailPlace
    box: int
    done_bytes: int
    labels: tuple[Label, ...]


class ArchiveReader(Protocol):
    @property
    def total_bytes(self) -> int:
        """The size of all its boxes."""

    @property
    def unread(self) -> Sequence[Path]:
        """Its files that cannot be read, as far as known."""

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """Yields the messages from that byte of that box on."""


FileCommand = FetchFile | Unsubscribe | ImportArchive | StopImport | ContinueImport
