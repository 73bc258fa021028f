"""`CallContext`: what the tool calls of one run are checked against (scope, budget, texts read so far, approvals). It lives as
long as the run.
"""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from app.agent.tools.outcomes import Approvals, OwnerDecision, ReadTexts, no_approvals
from app.domain.agents.call_flags import CallScope, ReadText
from app.domain.agents.runs import CallAudit
from app.domain.agents.tools import Json
from app.domain.ids import RunId
from app.domain.policy.policy import Budget, BudgetSpent
from app.domain.ports.agents import Clock


def not_paused() -> bool:
    """Default of `paused`: the agents are not paused."""
    return False


def no_audit(_row: CallAudit) -> None:
    """Default of `audit`: discards the row."""


class CallContext:
    """State of one run for its tool calls.

    `tools` are the names the agent may use; `paused` is the owner's switch for all agents; `audit` gets one row for each call
    that has an outcome and is called in a thread. `done` is set once the agent has finished its work.
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
        self.audit = audit
        self.paused = paused
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

    def spend(self, iterations: int = 0, tokens: int = 0, sends: int = 0) -> None:
        """Adds to the used budget."""
        now = self.spent
        self.spent = replace(now, iterations=now.iterations + iterations, tokens=now.tokens + tokens, sends=now.sends + sends)

    def use(self, call_id: str, word: OwnerDecision) -> bool:
        """Marks a decision as used for a call. Returns False where it was used for that call before."""
        fresh = (call_id, word) not in self._used
        self._used.add((call_id, word))
        return fresh
