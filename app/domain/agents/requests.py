"""Requests that the owner types: the text, the steps of its plan and their results. Pure functions.

The rows in the store are authoritative. Code writes a step's contract from what happened and never takes it from a text, since a
mail can contain a forged one.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.drafting.draft import Source
from app.domain.error_texts import NO_TEXT, Cause, ErrorText
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RequestId, ReviewId, RunId, ThreadId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Message, SystemLabel
from app.domain.record import Record

FINISH = "FINISH"
"""The supervisor's route when no step is left."""

RULES = "rules"
"""Maker of a plan without a model."""

LONGEST_REQUEST = 4000
MOST_FILES = 10
LONGEST_INSTRUCTION = 2000
MOST_STEPS = 8
LONGEST_ANSWER = 20_000


class Capability(StrEnum):
    """What a step needs, as plans and contracts name it."""

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
"""The node of the supervisor's graph for each capability."""

READING = frozenset({Capability.RESEARCH, Capability.DIRECT_ANSWER})
"""Capabilities that produce only text."""


class MailScope(Record):
    """The mail that a request may search and read; all of it by default.

    `conversation` is a message of the only conversation, 0 for any. `inbox` and `sent`: mail in one of these, without them in any
    place. `since` is aware.
    """

    conversation: MessageId = MessageId(0)
    inbox: bool = False
    sent: bool = False
    since: datetime | None = None

    @property
    def query(self) -> str:
        """Gmail's operators for it, empty for none. The conversation has none."""
        places = [f"in:{name}" for name, wanted in (("inbox", self.inbox), ("sent", self.sent)) if wanted]
        inside = [f"({' OR '.join(places)})"] if places else []
        return " ".join((*inside, *([f"after:{int(self.since.timestamp())}"] if self.since else [])))

    @property
    def words(self) -> str:
        """It in English for a model, empty for all mail."""
        places = " or ".join(name for name, wanted in (("the inbox", self.inbox), ("sent mail", self.sent)) if wanted)
        parts = (
            "one conversation that the owner has open" if self.conversation else "",
            f"in {places}" if places else "",
            f"since {self.since:%Y-%m-%d}" if self.since else "",
        )
        return ", ".join(filter(None, parts))

    def holds(self, message: Message) -> bool:
        """Whether a message is in the places and since the time. The conversation is not checked."""
        placed = not (self.inbox or self.sent) or any(
            wanted and label in message.labels
            for wanted, label in ((self.inbox, SystemLabel.INBOX), (self.sent, SystemLabel.SENT))
        )
        return placed and (self.since is None or message.date >= self.since)


ALL_MAIL = MailScope()


class RequestStatus(StrEnum):
    """Status of a request.

    `planning` until there is a plan, `proposed` until the owner starts it, `waiting` while a step waits for a review or its mail.
    `done`, `failed` and `stopped` rest until a step is retried.
    """

    PLANNING = "planning"
    PROPOSED = "proposed"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class StepStatus(StrEnum):
    """Status of a step.

    `waiting` is for its review or outbox item. `declined` means that the owner rejected its proposal; the plan goes on.
    """

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
"""Every allowed transition. A declined or failed step waits again if the owner undoes the decision on its review; a done one is
open again for a retry; an open one waits if its earlier proposal is found in Review; a waiting one runs again if the owner asks
for changes."""

OVER = frozenset({StepStatus.DONE, StepStatus.DECLINED})
"""Steps after which the plan goes on."""

RESTING = frozenset({RequestStatus.DONE, RequestStatus.FAILED, RequestStatus.STOPPED})
"""Requests that do not continue by themselves."""


class PlannedStep(Record):
    """The task of one agent, understandable without the rest of the plan."""

    capability: Capability
    instruction: str


class RequestStep(Record):
    """One step and its result.

    `contract` is its completion contract (JSON), empty until it is over. `answer` is the result as plain text, `sources` the
    mails it cites, `documents` the files it made. `review_id` is the review it opened, 0 for none. `error` tells why it failed.
    `attempt` counts from 1.
    """

    index: int
    capability: Capability
    instruction: str
    status: StepStatus = StepStatus.OPEN
    contract: str = ""
    answer: str = ""
    sources: tuple[Source, ...] = ()
    documents: tuple[ArtifactHandle, ...] = ()
    review_id: ReviewId = ReviewId(0)
    error: ErrorText = NO_TEXT
    attempt: int = 1
    started_at: datetime | None = None
    ended_at: datetime | None = None


