"""What the window asks of the assistant, and what it is told of requests. The words themselves are read from the store."""

from dataclasses import dataclass

from app.domain.agents.requests import PlannedStep
from app.domain.ids import AccountId, RequestId


@dataclass(frozen=True, slots=True)
class AskAssistant:
    """A new request, planned at once. `request_id` is a uuid of the window's, so that asking twice is asking once."""

    request_id: RequestId
    account_id: AccountId
    text: str


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The owner lets a proposed plan run, as it stands, or with `steps` instead of it."""

    request_id: RequestId
    steps: tuple[PlannedStep, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanAgain:
    """Plan a request anew that is proposed, or whose planning failed."""

    request_id: RequestId


@dataclass(frozen=True, slots=True)
class StopRequest:
    """Stop planning or running; what is done stays, what waits for review stays there."""

    request_id: RequestId


@dataclass(frozen=True, slots=True)
class RetryStep:
    """Run a step again, and those behind it."""

    request_id: RequestId
    index: int


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """Take a request that rests out of the list."""

    request_id: RequestId


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """Undo `ForgetRequest`."""

    request_id: RequestId


AssistantCommand = AskAssistant | RunPlan | PlanAgain | StopRequest | RetryStep | ForgetRequest | RecallRequest


@dataclass(frozen=True, slots=True)
class RequestChanged:
    """Read a request again; `status` is its `RequestStatus`, empty where it was forgotten."""

    request_id: RequestId
    status: str


@dataclass(frozen=True, slots=True)
class StepProgress:
    """What a step that runs is doing right now, in the user's words; kept nowhere."""

    request_id: RequestId
    index: int
    words: str


AssistantEvent = RequestChanged | StepProgress
