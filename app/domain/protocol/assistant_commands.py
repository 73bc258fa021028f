"""Commands to the assistant and events about requests. Texts are read from the store."""

from pathlib import Path

from app.domain.agents.requests import ALL_MAIL, MailScope, PlannedStep
from app.domain.ids import AccountId, RequestId
from app.domain.wire import Answer, Command, Event, Query


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


class RunPlan(Command):
    """Starts a proposed plan, as it is or with `steps` instead."""

    request_id: RequestId
    steps: tuple[PlannedStep, ...] = ()


class PlanAgain(Command):
    """Plans a request again that is proposed or whose planning failed."""

    request_id: RequestId


class StopRequest(Command):
    """Stops planning or running. Finished steps and open reviews stay."""

    request_id: RequestId


class RetryStep(Command):
    """Runs a step again, and those after it."""

    request_id: RequestId
    index: int


class ForgetRequest(Command):
    """Removes a resting request from the list."""

    request_id: RequestId


class RecallRequest(Command):
    """Undoes `ForgetRequest`."""

    request_id: RequestId


AssistantCommand = AskAssistant | RunPlan | PlanAgain | StopRequest | RetryStep | ForgetRequest | RecallRequest


class RequestChanged(Event):
    """A request changed: read it again. `status` is its `RequestStatus`, empty if it was forgotten."""

    request_id: RequestId
    status: str


class StepProgress(Event):
    """What a running step is doing, in the user's language; not stored."""

    request_id: RequestId
    index: int
    words: str


class PreviewDocument(Query):
    """Reads the beginning of a document's text; answered by `DocumentPreview`."""

    handle: str


class DocumentPreview(Answer):
    """`cut` tells that the document is longer."""

    text: str
    cut: bool
