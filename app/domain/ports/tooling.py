"""What tools need beyond the mailbox: searching it, the network, the app's files, the user's memory, a book of calls."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from app.domain.artifacts import Handle
from app.domain.audit import AgentRun, CallAudit
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail import Message
from app.domain.memory import Namespace
from app.domain.runs import ToolExecution
from app.domain.tools import Page, WebHit


class MailSearch(Protocol):
    """Search in the stored mail of one account, by words and by meaning."""

    async def find(self, account_id: AccountId, words: str, limit: int) -> tuple[Message, ...]:
        """The mails that fit best; none from spam, trash or drafts."""

    async def query(self, account_id: AccountId, query: str, limit: int) -> tuple[Message, ...]:
        """The mails that match Gmail's operators, newest first; none from spam, trash or drafts. Raises `Refused`."""


class WebSearch(Protocol):
    """A search engine that the owner chose."""

    async def find(self, words: str, limit: int) -> Sequence[WebHit]:
        """Hits, best first. Raises `Offline`, `ServerTrouble`."""


class WebReader(Protocol):
    """Reads single pages."""

    async def read(self, url: str) -> Page:
        """A page as plain text. Raises `Refused` for whatever leads elsewhere, `Offline`, `ServerTrouble`."""


class Artifacts(Protocol):
    """Files that the app made, by handle. Synchronous: call it off the loop."""

    def has(self, handle: str) -> bool:
        """Whether there is such a file."""

    def read(self, handle: str) -> tuple[Handle, bytes]:
        """A file. Raises `NotFound`, `Refused`."""

    def write(self, name: str, content: bytes) -> Handle:
        """Keep a file; the same content under the same name is the same file. Raises `Refused`, `DiskFull`."""


class Remembering(Protocol):
    """The user's memory."""

    def remember(self, namespace: Namespace, text: str) -> int:
        """Remember once; the preference's id. Raises `Refused`."""


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
