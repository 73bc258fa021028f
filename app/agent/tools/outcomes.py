"""What becomes of a tool call: a result, a wait for the owner's word, or a refusal. And the owner's word itself."""

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
    """What a handler returns whose result is made of texts that different people have: `value` goes to the model, `chunks` are
    those texts with their readers."""

    value: Json
    chunks: tuple[ReadText, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """It ran. A failed call has `{"error": ...}` as its value."""

    value: Json
    failed: bool = False


@dataclass(frozen=True, slots=True)
class NeedsApproval:
    """Nothing happened yet: the owner has the word. The same call with an approval of this `plan_hash` runs."""

    plan_hash: str
    flags: tuple[RedFlag, ...]
    why: PolicyReason


@dataclass(frozen=True, slots=True)
class Denied:
    """It may not run. `words` are for the model."""

    why: PolicyReason
    words: str

    @property
    def value(self) -> Json:
        """As the model is told."""
        return {"error": self.words}


Outcome = Result | NeedsApproval | Denied


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that waits for a word."""

    call: ToolCall
    plan_hash: str
    flags: tuple[RedFlag, ...]
    why: PolicyReason


@dataclass(frozen=True, slots=True)
class OwnerDecision:
    """The owner's word on one call. It is good for `plan_hash` alone; `by` says who gave it, `note` what else was said."""

    plan_hash: str
    approved: bool
    by: str
    at: datetime
    note: str = ""


class Approvals(Protocol):
    """Where the owner's words come from: review rows in the program, a script in a harness."""

    def __call__(self, asked: PendingCall) -> OwnerDecision | None:
        """The word on a call, None while there is none."""


def no_approvals(asked: PendingCall) -> OwnerDecision | None:
    """Nobody says anything."""
    return None


def as_json(value: Any) -> Mapping[str, Any]:
    """A result as the object that goes into logs and conversations."""
    return value if isinstance(value, Mapping) else {"result": value}
