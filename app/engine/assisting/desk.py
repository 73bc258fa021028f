"""Where the assistant's graph reads its request and writes what came of each step. Synchronous: called off the loop.

Refuses to put a mail up for a step that does not run, and to touch one that the owner has decided on.
"""

from collections.abc import Callable

from app.domain.assistant import Request, StepResult, StepStatus
from app.domain.assistant_commands import StepTold
from app.domain.errors import Refused
from app.domain.events import ReviewReady
from app.domain.ids import RequestId, ReviewId
from app.domain.review import Proposal, ReviewStatus
from app.engine.assisting.telling import Telling
from app.engine.run_rows import RunRows
from app.engine.tables import Tables


class Desk:
    """Implements `RequestDesk` over the tables. `woken` is called, from any thread, when runs whose review was superseded may go
    on."""

    def __init__(self, tables: Tables, telling: Telling, woken: Callable[[], None]) -> None:
        self._tables = tables
        self._telling = telling
        self._woken = woken

    def request(self, request_id: RequestId) -> Request:
        """The request as it stands. Raises `NotFound`."""
        return self._tables.requests.get(request_id)

    def begin(self, request_id: RequestId, index: int) -> bool:
        """The step runs from now on; False where the owner stopped the request meanwhile."""
        begun = self._tables.request_steps.begin(request_id, index)
        self._telling.changed(request_id)
        return begun

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        """The step is done."""
        self._tables.request_steps.finish(request_id, index, result)
        self._telling.changed(request_id)

    def fail(self, request_id: RequestId, index: int, error: str) -> None:
        """The step failed, in words for the user."""
        self._tables.request_steps.fail(request_id, index, error)
        self._telling.changed(request_id)

    def propose(self, request_id: RequestId, index: int, proposal: Proposal) -> ReviewId:
        """Put a mail up under the step's attempt, or revise the one that is to be changed, and let the step wait. What a crash
        left in Review is found and stays as it is."""
        step = self.request(request_id).steps[index]
        if step.status not in (StepStatus.RUNNING, StepStatus.WAITING):
            raise Refused(f"The step is {step.status}; nothing is put up for it.")
        review_id = step.review_id
        if not review_id:
            review_id = self._tables.reviews.open(proposal, f"step-{index}-{step.attempt}")
        elif self._tables.reviews.standing(review_id)[0] is ReviewStatus.ANSWERED:
            self._tables.reviews.revise(review_id, proposal)
        self._tables.request_steps.wait(request_id, index, review_id)
        if proposal.message_id:
            RunRows(self._tables).wake_superseded(proposal.thread_id)
            self._woken()
        self._telling.ready(ReviewReady(review_id, proposal.kind.value))
        self._telling.changed(request_id)
        return review_id

    def told(self, request_id: RequestId, index: int, words: str) -> None:
        """What the step is doing right now."""
        self._telling.told(StepTold(request_id, index, words))
