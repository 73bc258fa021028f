"""What Google Contacts tells, and ports of the agents' tools: pharmacy, search, web, artifacts, memory, audit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from app.domain.agents.memory import Namespace
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.agents.runs import AgentRun, CallAudit, ToolExecution
from app.domain.agents.tools import WebHit, WebPage
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle, DocumentText
from app.domain.mail.message import Address, Message
from app.domain.pharmacy import FoundDrug, Patient, Reservation, ReservationRequest


@dataclass(frozen=True, slots=True)
class Person:
    """A contact with at least one address.

    `resource` is Google's name for it, `etag` its version. `organization` and `notes` may be empty.
    """

    addresses: tuple[Address, ...]
    organization: str
    notes: str
    resource: str = ""
    etag: str = ""


@dataclass(frozen=True, slots=True)
class PeopleChanges:
    """The changes since a sync token: current contacts, and resources of deleted ones.

    `whole`: these are all contacts, and any other is gone.
    """

    people: tuple[Person, ...]
    gone: tuple[str, ...]
    sync_token: str
    whole: bool


class Drugs(Protocol):
    """The drug catalogue with stock. Synchronous and short; call it off the loop."""

    def count(self) -> int: ...

    def search(self, query: str, limit: int) -> tuple[FoundDrug, ...]:
        """The drugs that match best, tolerant of accents and typing errors."""

    def named(self, name: str) -> FoundDrug:
        """Returns the drug with this code or full name. Raises `NotFound`, and `NotAllowed` if there are several."""


class Reservations(Protocol):
    """Reservations. Each change happens once per effect key. Call it off the loop."""

    def preview(self, wish: ReservationRequest) -> None:
        """Raises `NotAllowed` or `NotFound` if `create` would."""

    def create(self, wish: ReservationRequest) -> Reservation:
        """Reserves the packs. Raises `NotAllowed`, `NotFound`."""

    def of(self, patient: Patient, drug_code: str = "") -> Sequence[Reservation]:
        """A person's active reservations, all or of one drug, newest first."""

    def cancel(self, patient: Patient, number: str, effect_key: str) -> Reservation:
        """Cancels a person's reservation. Raises `NotFound`, and `NotAllowed` if it is no longer active."""


class MailSearch(Protocol):
    """Searches the stored mail of one account, by words and by meaning."""

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """The best matching messages; none from spam, trash or drafts."""

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        """The messages that match Gmail's operators, newest first. None from spam, trash or drafts. Raises `NotAllowed`."""


class WebSearch(Protocol):
    """A search engine that the owner chose."""

    async def find(self, words: str, limit: int) -> Sequence[WebHit]:
        """Returns hits, best first. Raises `Offline`, `ServerError`."""


class WebReader(Protocol):
    """Reads single web pages."""

    async def read(self, url: str) -> WebPage:
        """Returns a page as plain text. Raises `NotAllowed` for an address that is not allowed, `Offline`, `ServerError`."""


class Artifacts(Protocol):
    """Files that the app made, by handle. Synchronous: call it off the loop."""

    def has(self, handle: str) -> bool: ...

    def read(self, handle: str) -> tuple[ArtifactHandle, bytes]:
        """Returns a file. Raises `NotFound`, `NotAllowed`."""

    def locate(self, handle: str) -> tuple[ArtifactHandle, Path]:
        """Returns where a file is, after a check that it is unchanged. Raises `NotFound`, `NotAllowed`."""

    def write(self, name: str, content: bytes) -> ArtifactHandle:
        """Stores a file; the same content and name is the same file. Raises `NotAllowed`, `DiskFull`."""


class DocumentTexts(Protocol):
    """Reads the text of documents within limits on time and memory."""

    async def read(self, document: str) -> DocumentText:
        """The text of a document by its handle. Raises `NotFound`, and `NotAllowed` where it has none that can be read."""


class PreferenceProposer(Protocol):
    """Adds preferences for agents."""

    def remember(self, namespace: Namespace, text: str) -> int:
        """Stores a preference once and returns its id. Raises `NotAllowed`."""


class AgentBook(Protocol):
    """Where calls and results of agents are stored. Synchronous: call it off the loop."""

    def note(self, row: CallAudit) -> None:
        """Stores a call's outcome so far."""

    def begin(self, run_id: RunId, profile: str) -> None:
        """Stores that a profile's run goes on. Does nothing when it is stored already."""

    def begun(self, run_id: RunId) -> bool:
        """Whether the run was begun."""

    def finish(self, run: AgentRun, message_id: MessageId) -> None:
        """Stores the result of a profile's run and an event of its message, both once."""

    def earlier(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        """What a call has returned already, None if nothing."""

    def sends_since(self, since: datetime) -> int:
        """How many sends agents have executed."""
