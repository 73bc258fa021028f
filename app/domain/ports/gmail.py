"""The port to Gmail; `app.mail.gmail.client` implements it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId
from app.domain.mail.message import Label, RemoteMessage, SendAs, Vacation
from app.domain.record import Record
from app.domain.sync import HistoryPage, ListPage


class MailboxProfile(Record):
    """The answer of `users.getProfile`."""

    email: str
    history_id: HistoryId
    messages_total: int


class Fetched(NamedTuple):
    """The result for one wanted message.

    Either the message, or `gone` (404), or an error to retry (`code`, `detail`). `retry_after_s` is what the server asked for if
    the quota is used up.
    """

    gmail_id: GmailId
    message: RemoteMessage | None
    gone: bool = False
    code: str = ""
    detail: str = ""
    retry_after_s: float | None = None


class RemoteDraft(Record):
    """The ids of a draft as a write returns them; its content was not read.

    `message_gmail_id` changes with every edit of the draft.
    """

    draft_id: GmailDraftId
    message_gmail_id: GmailId
    gmail_thread_id: GmailThreadId


class ReadDraft(Record):
    """A draft that was read back with its headers.

    Only such a draft is sent or deleted. `marker` is our `X-Replyroom-Outbox` header, empty on other drafts.
    """

    draft_id: GmailDraftId
    message_gmail_id: GmailId
    gmail_thread_id: GmailThreadId
    rfc822_id: str = ""
    marker: str = ""

    def carries(self, mark: str) -> bool:
        """Whether one of the two headers is `mark`."""
        return bool(mark) and mark in (self.marker, self.rfc822_id)


class ThreadMessage(Record):
    """What the sender needs of each message when it reads a conversation again."""

    gmail_id: GmailId
    labels: frozenset[str]
    rfc822_id: str
    sender: str
    date: datetime
    marker: str
    """The value of our `X-Replyroom-Outbox` header, empty on other mail."""


class MailServer(Protocol):
    """Gmail of one account.

    Every method may raise `Offline`, `LoginNeeded`, `QuotaReached`, `PermissionMissing`, `NotFound`, `ServerError` and
    `RejectedByServer`. Reads are retried inside with backoff, writes never. Mail is sent only through drafts.
    """

    async def profile(self) -> MailboxProfile:
        """Address, newest history id and message count."""

    async def labels(self) -> tuple[Label, ...]: ...

    async def label_total(self, label_id: str) -> int:
        """Number of messages with a label, as the server counts them. Raises `NotFound`."""

    async def send_as(self) -> tuple[SendAs, ...]:
        """The addresses the owner may send from."""

    async def set_signature(self, email: str, html: str) -> None:
        """Changes the signature of an address the owner may send from."""

    async def vacation(self) -> Vacation:
        """The vacation responder."""

    async def set_vacation(self, vacation: Vacation) -> None:
        """Changes the vacation responder."""

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        """Returns a page of at most 500 messages, newest first."""

    async def history(self, start: HistoryId, page_token: str = "") -> HistoryPage:
        """Returns a page of changes after `start`. Raises `CursorExpired`."""

    async def fetch_messages(self, ids: Sequence[GmailId]) -> tuple[Fetched, ...]:
        """Returns a result for each message; parsing happens off the event loop."""

    async def fetch_threads(self, ids: Sequence[GmailThreadId]) -> tuple[tuple[GmailThreadId, tuple[Fetched, ...]], ...]:
        """Returns each thread's messages. A thread that could not be fetched has one `Fetched` with an empty `gmail_id`."""

    def room_s(self, units: int) -> float:
        """Seconds until background work of that cost may start, 0 if now.

        Keeps quota for what the user waits for. Reserves nothing.
        """

    async def thread_state(self, thread_id: GmailThreadId) -> tuple[ThreadMessage, ...]:
        """Reads the thread as it is on the server now, oldest first (metadata only)."""

    async def create_draft(self, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        """Creates a draft, as an upload above 5 MB. Never retried. `thread_id` is empty for a new conversation."""

    async def update_draft(self, draft_id: GmailDraftId, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        """Updates a draft, as an upload above 5 MB; its message gets another id. Raises `NotFound`. Safe to repeat."""

    async def get_draft(self, draft_id: GmailDraftId) -> ReadDraft:
        """Reads a draft with its headers. Raises `NotFound` if it was sent or deleted."""

    async def find_drafts(self, mark: str) -> tuple[ReadDraft, ...]:
        """Finds the drafts that carry `mark`, each read back."""

    async def send_draft(self, draft: ReadDraft) -> GmailId:
        """Sends a draft that was just read; returns the message's id. Exactly one HTTP request, never retried."""

    async def delete_draft(self, draft: ReadDraft) -> bool:
        """Deletes a draft if it is still as it was read.

        It is read again first. Returns False if it has changed. A missing draft is fine.
        """

    async def modify(self, ids: Sequence[GmailId], add: Sequence[str], remove: Sequence[str]) -> None:
        """Changes labels: `batchModify` from 11 messages on, `modify` below. Safe to repeat."""

    async def create_label(self, name: str) -> Label:
        """Creates a user label, or returns the existing one of that name."""

    async def attachment(self, gmail_id: GmailId, part_id: str) -> bytes: ...

    async def download(self, gmail_id: GmailId, part_id: str, target: Path, told: Callable[[int], None]) -> None:
        """Writes a part (`SOURCE_PART`: the whole source) to a file, which is never incomplete.

        `told` gets the number of bytes, on another thread.
        """

    async def close(self) -> None:
        """Closes the connections."""
