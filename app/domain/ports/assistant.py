"""What the assistant's graph and the window need of the store's requests."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from app.domain.artifacts import Handle
from app.domain.assistant import Request, StepResult
from app.domain.ids import RequestId, ReviewId
from app.domain.review import Proposal


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

    def document(self, handle: Handle) -> Path | None:
        """A copy of a file of the app's own, which other programs may change; None where the file is gone. Raises `Refused` where
        it is not what it was, `DiskFull`."""


class RequestDesk(Protocol):
    """Where the supervisor's graph reads its request and writes what came of each step. Synchronous: call it off the loop. Every
    write is one transaction, raises `Refused` for a move that is not allowed and `NotFound` where the request is gone.

    Where the owner asked for changes of a step's mail, the step runs again with its `review_id`, and that review is `answered`:
    the words are its decision's text (`ReviewDesk.decision`), the mail as it stood its draft, the round its revision."""

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
