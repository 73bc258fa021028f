"""Requests and their steps as the assistant's worker and agents read and write them; reports changes to the window."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from app.domain.agents.requests import PlannedStep, Request, RequestStatus, StepResult, StepStatus
from app.domain.drafting.review import Proposal, ReviewStatus
from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.ids import RequestId, ReviewId
from app.domain.protocol.assistant_commands import RequestChanged, StepProgress
from app.domain.protocol.events import ReviewReady
from app.engine.runs.run_repository import RunRepository
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import Throttle

TOLD_EVERY_S = 0.25
"""Least time between two progress texts; more could not be read."""


class RequestEvents:
    """Create it on the loop, call it from any thread.

    `status_of` returns a request's status or raises `NotFound`. It is read when the event is sent, so that the last event is
    correct.
    """

    def __init__(self, announcer: EventBus, status_of: Callable[[RequestId], str]) -> None:
        self._announcer, self._status_of = announcer, status_of
        self._loop = asyncio.get_running_loop()
        self._throttle = Throttle(self._flush, TOLD_EVERY_S)
        self._progress: dict[RequestId, StepProgress] = {}
        self._stopped = False

    def changed(self, request_id: RequestId, *, forgotten: bool = False) -> None:
        """Reports that a request changed, with its status or an empty one if it was forgotten."""
        self._loop.call_soon_threadsafe(self._change, request_id, forgotten)

    def ready(self, review: ReviewReady) -> None:
        """Reports that a mail waits in Review."""
        self._loop.call_soon_threadsafe(self._announcer.tell, review)

    def told(self, step: StepProgress) -> None:
        """Reports a step's progress. Only the last text of each request is sent."""
        self._loop.call_soon_threadsafe(self._ask, step)

    def stop(self) -> None:
        """Stops reporting, since the store may be closed afterwards."""
        self._stopped = True
        self._throttle.stop()
        self._progress.clear()

    def _change(self, request_id: RequestId, forgotten: bool) -> None:
        if self._stopped:
            return
        self._progress.pop(request_id, None)  # progress of the earlier state
        with suppress(ExpectedError):  # its account was just wiped, or the file is damaged, which is reported elsewhere
            self._announcer.tell(RequestChanged(request_id, "" if forgotten else self._status_of(request_id)))

    def _ask(self, step: StepProgress) -> None:
        self._progress[step.request_id] = step
        self._throttle.ask()

    def _flush(self) -> None:
        words, self._progress = self._progress, {}
        for step in words.values():
            self._announcer.tell(step)


class RequestRepository:
    """Requests and their steps in the database; each write publishes an event. Implements `RequestQueue`.

    Synchronous, call it off the event loop. `woken` is called, on any thread, when runs whose review was superseded may go on.
    """

    def __init__(self, tables: Tables, events: RequestEvents, woken: Callable[[], object]) -> None:
        self._tables, self._events, self._woken = tables, events, woken

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
