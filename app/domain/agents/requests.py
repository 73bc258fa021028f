"""Requests that the owner types: what is asked, the steps of its plan, and what came of each.

The store's rows are the truth about them. A step's contract is written by code from what happened, never read out of anybody's
words: a mail can hold a forged one. Pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.drafting.draft import Source
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, RequestId, ReviewId, RunId, ThreadId
from app.domain.mail.files import ArtifactHandle

FINISH = "FINISH"
"""Where the supervisor leads when no step is left."""

LONGEST_REQUEST = 4000
LONGEST_INSTRUCTION = 2000
MOST_STEPS = 8
LONGEST_ANSWER = 20_000


class Capability(StrEnum):
    """What a step needs; the words that plans and contracts use."""

    RESEARCH = "research"
    CREATE_DOCUMENT = "create_document"
    GMAIL = "gmail"
    DIRECT_ANSWER = "direct_answer"


AGENTS: Mapping[Capability, str] = {
    Capability.RESEARCH: "Researcher",
    Capability.CREATE_DOCUMENT: "DocumentCreator",
    Capability.GMAIL: "Gmail",
    Capability.DIRECT_ANSWER: "DirectAnswer",
}
"""Which node of the supervisor's graph has which capability."""

READING = frozenset({Capability.RESEARCH, Capability.DIRECT_ANSWER})
"""Capabilities that leave nothing behind but words."""


class RequestStatus(StrEnum):
    """`planning` until the plan stands, `proposed` until the owner lets it run; `waiting` where a step waits for a review or for
    its mail to leave; `done`, `failed` and `stopped` rest until a step is tried again."""

    PLANNING = "planning"
    PROPOSED = "proposed"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class StepStatus(StrEnum):
    """`waiting` on its review or its outbox item; `declined`: the owner rejected what it proposed, and the plan goes on."""

    OPEN = "open"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
    DECLINED = "declined"


STEP_MOVES: Mapping[StepStatus, frozenset[StepStatus]] = {
    StepStatus.OPEN: frozenset({StepStatus.RUNNING, StepStatus.WAITING}),
    StepStatus.RUNNING: frozenset({StepStatus.DONE, StepStatus.WAITING, StepStatus.FAILED, StepStatus.OPEN}),
    StepStatus.WAITING: frozenset({StepStatus.DONE, StepStatus.DECLINED, StepStatus.FAILED, StepStatus.RUNNING}),
    StepStatus.DONE: frozenset({StepStatus.OPEN}),
    StepStatus.FAILED: frozenset({StepStatus.OPEN, StepStatus.WAITING}),
    StepStatus.DECLINED: frozenset({StepStatus.WAITING, StepStatus.OPEN}),
}
"""Every allowed move. A declined or failed step waits again when the owner takes the decision on its review back; a done one is
open again when it is tried again; an open one waits where what it had put up was found in Review. A waiting step runs again, with
its review, when the owner asks for changes."""

OVER = frozenset({StepStatus.DONE, StepStatus.DECLINED})
"""Steps that the plan goes on behind."""

RESTING = frozenset({RequestStatus.DONE, RequestStatus.FAILED, RequestStatus.STOPPED})
"""Requests with which nothing goes on by itself."""


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """What one agent is to do, in words that stand for themselves."""

    capability: Capability
    instruction: str


