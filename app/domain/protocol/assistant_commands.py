"""Commands to the assistant and events about requests. Texts are read from the store."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.agents.requests import ALL_MAIL, MailScope, PlannedStep
from app.domain.ids import AccountId, RequestId
from app.domain.wire import Answer, Command, Event, Query


@dataclass(frozen=True, slots=True)
class AskAssistant(Command):
    """Adds a request and plans it.

    `request_id` is a uuid made by the window, so that a repeated command counts once. `files` are copied when it is stored.
    `after` is the request that it follows up on, empty for none. `scope` is the mail that it may read.
    """

    request_id: RequestId
    account_id: AccountId
    text: str
    files: tuple[Path, ...] = ()
    after: RequestId = RequestId("")
    scope: MailScope = ALL_MAIL


@dataclass(frozen=True, slots=True)
class RunPlan(Command):
    """Starts a proposed plan, as it is or with `steps` instead."""

    request_id: RequestId
    steps: tuple[PlannedStep, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanAgain(Command):
    """Plans a request again that is proposed or whose planning failed."""

    request_id: RequestId


@dataclass(frozen=True, slots=True)
class StopRequest(Command):
    """Stops planning or running. Finished steps and open reviews stay."""

    request_id: RequestId


@dataclass(frozen=True, slots=True)
class RetryStep(Command):
    """Runs a step again, and those after it."""

    request_id: RequestId
    index: int


@dataclass(frozen=True, slots=True)
class ForgetRequest(Command):
    """Removes a resting request from the list."""

    request_id: RequestId


@dataclass(frozen=True, slots=True)
class RecallRequest(Command):
    """Undoes `ForgetRequest`."""

    request_id: RequestId


AssistantCommand = AskAssistant | RunPlan | PlanAgain | StopRequest | RetryStep | ForgetRequest | RecallRequest


@dataclass(frozen=True, slots=True)
class RequestChanged(Event):
    """A request changed: read it again. `status` is its `RequestStatus`, empty if it was forgotten."""

    request_id: RequestId
    status: str


@dataclass(frozen=True, slots=True)
class StepProgress(Event):
    """What a running step is doing, in the user's language; not stored."""

    request_id: RequestId
    index: int
    words: str


@dataclass(frozen=True, slots=True)
class PreviewDocument(Query):
    """Reads the beginning of a document's text; answered by `DocumentPreview`."""

    handle: str


@dataclass(frozen=True, slots=True)
class DocumentPreview(Answer):
    """`cut` tells that the document is longer."""

    text: str
    cut: bool
