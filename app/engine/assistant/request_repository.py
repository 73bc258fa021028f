"""Requests and their steps as the assistant's worker and agents read and write them."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from app.domain.agents.requests import PlannedStep, Request, RequestStatus, StepResult, StepStatus
from app.domain.drafting.review import Proposal, ReviewStatus
from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.ids import RequestId, ReviewId
from app.domain.protocol.assistant_commands import StepProgress
from app.domain.protocol.events import ReviewReady
from app.engine.assistant.request_events import RequestEvents
from app.engine.runs.run_repository import RunRepository
from app.engine.runtime.tables import Tables


class RequestRepository:
    """Requests and their steps in the database; each write publishes an event. Implements `RequestQueue`.

    Synchronous, call it off the event loop. `woken` is called, on any thread, when runs whose review was superseded may go on.
    """

    def __init__(self, tables: Tables, events: RequestEvents, woken: Callable[[], None]) -> None:
        self._tables = tables
        self._events = events
        self._woken = woken

    def recover(self) -> None:
        """Reopens steps that an earlier engine was running."""
        self._tables.requests.recover()

    def due(self) -> tuple[RequestId, ...]:
        """Requests to plan or run, newest first."""
        return self._tables.requests.due()

    def request(self, request_id: RequestId) -> Request:
        """Reads a request. Raises `NotFound`."""
        return self._tables.requests.get(request_id)

    def plan(self, request_id: RequestId, steps: Sequence[PlannedStep], maker: str, at_once: bool) -> None:
        """Stores a plan, which runs at once or waits for the user. Raises `NotAllowed` for an invalid one."""
        self._tables.requests.plan(request_id, steps, maker, run=at_once)
        self._events.changed(request_id)

    def put_off(self, request_id: RequestId, error: ExpectedError) -> None:
        """Notes that a request waits because of a temporary error."""
        with suppress(NotFound):
            self._tables.requests.put_off(request_id, error)
            self._events.changed(request_id)

    def fail_request(self, request_id: RequestId, error: ErrorText) -> None:
        """Fails the plan or the current step with an error for the user. Does nothing while the request rests or waits."""
        with suppress(NotFound, NotAllowed):  # the request was stopped or forgotten meanwhile
            request = self.request(request_id)
            step = request.next_step
            if request.status is RequestStatus.PLANNING:
                self._tables.requests.fail_plan(request_id, error)
            elif request.status is RequestStatus.RUNNING and step is not None:
                if step.status is StepStatus.OPEN:
                    self._tables.request_steps.begin(request_id, step.index)
                self._tables.request_steps.fail(request_id, step.index, error)
            self._events.changed(request_id)

    def begin(self, request_id: RequestId, index: int) -> bool:
        """Marks a step as running. False if the user stopped the request meanwhile."""
        begun = self._tables.request_steps.begin(request_id, index)
        self._events.changed(request_id)
        return begun

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        """Marks a step as done."""
        self._tables.request_steps.finish(request_id, index, result)
        self._events.changed(request_id)

    def fail(self, request_id: RequestId, index: int, error: ErrorText) -> None:
        """Marks a step as failed with an error for the user."""
        self._tables.request_steps.fail(request_id, index, error)
        self._events.changed(request_id)

    def propose(self, request_id: RequestId, index: int, proposal: Proposal) -> ReviewId:
        """Opens or revises the review of the step's attempt and lets the step wait.

        A review that a crash left behind is found and stays as it is.
        """
        step = self.request(request_id).steps[index]
        if step.status not in (StepStatus.RUNNING, StepStatus.WAITING):
            raise NotAllowed(f"The step is {step.status}; nothing is put up for it.")
        review_id = step.review_id
        if not review_id:
            review_id = self._tables.reviews.open(proposal, f"step-{index}-{step.attempt}")
        elif self._tables.reviews.standing(review_id)[0] is ReviewStatus.ANSWERED:
            self._tables.reviews.revise(review_id, proposal)
        self._tables.request_steps.wait(request_id, index, review_id)
        if proposal.message_id:
            RunRepository(self._tables).wake_superseded(proposal.thread_id)
            self._woken()
        self._events.ready(ReviewReady(review_id, proposal.kind.value))
        self._events.changed(request_id)
        return review_id

    def told(self, request_id: RequestId, index: int, words: str) -> None:
        """Reports what the step is doing."""
        self._events.told(StepProgress(request_id, index, words))