@dataclass(frozen=True, slots=True)
class RequestStep:
    """One step as it stands. `contract` is its completion contract (a JSON text), empty until it is over; `answer` what is shown
    of its result as plain text; `sources` the mails that the answer cites; `documents` the files it made; `review_id` what it put
    up for review, 0 for nothing; `error` why it failed, in words; `attempt` counts from 1 and rises with each retry."""

    index: int
    capability: Capability
    instruction: str
    status: StepStatus = StepStatus.OPEN
    contract: str = ""
    answer: str = ""
    sources: tuple[Source, ...] = ()
    documents: tuple[ArtifactHandle, ...] = ()
    review_id: ReviewId = ReviewId(0)
    error: str = ""
    attempt: int = 1
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A request with its plan. `number` is the row's; `maker` who planned it: a litellm model id, or `rules`; `error` why there
    is no plan, and while it is planned or runs `code: detail` of what holds it up (see `trouble`)."""

    id: RequestId
    number: int
    account_id: AccountId
    text: str
    status: RequestStatus
    created_at: datetime
    updated_at: datetime
    maker: str = ""
    steps: tuple[RequestStep, ...] = ()
    error: str = ""

    @property
    def run_id(self) -> RunId:
        """Under which its model calls, tool calls and reviews are kept."""
        return run_of(self.id)

    @property
    def trouble(self) -> tuple[str, str]:
        """Code and detail, as in `domain.errors`, of trouble that passes, after which it goes on by itself; empty where nothing
        holds it up."""
        if self.status not in (RequestStatus.PLANNING, RequestStatus.RUNNING):
            return "", ""
        code, _, detail = self.error.partition(": ")
        return code, detail

    @property
    def next_step(self) -> RequestStep | None:
        """The first step that is not over, None where all are."""
        return next((one for one in self.steps if one.status not in OVER), None)

    @property
    def documents(self) -> tuple[ArtifactHandle, ...]:
        """The files that its steps have made, each once: all that a mail of it may have attached."""
        return tuple(dict.fromkeys(handle for step in self.steps for handle in step.documents))


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step came to."""

    contract: str
    answer: str = ""
    sources: tuple[Source, ...] = ()
    documents: tuple[ArtifactHandle, ...] = ()


_RUN = "ask-"
_STEP_BITS = 6


def run_of(request_id: RequestId) -> RunId:
    """The run id of a request."""
    return RunId(f"{_RUN}{request_id}")


def request_of(run_id: RunId) -> RequestId | None:
    """The request whose run id this is, None for runs of mail."""
    return RequestId(run_id.removeprefix(_RUN)) if run_id.startswith(_RUN) else None


def own_thread(request_number: int, index: int) -> ThreadId:
    """The thread of a proposed mail that answers nothing: below 0, each step its own, so that none supersedes another."""
    return ThreadId(-((request_number << _STEP_BITS) + index + 1))


def completion_contract(capability: Capability, data: Mapping[str, Any]) -> str:
    """The completion contract of a step as JSON."""
    return json.dumps({"completed_capability": capability.value, "data": dict(data)}, ensure_ascii=False)


def check_move(old: StepStatus, new: StepStatus) -> None:
    """Raise `NotAllowed` unless a step may go from `old` to `new`."""
    if new not in STEP_MOVES[old]:
        raise NotAllowed(f"A step cannot go from {old} to {new}.")


def check_plan(steps: Sequence[PlannedStep]) -> None:
    """Raise `NotAllowed` for a plan without steps, with too many, or with an empty or endless instruction."""
    if not steps:
        raise NotAllowed("A plan needs at least one step.", "Say in the request what is to be done.")
    if len(steps) > MOST_STEPS:
        raise NotAllowed(f"A plan has at most {MOST_STEPS} steps.", "Ask for less at a time.")
    for step in steps:
        if not step.instruction.strip():
            raise NotAllowed("A step says nothing.", "Take it out, or write what it is to do.")
        if len(step.instruction) > LONGEST_INSTRUCTION:
            raise NotAllowed(f"A step has at most {LONGEST_INSTRUCTION} characters.", "Shorten it.")


def reads_only(steps: Sequence[PlannedStep | RequestStep]) -> bool:
    """Whether the plan leaves nothing behind but words."""
    return all(one.capability in READING for one in steps)


def status_after(steps: Sequence[RequestStep]) -> RequestStatus:
    """How a request stands that was let run: its first step that is not over tells."""
    step = next((one for one in steps if one.status not in OVER), None)
    if step is None:
        return RequestStatus.DONE
    if step.status is StepStatus.FAILED:
        return RequestStatus.FAILED
    return RequestStatus.WAITING if step.status is StepStatus.WAITING else RequestStatus.RUNNING
