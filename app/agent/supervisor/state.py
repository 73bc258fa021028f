"""What passes between the supervisor's nodes, and what an agent is given of a request.

The conversation is made of the request and of contracts that code wrote; no node reads one back out of a text.
"""

import operator
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, TypedDict

from app.agent.deps import Deps
from app.domain.assistant import OVER, Request, Step, StepResult
from app.domain.errors import AgentsPaused
from app.domain.ids import RequestId
from app.domain.mail import Account
from app.domain.ports.assistant import RequestDesk
from app.domain.review import Proposal

Said = tuple[str, str]
"""One turn: `human` or `ai`, and the text."""


class Context(TypedDict):
    """Which step of which request is at hand."""

    request: str
    step: int


def merged(before: Mapping[int, StepResult], more: Mapping[int, StepResult]) -> dict[int, StepResult]:
    """Results by step, the later word on each."""
    return {**before, **more}


class SupervisorState(TypedDict, total=False):
    """The channels. `messages` is the request with the contract of each step that is over, `next` where the supervisor leads,
    `results` what steps came to, by their index."""

    messages: Annotated[list[Said], operator.add]
    next: str
    context: Context
    results: Annotated[dict[int, StepResult], merged]


def initial_state(request: Request) -> SupervisorState:
    """What a stretch begins with, as the rows tell it."""
    over = [one for one in request.steps if one.status in OVER]
    return SupervisorState(
        messages=[("human", request.text), *(("ai", one.contract) for one in over if one.contract)],
        context=Context(request=request.id, step=0),
        results={one.index: StepResult(one.contract, one.answer, one.sources, one.documents) for one in over},
    )


@dataclass(frozen=True, slots=True)
class Job:
    """One step for one agent. `results` are those of the steps before it, `messages` the conversation so far."""

    deps: Deps
    desk: RequestDesk
    request: Request
    step: Step
    account: Account
    messages: tuple[Said, ...]
    results: Mapping[int, StepResult]

    def told(self, words: str) -> None:
        """What is being done right now, for the owner."""
        self.desk.told(self.request.id, self.step.index, words)

    def check_pause(self) -> None:
        """Raises `AgentsPaused` while the owner has stopped all agents."""
        check_pause(self.deps)


def check_pause(deps: Deps) -> None:
    """Raises `AgentsPaused` while the owner has stopped all agents."""
    if deps.toolbox is not None and deps.toolbox.paused():
        raise AgentsPaused("The agents are paused.")


Body = Callable[[Job], Awaitable[StepResult | Proposal]]
"""What an agent does with a step: it is done, or a mail is to be put up for review."""


def request_id_of(state: SupervisorState) -> RequestId:
    """The request."""
    return RequestId(state["context"]["request"])
