"""Settles steps that wait for a decision or the outbox. A step is done once its mail was sent, not when it was approved.

Reads only rows, so lost events do not matter.
"""

import logging
from collections.abc import Mapping
from email import message_from_bytes

from app.domain.agents.requests import Capability, Request, RequestStep, StepResult, StepStatus, completion_contract
from app.domain.drafting.review import Review, ReviewStatus
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import ExpectedError
from app.domain.ids import RequestId
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.record import Record
from app.engine.assistant.request_repository import RequestEvents
from app.engine.runtime.tables import Tables

log = logging.getLogger(__name__)


class SettledMail(Record):
    """The final outcome of a step's mail for the agent that wrote it: `sent`, `draft` or `rejected`.

    `rejected` also when it is to be changed. `rounds` are the rounds in which it may have been proposed: 0, or the revision that
    was to be changed.
    """

    request: Request
    step: RequestStep
    rounds: range
    outcome: str


class RequestSettlement:
    """Call `look` whenever anything may have changed."""

    def __init__(self, tables: Tables, events: RequestEvents) -> None:
        self._tables, self._events = tables, events

    async def look(self) -> list[SettledMail]:
        """Updates every step that differs from its review. Returns those whose mail came to an end."""
        ended = []
        for request_id, index in await self._tables.run(self._tables.requests.unsettled):
            try:
                settled = await self._tables.run(self._settle, request_id, index)
            except ExpectedError as error:  # it was changed or deleted meanwhile, which the next look finds
                log.info("request %s is not settled yet: %s", request_id, error.code)
                continue
            if settled is not None:
                ended.append(settled)
        return ended

    def _settle(self, request_id: RequestId, index: int) -> SettledMail | None:
        """Settles one step by its review and outbox item."""
        before = self._tables.requests.get(request_id)
        step = before.steps[index]
        review = self._tables.reviews.review(step.review_id)
        if step.status is not StepStatus.WAITING:
            self._tables.request_steps.wait(request_id, index, step.review_id)
        outcome = self._moved(request_id, step, review)
        if self._tables.requests.get(request_id) != before:
            self._events.changed(request_id)
        if not outcome:
            return None
        changing = review.status is ReviewStatus.ANSWERED
        return SettledMail(before, step, range(review.revision + (not changing)), outcome)

    def _moved(self, request_id: RequestId, step: RequestStep, review: Review) -> str:
        """Updates a waiting step. Returns the outcome of its mail, empty while it is open."""
        steps = self._tables.request_steps
        match review.status:
            case ReviewStatus.ANSWERED:
                steps.again(request_id, step.index)
                return "rejected"
            case ReviewStatus.SUPERSEDED:
                steps.fail(request_id, step.index, ErrorText.of(Cause.MAIL_SUPERSEDED))
                return "rejected"
            case ReviewStatus.REJECTED | ReviewStatus.DISMISSED:
                steps.decline(request_id, step.index, contract({"action": "send", "status": "rejected"}))
                return "rejected"
            case ReviewStatus.APPROVED | ReviewStatus.SAVED_AS_DRAFT:
                item = self._tables.outbox.for_review(review.id)
                if item is not None and item.state is OutboxState.SENT:
                    steps.finish(request_id, step.index, StepResult(contract(delivered(item))))
                    return str(delivered(item)["status"])
        return ""


def delivered(item: OutboxItem) -> dict[str, str | bool]:
    """The contract data of a sent mail: addresses, subject and files as in the bytes that were sent."""
    status = "sent" if item.kind is OutboxKind.SEND else "draft"
    files = any(part.get_content_disposition() == "attachment" for part in message_from_bytes(item.mime).walk())
    return {"action": "send", "status": status, "to": item.to, "subject": item.subject, "attachment": files}


def contract(data: Mapping[str, str | bool]) -> str:
    return completion_contract(Capability.GMAIL, {**data, "tool_used": True})
