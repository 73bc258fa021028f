"""What the tool calls of a run are checked against (`CallContext`), their outcomes, and the owner's decision on a call.

A context has scope, budget, texts read so far and approvals, and lives as long as the run. An outcome is a result, the need for
an approval, or a denial.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from app.agent.llm.turns import ToolCall
from app.domain.agents.call_flags import CallScope, ReadText
from app.domain.agents.runs import CallAudit
from app.domain.agents.tools import Json
from app.domain.drafting.review import RedFlag
from app.domain.ids import RunId
from app.domain.policy.policy import Budget, BudgetSpent, PolicyReason
from app.domain.ports.agents import Clock
from app.domain.record import Record


class ReadTexts(Record):
    """Returned by handlers whose result combines texts with different readers.

    `value` goes to the model; `chunks` are the texts with their readers.
    """

    value: Json
    chunks: tuple[ReadText, ...]


class Result(Record):
    """The call ran. A failed call has `{"error": ...}` as its value."""

    value: Json
    failed: bool = False


class NeedsApproval(Record):
    """The call did not run and waits for approval. The same call with an approval of this `plan_hash` runs."""

    call: ToolCall
    plan_hash: str
    flags: tuple[RedFlag, ...]
    why: PolicyReason


class Denied(Record):
    """The call may not run. `words` is the message for the model."""

    why: PolicyReason
    words: str

    @property
    def value(self) -> Json:
        """The result the model gets."""
        return {"error": self.words}


Outcome = Result | NeedsApproval | Denied


class OwnerDecision(Record):
    """The owner's decision on one call, valid only for `plan_hash`. `by` says who decided."""

    plan_hash: str
    approved: bool
    by: str
    at: datetime
    note: str = ""


Approvals = Callable[[NeedsApproval], OwnerDecision | None]
"""Source of the owner's decisions, None while there is none: review rows in the program, a script in a test harness."""


def no_approvals(_asked: NeedsApproval) -> OwnerDecision | None:
    return None


def as_json(value: Any) -> Mapping[str, Any]:
    """The value as a JSON object; anything else is wrapped as `{"result": value}`."""
    return value if isinstance(value, Mapping) else {"result": value}


def not_paused() -> bool:
    """Default of `paused`: the agents are not paused."""
    return False


def no_audit(_row: CallAudit) -> None:
    """Default of `audit`: discards the row."""


class CallContext:
    """State of one run for its tool calls.

    `tools` are the names the agent may use; `paused` is the owner's switch for all agents; `audit` gets one row for each call
    that has an outcome and is called in a thread. `done` is set once the agent has finished its work. Eight
    parameters: one for each limit of a run, and all but three have a default.
    """

    def __init__(
        self,
        run_id: RunId,
        tools: Collection[str],
        clock: Clock,
        scope: CallScope | None = None,
        approvals: Approvals = no_approvals,
        budget: Budget | None = None,
        audit: Callable[[CallAudit], None] = no_audit,
        paused: Callable[[], bool] = not_paused,
    ) -> None:
        self.run_id = run_id
        self.tools = frozenset(tools)
        self.clock = clock
        self.scope = scope or CallScope()
        self.approvals = approvals
        self.budget = budget or Budget()
        self.audit, self.paused = audit, paused
        self.spent = BudgetSpent()
        self.done = False
        self._read: dict[ReadText, None] = {}
        self._used: set[tuple[str, OwnerDecision]] = set()

    @property
    def read(self) -> tuple[ReadText, ...]:
        """All texts this run has read so far, in order, without duplicates."""
        return tuple(self._read)

    def observe(
        self, tool_result: Json | ReadTexts, trusted: bool = False, readers: Iterable[str] = (), public: bool = False
    ) -> None:
        """Records a text the agent has read.

        Text that is not `trusted` may come from a stranger. `readers` are addresses that already have the text.
        """
        if isinstance(tool_result, ReadTexts):
            self._read.update(dict.fromkeys(tool_result.chunks))
            return
        text = tool_result if isinstance(tool_result, str) else json.dumps(tool_result, ensure_ascii=False, default=str)
        readers_of = frozenset(one.lower() for one in readers)
        self._read[ReadText(text, readers_of, public, trusted)] = None

    def use(self, call_id: str, word: OwnerDecision) -> bool:
        """Marks a decision as used for a call. Returns False where it was used for that call before."""
        fresh = (call_id, word) not in self._used
        self._used.add((call_id, word))
        return fresh
