"""Outcomes of a tool call (result, approval needed, denied) and the owner's decision on a call."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from app.agent.llm.turns import ToolCall
from app.domain.agents.call_flags import ReadText
from app.domain.agents.tools import Json
from app.domain.drafting.review import RedFlag
from app.domain.policy.policy import PolicyReason


@dataclass(frozen=True, slots=True)
class ReadTexts:
    """Returned by handlers whose result combines texts with different readers.

    `value` goes to the model; `chunks` are the texts with their readers.
    """

    value: Json
    chunks: tuple[ReadText, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The call ran. A failed call has `{"error": ...}` as its value."""

    value: Json
    failed: bool = False


@dataclass(frozen=True, slots=True)
class NeedsApproval:
    """The call did not run and waits for approval. The same call with an approval of this `plan_hash` runs."""

    plan_hash: str
    flags: tuple[RedFlag, ...]
    why: PolicyReason


@dataclass(frozen=True, slots=True)
class Denied:
    """The call may not run. `words` is the message for the model."""

    why: PolicyReason
    words: str

    @property
    def value(self) -> Json:
        """The result the model gets."""
        return {"error": self.words}


Outcome = Result | NeedsApproval | Denied


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that waits for the owner's decision."""

    call: ToolCall
    plan_hash: str
    flags: tuple[RedFlag, ...]
    why: PolicyReason


@dataclass(frozen=True, slots=True)
class OwnerDecision:
    """The owner's decision on one call, valid only for `plan_hash`. `by` says who decided."""

    plan_hash: str
    approved: bool
    by: str
    at: datetime
    note: str = ""


class Approvals(Protocol):
    """Source of the owner's decisions: review rows in the program, a script in a test harness."""

    def __call__(self, asked: PendingCall) -> OwnerDecision | None:
        """The decision on a call, None while there is none."""


def no_approvals(asked: PendingCall) -> OwnerDecision | None:
    return None


def as_json(value: Any) -> Mapping[str, Any]:
    """The value as a JSON object; anything else is wrapped as `{"result": value}`."""
    return value if isinstance(value, Mapping) else {"result": value}
