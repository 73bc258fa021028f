"""Gmail as the engine sees it; `app.mail.gmail.client` implements it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId
from app.domain.mail.message import Label, RemoteMessage
from app.domain.sync import HistoryPage, ListPage


@dataclass(frozen=True, slots=True)
class MailboxProfile:
    """`users.getProfile`."""

    email: str
    history_id: HistoryId
    messages_total: int


@dataclass(frozen=True, slots=True)
class SendAs:
    """One `settings.sendAs` entry; `signature` is HTML."""

    email: str
    name: str
    is_default: bool
    signature: str


class Fetched(NamedTuple):
    """The outcome for one wanted message: the message, or gone (404), or an error to try again (`code`, `detail`), where the
    quota is spent with the seconds that the server asked for."""

    gmail_id: GmailId
    message: RemoteMessage | None
    gone: bool = False
    code: str = ""
    detail: str = ""
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class RemoteDraft:
    """Hold the ids of a draft as a write answers them.

    `message_gmail_id` changes whenever the draft is edited. What the draft holds was not read.
    """

    draft_id: GmailDraftId
    message_gmail_id: GmailId
    gmail_thread_id: GmailThreadId


@dataclass(frozen=True, slots=True)
class ReadDraft:
    """Hold a draft that was read back with its headers.

    Only such a draft is sent or deleted. `marker` is the value of our `X-Replyroom-Outbox` header, empty on others' drafts.
    """

    draft_id: GmailDraftId
    message_gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    rfc822_id: str = ""
    marker: str = ""

    def carries(self, mark: str) -> bool:
        """Tell whether one of the two headers is `mark`."""
        return bool(mark) and mark in (self.marker, self.rfc822_id)


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """What dispatch needs of each message when it reads a thread again. `to` are all recipients' addresses."""

    gmail_id: GmailId
    labels: frozenset[str]
    rfc822_id: str
    sender: str
    date: datetime
    marker: str
    """The value of our `X-Replyroom-Outbox` header, empty on others' mail."""


class MailReading(Protocol):
    """Reading the mailbox, as sync does. Reads are retried inside with backoff."""

    async def profile(self) -> MailboxProfile:
        """Address, newest history id and message count."""

    async def labels(self) -> tuple[Label, ...]:
        """All labels."""

    async def label_total(self, label_id: str) -> int:
        """How many messages have a label, by the server's own count. Raises `NotFound`."""

    async def send_as(self) -> tuple[SendAs, ...]:
        """The addresses the owner may send from."""

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        """A page of at most 500, newest first."""

    async def history(self, start: HistoryId, page_token: str = "") -> HistoryPage:
        """A page of changes after `start`. Raises `CursorExpired`."""

    async def fetch_messages(self, ids: Sequence[GmailId]) -> tuple[Fetched, ...]:
        """At most 20 messages in one batch, an outcome for each; parsing happens off the event loop."""

    async def fetch_threads(self, ids: Sequence[GmailThreadId]) -> tuple[tuple[GmailThreadId, tuple[Fetched, ...]], ...]:
        """At most 10 threads in one batch; a thread that could not be fetched has one `Fetched` with an empty gmail_id."""

    def room_s(self, units: int) -> float:
        """Seconds until work in the background that costs `units` may begin without being in the way of what the user waits
        for; 0 if at once. Nothing is reserved."""


class DraftKeeping(Protocol):
    """Drafts, and the one way in which mail leaves. Writes are never retried."""

    async def thread_state(self, thread_id: GmailThreadId) -> tuple[ThreadMessage, ...]:
        """The thread as it is on the server now, oldest first (metadata only)."""

    async def create_draft(self, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        """`drafts.create`, by upload above 5 MB. `thread_id` is empty for a new mail. Never retried."""

    async def update_draft(self, draft_id: GmailDraftId, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        """`drafts.update`, by upload above 5 MB: the draft gets a new message. Raises `NotFound`. Safe to repeat."""

    async def get_draft(self, draft_id: GmailDraftId) -> ReadDraft:
        """Read a draft with its headers.

        Raises `NotFound` when it is sent or deleted.
        """

    async def find_drafts(self, mark: str) -> tuple[ReadDraft, ...]:
        """Find the drafts that carry `mark`, each read back."""

    async def send_draft(self, draft: ReadDraft) -> GmailId:
        """Send a draft that was read right before; gives the message's id.

        This is exactly one HTTP request, and it is never retried.
        """

    async def delete_draft(self, draft: ReadDraft) -> bool:
        """Delete a draft that is still as it was read.

        It is read again first. Gives False where it is another by now. A missing draft is fine.
        """


class LabelKeeping(Protocol):
    """Labels of messages."""

    async def modify(self, ids: Sequence[GmailId], add: Sequence[str], remove: Sequence[str]) -> None:
        """Change labels: `batchModify` from 11 messages on, `modify` below. Safe to repeat."""

    async def create_label(self, name: str) -> Label:
        """Make a user's label; one of that name that is there already is as good."""


class PartFetching(Protocol):
    """Parts of messages, as bytes or into a file."""

    async def attachment(self, gmail_id: GmailId, part_id: str) -> bytes:
        """An attachment's bytes."""

    async def download(self, gmail_id: GmailId, part_id: str, target: Path, told: Callable[[int], None]) -> None:
        """A part (`mail_files.SOURCE_PART`: the whole source) into a file, which appears whole or not at all. What came before
        a cut stays beside it for the next try. `told` hears, from another thread, how many bytes came."""


class MailServer(MailReading, DraftKeeping, LabelKeeping, PartFetching, Protocol):
    """Gmail of one account. Every method may raise `Offline`, `LoginNeeded`, `QuotaReached`, `PermissionMissing`,
    `NotFound`, `ServerError`, `RejectedByServer`. Reads are retried inside with backoff; writes never."""

    async def close(self) -> None:
        """Close connections."""
