"""Requests and their steps as the assistant's worker and agents read and write them; reports changes to the window.

A step that waits for a decision or the outbox is settled by rows alone, so lost events do not matter. It is done once its mail
was sent, not when it was approved.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from email import message_from_bytes

from app.domain.agents.requests import (
    Capability,
    PlannedStep,
    Request,
    RequestStatus,
    RequestStep,
    StepResult,
    StepStatus,
    completion_contract,
)
from app.domain.drafting.review import Proposal, Review, ReviewStatus
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.ids import RequestId, ReviewId
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.protocol.assistant_commands import RequestChanged, StepProgress
from app.domain.protocol.events import ReviewReady
from app.domain.record import Record
from app.engine.runs.run_repository import RunRepository
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import Throttle

log = logging.getLogger(__name__)

TOLD_EVERY_S = 0.25
"""Least time between two progress texts; more could not be read."""


class SettledMail(Record):
    """The final outcome of a step's mail for the agent that wrote it: `sent`, `draft` or `rejected`.

    `rejected` also when it is to be changed. `rounds` are the rounds in which it may have been proposed: 0, or the revision that
    was to be changed.
    """

    request: Request
    step: RequestStep
    rounds: range
    outcome: str


class RequestRepository:
    """Requests and their steps in the database; each write publishes an event. Implements `RequestQueue`.

    Create it on the loop. Its other methods are synchronous, call them off the loop. `woken` is called, on any thread, when runs
    whose review was superseded may go on.
    """

    def __init__(self, tables: Tables, announcer: EventBus, woken: Callable[[], object]) -> None:
        self.tables, self._announcer, self._woken = tables, announcer, woken
        self._loop = asyncio.get_running_loop()
        self._throttle = Throttle(self._flush, TOLD_EVERY_S)
        self._progress: dict[RequestId, StepProgress] = {}
        self._stopped = False

    def changed(self, request_id: RequestId, *, forgotten: bool = False) -> None:
        """Reports that a request changed. Its status is read when the event is sent, so that the last event is correct."""
        self._loop.call_soon_threadsafe(self._tell, request_id, forgotten)

    def stop(self) -> None:
        """Stops reporting, since the store may be closed afterwards. Call it on the loop."""
        self._stopped = True
        self._throttle.stop()
        self._progress.clear()

    def request(self, request_id: RequestId) -> Request:
        """Reads a request. Raises `NotFound`."""
        return self.tables.requests.get(request_id)

    def plan(self, request_id: RequestId, steps: Sequence[PlannedStep], maker: str, at_once: bool) -> None:
        """Stores a plan, which runs at once or waits for the user. Raises `NotAllowed` for an invalid one."""
        self.tables.requests.plan(request_id, steps, maker, run=at_once)
        self.changed(request_id)

    def put_off(self, request_id: RequestId, error: ExpectedError) -> None:
        """Notes that a request waits because of a temporary error."""
        with suppress(NotFound):
            self.tables.requests.put_off(request_id, error)
            self.changed(request_id)

    def fail_request(self, request_id: RequestId, error: ErrorText) -> None:
        """Fails the plan or the current step with an error for the user. Does nothing while the request rests or waits."""
        with suppress(NotFound, NotAllowed):  # the request was stopped or forgotten meanwhile
            request = self.request(request_id)
            step = request.next_step
            if request.status is RequestStatus.PLANNING:
                self.tables.requests.fail_plan(request_id, error)
            elif request.status is RequestStatus.RUNNING and step is not None:
                if step.status is StepStatus.OPEN:
                    self.tables.request_steps.begin(request_id, step.index)
                self.tables.request_steps.fail(request_id, step.index, error)
            self.changed(request_id)

    def begin(self, request_id: RequestId, index: int) -> bool:
        """Marks a step as running. False if the user stopped the request meanwhile."""
        begun = self.tables.request_steps.begin(request_id, index)
        self.changed(request_id)
        return begun

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        self.tables.request_steps.finish(request_id, index, result)
        self.changed(request_id)

    def fail(self, request_id: RequestId, index: int, error: ErrorText) -> None:
        """Marks a step as failed with an error for the user."""
        self.tables.request_steps.fail(request_id, index, error)
        self.changed(request_id)

    def propose(self, request_id: RequestId, index: int, proposal: Proposal) -> ReviewId:
        """Opens or revises the review of the step's attempt and lets the step wait.

        A review that a crash left behind is found and stays as it is.
        """
        step = self.request(request_id).steps[index]
        if step.status not in (StepStatus.RUNNING, StepStatus.WAITING):
            raise NotAllowed(f"The step is {step.status}; nothing is put up for it.")
        review_id = step.review_id
        if not review_id:
            review_id = self.tables.reviews.open(proposal, f"step-{index}-{step.attempt}")
        elif self.tables.reviews.standing(review_id)[0] is ReviewStatus.ANSWERED:
            self.tables.reviews.revise(review_id, proposal)
        self.tables.request_steps.wait(request_id, index, review_id)
        if proposal.message_id:
            RunRepository(self.tables).wake_superseded(proposal.thread_id)
            self._woken()
        self._loop.call_soon_threadsafe(self._announcer.tell, ReviewReady(review_id, proposal.kind.value))
        self.changed(request_id)
        return review_id

    def told(self, request_id: RequestId, index: int, words: str) -> None:
        """Reports what the step is doing. Only the last text of each request is sent."""
        self._loop.call_soon_threadsafe(self._ask, StepProgress(request_id, index, words))

    def settle_waiting(self) -> list[SettledMail]:
        """Updates every step that differs from its review. Returns those whose mail came to an end."""
        ended = []
        for request_id, index in self.tables.requests.unsettled():
            try:
                before = self.tables.requests.get(request_id)
                step = before.steps[index]
                review = self.tables.reviews.review(step.review_id)
                if step.status is not StepStatus.WAITING:
                    self.tables.request_steps.wait(request_id, index, step.review_id)
                outcome = self._settle(request_id, step, review)
                if self.tables.requests.get(request_id) != before:
                    self.changed(request_id)
            except ExpectedError as error:  # it was changed or deleted meanwhile, which the next look finds
                log.info("request %s is not settled yet: %s", request_id, error.code)
                continue
            if outcome:
                changing = review.status is ReviewStatus.ANSWERED
                ended.append(SettledMail(before, step, range(review.revision + (not changing)), outcome))
        return ended

    def _settle(self, request_id: RequestId, step: RequestStep, review: Review) -> str:
        """Updates a waiting step by its review and outbox item. Returns the outcome of its mail, empty while it is open."""
        steps = self.tables.request_steps
        match review.status:
            case ReviewStatus.ANSWERED:
                steps.again(request_id, step.index)
                return "rejected"
            case ReviewStatus.SUPERSEDED:
                steps.fail(request_id, step.index, ErrorText.of(Cause.MAIL_SUPERSEDED))
                return "rejected"
            case ReviewStatus.REJECTED | ReviewStatus.DISMISSED:
                steps.decline(request_id, step.index, _contract({"action": "send", "status": "rejected"}))
                return "rejected"
            case ReviewStatus.APPROVED | ReviewStatus.SAVED_AS_DRAFT:
                item = self.tables.outbox.for_review(review.id)
                if item is not None and item.state is OutboxState.SENT:
                    told = _delivered(item)
                    steps.finish(request_id, step.index, StepResult(_contract(told)))
                    return str(told["status"])
        return ""

    def _tell(self, request_id: RequestId, forgotten: bool) -> None:
        if self._stopped:
            return
        self._progress.pop(request_id, None)  # progress of the earlier state
        with suppress(ExpectedError):  # its account was just wiped, or the file is damaged, which is reported elsewhere
            self._announcer.tell(RequestChanged(request_id, "" if forgotten else self.request(request_id).status))

    def _ask(self, step: StepProgress) -> None:
        self._progress[step.request_id] = step
        self._throttle.ask()

    def _flush(self) -> None:
        words, self._progress = self._progress, {}
        for step in words.values():
            self._announcer.tell(step)


def _delivered(item: OutboxItem) -> dict[str, str | bool]:
    """The contract data of a sent mail: addresses, subject and files as in the bytes that were sent."""
    status = "sent" if item.kind is OutboxKind.SEND else "draft"
    files = any(part.get_content_disposition() == "attachment" for part in message_from_bytes(item.mime).walk())
    return {"action": "send", "status": status, "to": item.to, "subject": item.subject, "attachment": files}


def _contract(data: Mapping[str, str | bool]) -> str:
    return completion_contract(Capability.GMAIL, {**data, "tool_used": True})
