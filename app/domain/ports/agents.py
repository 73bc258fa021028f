"""What the agents need of the mailbox, and what they leave behind.

What the assistant's graph and the window need of the store's requests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from app.domain.agents.requests import Request, StepResult
from app.domain.agents.runs import ModelCall, RunRecord, StepLog, ToolExecution
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.promises import Promise
from app.domain.drafting.review import Proposal, Review, ReviewStatus
from app.domain.ids import AccountId, MessageId, RequestId, ReviewId, RunId, ThreadId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.triage import Triage

Clock = Callable[[], datetime]
"""Now, aware, UTC."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A local card of a correspondent, built from the mail. Counts are messages; `last_contact` is None if never. `organization`
    and `notes` come from the address book, `own_note` is the user's; `promises` are the owner's, found by rule and still open."""

    address: Address
    received: int
    sent: int
    last_contact: datetime | None
    organization: str = ""
    notes: str = ""
    own_note: str = ""
    promises: tuple[Promise, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnReply:
    """A past question and the owner's sent answer to it. `similarity` in 0..1 is the question's to the mail at hand."""

    question: Message
    answer: Message
    similarity: float


class Corpus(Protocol):
    """What agents may read of the mailbox. Synchronous and short; call it off the loop where it matters."""

    def account(self, account_id: AccountId) -> Account:
        """The account. Raises `NotFound`."""

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""

    def verdict(self, message_id: MessageId) -> Triage | None:
        """What triage said of a message, None before it did."""

    def thread(self, thread_id: ThreadId) -> tuple[Message, ...]:
        """A thread with bodies, oldest first."""

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The correspondent's card without promises, if the mailbox knows the address."""

    def card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        """The same with the promises that are open; reads some sent mail."""

    def own_mail(self, account_id: AccountId, limit: int) -> tuple[Message, ...]:
        """The owner's newest sent mails with bodies, newest first."""

    def similar(
        self, account_id: AccountId, vector: Sequence[float], limit: int, exclude_thread: ThreadId
    ) -> tuple[tuple[Message, float], ...]:
        """The nearest stored messages by embedding with similarity in 0..1; empty while nothing is indexed."""

    def own_replies(
        self, account_id: AccountId, vector: Sequence[float], limit: int, exclude_thread: ThreadId
    ) -> tuple[OwnReply, ...]:
        """The nearest past incoming mails that the owner answered, with the answer that followed in the thread."""


class CallLedger(Protocol):
    """Where calls of language models are counted."""

    def model_call(self, call: ModelCall) -> None:
        """Append an `llm_calls` row."""

    def usage_today(self) -> tuple[int, int, float]:
        """Calls, tokens and US dollars since local midnight."""

    def usage_this_month(self) -> tuple[int, int, float]:
        """The same since the local month began."""


class RunJournal(CallLedger, Protocol):
    """Where runs leave their trace."""

    def keep(self, trail: RunRecord) -> None:
        """Write a trail, all or none. The same run and order again replaces a node's row; a tool's first word stands; a run that
        has ended keeps its status."""

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        """A run's node log in order."""

    def tool(self, execution: ToolExecution) -> None:
        """Insert a `tool_executions` row once per run and call id."""


TrailOf = Callable[[ReviewId, int], RunRecord]
"""The trail of the run that puts a review up, made once the review's id and revision are known."""


class ReviewQueue(Protocol):
    """Where runs put things up for review and read the decision."""

    def open(self, proposal: Proposal, key: str, trail: TrailOf | None = None) -> ReviewId:
        """Insert the review once per run and `key` (a second call returns the first's id); supersedes an older pending
        review of the same thread. The trail is written in the same commit."""

    def revise(self, review_id: ReviewId, proposal: Proposal, trail: TrailOf | None = None) -> int:
        """Store a new pending revision of a pending review; its number. The trail is written in the same commit."""

    def review(self, review_id: ReviewId) -> Review:
        """The review as it stands. Raises `NotFound`."""

    def standing(self, review_id: ReviewId) -> tuple[ReviewStatus, int]:
        """Its status and revision alone. Raises `NotFound`."""

    def edited_in_thread(self, thread_id: ThreadId, besides: RunId) -> Draft | None:
        """The user's words in the thread's newest reply of another run, where nothing left with them."""

    def newest_of_run(self, run_id: RunId) -> ReviewId:
        """The review that a run put up last, 0 where there is none."""

    def decision(self, review_id: ReviewId) -> "ReviewDecision | None":
        """What the user decided, None while pending."""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """A decision as stored with the review: `action` is an `Action` value, `text` the feedback, answer or reason."""

    action: str
    text: str
    outbox_id: int


class CalendarReader(Protocol):
    """Busy times of the owner. Raises the errors of `MailServer`."""

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Events between two aware times, in order."""


class Embedder(Protocol):
    """Text to vectors, on this machine. Thread-safe; slow enough (18-28 ms a mail) to be called off the loop."""

    @property
    def model_id(self) -> str:
        """Stored with every collection."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit-length vectors, one per text."""


class AssistantReader(Protocol):
    """The read-only handle's part for requests. Every call is short; none writes."""

    def request_ids(self, limit: int = 500) -> tuple[RequestId, ...]:
        """Requests, newest first; forgotten ones are missing."""

    def requests_of(self, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
        """Requests with their steps by id; those that are gone are missing."""

    def request(self, request_id: RequestId) -> Request | None:
        """One request with its steps."""

    def spent_on(self, request: Request) -> tuple[int, int, float]:
        """What its model calls came to so far: calls, tokens, US dollars."""

    def document(self, handle: ArtifactHandle) -> Path | None:
        """A copy of a file of the app's own, which other programs may change; None where the file is gone. Raises `NotAllowed`
        where
        it is not what it was, `DiskFull`."""


class RequestQueue(Protocol):
    """Where the supervisor's graph reads its request and writes what came of each step. Synchronous: call it off the loop. Every
    write is one transaction, raises `NotAllowed` for a move that is not allowed and `NotFound` where the request is gone.

    Where the owner asked for changes of a step's mail, the step runs again with its `review_id`, and that review is `answered`:
    the words are its decision's text (`ReviewQueue.decision`), the mail as it stood its draft, the round its revision."""

    def request(self, request_id: RequestId) -> Request:
        """The request as it stands. Raises `NotFound`."""

    def begin(self, request_id: RequestId, index: int) -> bool:
        """The step runs from now on; False where the owner stopped the request meanwhile. A step that runs already stays so."""

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        """The step is done."""

    def fail(self, request_id: RequestId, index: int, error: str) -> None:
        """The step failed, in words for the user."""

    def propose(self, request_id: RequestId, index: int, proposal: Proposal) -> ReviewId:
        """Put a mail up for review, or revise the one that this attempt has put up, and let the step wait. A second call after a
        crash finds the first one's review; one that is decided already stays as it is."""

    def told(self, request_id: RequestId, index: int, words: str) -> None:
        """What the step is doing right now. May be called from anywhere and at any rate."""