class Request(Record):
    """A request with its plan.

    `number` is the row's. `files` were given by the owner. `scope` is the mail that it may read. `after` is the request it
    follows up on, empty for none. `maker` is who planned it: a litellm model id, or `rules`. `error` tells why there is no
    plan, or what delays it. `delayed_by` is then the code of a temporary error, after which it continues by itself.
    """

    id: RequestId
    number: int
    account_id: AccountId
    text: str
    status: RequestStatus
    created_at: datetime
    updated_at: datetime
    maker: str = ""
    files: tuple[ArtifactHandle, ...] = ()
    after: RequestId = RequestId("")
    scope: MailScope = ALL_MAIL
    steps: tuple[RequestStep, ...] = ()
    error: ErrorText = NO_TEXT
    delayed_by: str = ""

    @property
    def run_id(self) -> RunId:
        """The run id for its model calls, tool calls and reviews."""
        return run_of(self.id)

    @property
    def next_step(self) -> RequestStep | None:
        """The first step that is not over, None if all are."""
        return next((step for step in self.steps if step.status not in OVER), None)

    @property
    def documents(self) -> tuple[ArtifactHandle, ...]:
        """The files that the owner gave and its steps have made, each once. Only these may be attached to its mails."""
        return tuple(dict.fromkeys((*self.files, *(handle for step in self.steps for handle in step.documents))))


class StepResult(Record):
    """The result of a step; fields as in `RequestStep`."""

    contract: str
    answer: str = ""
    sources: tuple[Source, ...] = ()
    documents: tuple[ArtifactHandle, ...] = ()


_RUN = "ask-"
_STEP_BITS = 6


def run_of(request_id: RequestId) -> RunId:
    return RunId(f"{_RUN}{request_id}")


def request_of(run_id: RunId) -> RequestId | None:
    """The request of a run id, None for runs of mail."""
    return RequestId(run_id.removeprefix(_RUN)) if run_id.startswith(_RUN) else None


def own_thread(request_number: int, index: int) -> ThreadId:
    """The thread id of a proposed mail that answers nothing.

    Negative and different for each step, so that none supersedes another.
    """
    return ThreadId(-((request_number << _STEP_BITS) + index + 1))


def completion_contract(capability: Capability, data: Mapping[str, Any]) -> str:
    return json.dumps({"completed_capability": capability.value, "data": dict(data)}, ensure_ascii=False)


def check_move(old: StepStatus, new: StepStatus) -> None:
    """Raises `NotAllowed` unless a step may go from `old` to `new`."""
    if new not in STEP_MOVES[old]:
        raise NotAllowed(f"A step cannot go from {old} to {new}.")


def check_plan(steps: Sequence[PlannedStep]) -> None:
    """Raises `NotAllowed` for too few or many steps, or an empty or too long instruction."""
    if not steps:
        raise NotAllowed(Cause.PLAN_EMPTY)
    if len(steps) > MOST_STEPS:
        raise NotAllowed(Cause.PLAN_TOO_LONG, MOST_STEPS)
    for step in steps:
        if not step.instruction.strip():
            raise NotAllowed(Cause.STEP_EMPTY)
        if len(step.instruction) > LONGEST_INSTRUCTION:
            raise NotAllowed(Cause.STEP_TOO_LONG, LONGEST_INSTRUCTION)


def reads_only(steps: Sequence[PlannedStep | RequestStep]) -> bool:
    """Whether the plan produces only text."""
    return all(step.capability in READING for step in steps)


def status_after(steps: Sequence[RequestStep]) -> RequestStatus:
    """The status of a started request, by its first step that is not over."""
    step = next((step for step in steps if step.status not in OVER), None)
    if step is None:
        return RequestStatus.DONE
    if step.status is StepStatus.FAILED:
        return RequestStatus.FAILED
    return RequestStatus.WAITING if step.status is StepStatus.WAITING else RequestStatus.RUNNING
