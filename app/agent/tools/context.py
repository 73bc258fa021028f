"""What one run's tool calls are judged by: its scope, its budget, what it has read, and whose word counts.

Remembers what was observed and what was spent, for this run alone.
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
    """The owner stopped nothing."""
    return False


def no_audit(_row: CallAudit) -> None:
    """Nothing is kept."""


class CallContext:
    """A run's standing. `tools` are the names the agent may use; `done`: its work is finished; `paused` is the owner's switch for
    all agents; `audit` is called once a call has an outcome, off the loop."""

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
        """Everything this run has read so far."""
        return tuple(self._read)

    def observe(
        self, tool_result: Json | ReadTexts, trusted: bool = False, readers: Iterable[str] = (), public: bool = False
    ) -> None:
        """The agent has read this. What is not `trusted` may have been written by a stranger; `readers` already have it."""
        if isinstance(tool_result, ReadTexts):
            self._read.update(dict.fromkeys(tool_result.chunks))
            return
        text = tool_result if isinstance(tool_result, str) else json.dumps(tool_result, ensure_ascii=False, default=str)
        readers_of = frozenset(one.lower() for one in readers)
        self._read[ReadText(text, readers_of, public, trusted)] = None

    def spend(self, iterations: int = 0, tokens: int = 0, sends: int = 0) -> None:
        """Add to what was used."""
        now = self.spent
        self.spent = replace(now, iterations=now.iterations + iterations, tokens=now.tokens + tokens, sends=now.sends + sends)

    def use(self, call_id: str, word: OwnerDecision) -> bool:
        """Use up a word on a call; False where this very word was used for it before."""
        fresh = (call_id, word) not in self._used
        self._used.add((call_id, word))
        return fresh
