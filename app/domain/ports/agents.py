"""Ports of the agents: calendar, embedder, ledger of calls, the queue of requests; and what the mailbox tells them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from app.domain.agents.requests import Request, StepResult
from app.domain.agents.runs import ModelCall, RunRecord
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Proposal
from app.domain.error_texts import ErrorText
from app.domain.ids import RequestId, ReviewId
from app.domain.mail.message import Address, Message, Promise
from app.domain.record import Record

Clock = Callable[[], datetime]
"""The current time, aware, UTC."""


class Contact(Record):
    """Contact card of a correspondent, built from the mail.

    Counts are messages; `last_contact` is None if there was none. `organization` and `notes` come from Google Contacts,
    `own_note` from the user. `promises` are the owner's open ones, found by rule.
    """

    address: Address
    received: int
    sent: int
    last_contact: datetime | None
    organization: str = ""
    notes: str = ""
    own_note: str = ""
    promises: tuple[Promise, ...] = ()


class OwnReply(Record):
    """A past question and the owner's sent answer to it. `similarity` in 0..1 is that of the question to the current message."""

    question: Message
    answer: Message
    similarity: float


class CallLedger(Protocol):
    """Counts calls of language models."""

    def model_call(self, call: ModelCall) -> None:
        """Appends an `llm_calls` row."""

    def usage_today(self) -> tuple[int, int, float]:
        """Calls, tokens and US dollars since local midnight."""

    def usage_this_month(self) -> tuple[int, int, float]:
        """The same since the start of the local month."""


TrailOf = Callable[[ReviewId, int], RunRecord]
"""Makes the record of the run that opens a review, once the review's id and revision are known."""


class ReviewDecision(Record):
    """A decision as stored with the review.

    `action` is an `Action` value, `text` the feedback, answer or reason. A decision made again after an undo has a new `id`.
    """

    id: int
    action: str
    text: str
    outbox_id: int


class CalendarReader(Protocol):
    """Busy times of the owner. Raises the errors of `MailServer`."""

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """Events between two aware times, in order."""


class Embedder(Protocol):
    """Converts text to vectors on this machine. Thread-safe. Takes 18-28 ms a message, so call it off the loop."""

    @property
    def model_id(self) -> str:
        """Stored with every collection."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Returns unit-length vectors, one per text."""


class RequestQueue(Protocol):
    """Where the supervisor's graph reads its request and writes results.

    Synchronous, so call it off the loop. Every write is one transaction. Raises `NotAllowed` for a transition that is not allowed
    and `NotFound` if the request is gone.

    If the owner asks for changes of a step's mail, the step runs again with its `review_id`, and that review is `answered`: the
    feedback is its decision's text (`ReviewQueue.decision`), the previous mail its draft, the round its revision.
    """

    def request(self, request_id: RequestId) -> Request:
        """Returns the request. Raises `NotFound`."""

    def begin(self, request_id: RequestId, index: int) -> bool:
        """Marks the step as running; one that runs already stays so. Returns False if the owner has stopped the request."""

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        """Marks the step as done."""

    def fail(self, request_id: RequestId, index: int, error: ErrorText) -> None:
        """Marks the step as failed; `error` is text for the user."""

    def propose(self, request_id: RequestId, index: int, proposal: Proposal) -> ReviewId:
        """Opens a review for a mail, or revises this attempt's one; the step waits.

        A repeated call after a crash finds the same review; a decided one stays as it is.
        """

    def told(self, request_id: RequestId, index: int, words: str) -> None:
        """Reports what the step is doing. May be called from any thread, at any rate."""
