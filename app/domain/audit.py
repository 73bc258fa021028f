"""What is kept of each tool call and of each agent's run: what it was, what policy said, who agreed, what became of it."""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.ids import RunId
from app.domain.policy import Effect, Verdict, Why
from app.domain.review import FlagKind


class CallOutcome(StrEnum):
    """How a call ended so far."""

    WAITING = "waiting"
    RAN = "ran"
    FAILED = "failed"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class CallAudit:
    """One call of one run, a `tool_audit` row. `arguments_hash` is the sha256 (hex) of tool and arguments as they were carried
    out; `approved_by` and `approved_at` are empty where nobody was asked."""

    run_id: RunId
    call_id: str
    tool: str
    effect: Effect | None
    arguments_hash: str
    verdict: Verdict
    why: Why
    flags: tuple[FlagKind, ...]
    outcome: CallOutcome
    at: datetime
    approved_by: str = ""
    approved_at: datetime | None = None


class AgentStatus(StrEnum):
    """How an agent's run ended: by itself, at its limit, or by trouble."""

    COMPLETED = "completed"
    MAX_ITERATIONS = "max_iterations"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call as `tool_calls_log` has it; `iteration` counts the model's turns from 1."""

    tool: str
    arguments: dict[str, Any]
    result: Any
    iteration: int


@dataclass(frozen=True, slots=True)
class AgentRun:
    """An agent's run, an `agent_runs` row. `iterations` are its model's turns; `error` is empty unless the status is error."""

    run_id: RunId
    profile: str
    status: AgentStatus
    tool_calls: tuple[LoggedCall, ...]
    final_message: str
    iterations: int
    error: str = ""

    @property
    def tool_calls_log(self) -> str:
        """The calls as a JSON array."""
        rows = [
            {"tool": one.tool, "arguments": one.arguments, "result": one.result, "iteration": one.iteration}
            for one in self.tool_calls
        ]
        return json.dumps(rows, ensure_ascii=False)
