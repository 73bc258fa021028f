"""Google Calendar and Contacts as the engine sees them; `app.mail` implements both. Used only where the user turned them on.

What the pharmacy's tools need: a catalogue and reservations. Synchronous and short; call them off the loop.

What tools need beyond the mailbox: searching it, the network, the app's files, the user's memory, a book of calls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.agents.memory import Namespace
from app.domain.agents.runs import AgentRun, CallAudit, ToolExecution
from app.domain.agents.tools import WebHit, WebPage
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address, Message
from app.domain.pharmacy import FoundDrug, Patient, Reservation, ReservationRequest


class CalendarServer(Protocol):
    """The primary calendar of one account. Raises the errors of `MailServer`."""

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Events between two aware times, in order."""

    async def has(self, event_id: str) -> bool:
        """Whether an event with this id was ever made here, deleted or not."""

    async def insert(self, payload: bytes) -> None:
        """Perform an approved request once; one whose event exists already changes nothing. Never repeated by itself."""

    async def close(self) -> None:
        """Close connections."""


@dataclass(frozen=True, slots=True)
class Person:
    """A contact with at least one address. `resource` is Google's name for it, `etag` its version; `organization` and `notes` may
    be empty."""

    addresses: tuple[Address, ...]
    organization: str
    notes: str
    resource: str = ""
    etag: str = ""


@dataclass(frozen=True, slots=True)
class PeopleChanges:
    """What changed since a sync token: contacts as they are now, and the resources of deleted ones. `whole`: this is every
    contact, and whatever is not here is gone."""

    people: tuple[Person, ...]
    gone: tuple[str, ...]
    sync_token: str
    whole: bool


class AddressBook(Protocol):
    """The contacts of one account. Raises the errors of `MailServer`."""

    async def changes(self, sync_token: str) -> PeopleChanges:
        """What changed since `sync_token`; everything where it is empty or has expired."""

    async def close(self) -> None:
        """Close connections."""


class Drugs(Protocol):
    """The catalogue with stock."""

    def count(self) -> int:
        """How many drugs there are."""

    def search(self, query: str, limit: int) -> tuple[FoundDrug, ...]:
        """The drugs whose names fit best, accents and typing errors forgiven."""

    def named(self, name: str) -> FoundDrug:
        """The one drug that is meant by a code or a full name. Raises `NotFound`, and `NotAllowed` where several are."""


class Reservations(Protocol):
    """Reservations. Each change happens once per effect key, however often it is asked for."""

    def preview(self, wish: ReservationRequest) -> None:
        """Raise `NotAllowed` or `NotFound` where `create` would."""

    def create(self, wish: ReservationRequest) -> Reservation:
        """Hold the packs. Raises `NotAllowed`, `NotFound`."""

    def of(self, patient: Patient, drug_code: str = "") -> Sequence[Reservation]:
        """A person's reservations that stand, all or those of one drug; the newest first."""

    def cancel(self, patient: Patient, number: str, effect_key: str) -> Reservation:
        """Let a person's reservation go. Raises `NotFound`, and `NotAllowed` where it no longer stands."""


class MailSearch(Protocol):
    """Search in the stored mail of one account, by words and by meaning."""

    async def find(self, account_id: AccountId, words: str, limit: int) -> tuple[Message, ...]:
        """The mails that fit best; none from spam, trash or drafts."""

    async def query(self, account_id: AccountId, query: str, limit: int) -> tuple[Message, ...]:
        """The mails that match Gmail's operators, newest first; none from spam, trash or drafts. Raises `NotAllowed`."""


class WebSearch(Protocol):
    """A search engine that the owner chose."""

    async def find(self, words: str, limit: int) -> Sequence[WebHit]:
        """Hits, best first. Raises `Offline`, `ServerError`."""


class WebReader(Protocol):
    """Reads single pages."""

    async def read(self, url: str) -> WebPage:
        """A page as plain text. Raises `NotAllowed` for whatever leads elsewhere, `Offline`, `ServerError`."""


class Artifacts(Protocol):
    """Files that the app made, by handle. Synchronous: call it off the loop."""

    def has(self, handle: str) -> bool:
        """Whether there is such a file."""

    def read(self, handle: str) -> tuple[ArtifactHandle, bytes]:
        """A file. Raises `NotFound`, `NotAllowed`."""

    def write(self, name: str, content: bytes) -> ArtifactHandle:
        """Keep a file; the same content under the same name is the same file. Raises `NotAllowed`, `DiskFull`."""


class PreferenceProposer(Protocol):
    """The user's memory."""

    def remember(self, namespace: Namespace, text: str) -> int:
        """Remember once; the preference's id. Raises `NotAllowed`."""


class AgentBook(Protocol):
    """Where agents' calls and ends are noted. Synchronous: call it off the loop."""

    def note(self, row: CallAudit) -> None:
        """A call has an outcome so far."""

    def finish(self, run: AgentRun, message_id: MessageId) -> None:
        """A run of a profile has ended: its result, and one event of its mail, both once."""

    def earlier(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        """What a call has returned already."""

    def sends_since(self, since: datetime) -> int:
        """How many sends agents have carried out."""
