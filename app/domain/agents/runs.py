"""Runs of the mail graph and their logs: one run per mail and revision of it.

What the assistant did on each day, in numbers. Pure.

What is kept of each tool call and of each agent's run: what it was, what policy said, who agreed, what became of it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from app.domain.drafting.review import FlagKind
from app.domain.ids import AccountId, JobId, MessageId, RunId, ThreadId
from app.domain.mail.triage import Triage
from app.domain.policy.policy import Effect, PolicyReason, Verdict


class RunStatus(StrEnum):
    """`waiting` runs wait for a review; `done`, `needs_review`, `failed` and `superseded` are final."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    NEEDS_REVIEW = "needs_review"
    FAILED = "failed"
    SUPERSEDED = "superseded"


class Route(StrEnum):
    """Where a routing rule sends a mail."""

    PIPELINE = "pipeline"
    RESPONSE_AGENT = "response_agent"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `rule` is the routing rule's name, empty for the default; `profile` only for the agent route;
    `answer` marks a draft that the user asked for, whatever triage says; `routed` is JSON on how it was routed, empty where
    nobody knows any more."""

    id: RunId
    account_id: AccountId
    message_id: MessageId
    thread_id: ThreadId
    route: Route
    rule: str
    profile: str
    status: RunStatus
    graph_version: int
    created_at: datetime
    answer: bool = False
    error: str = ""
    routed: str = ""


@dataclass(frozen=True, slots=True)
class StepLog:
    """One node of one run (an `agent_logs` row). States are JSON texts of changed fields with ids, not bodies; `error`
    is empty when the node worked; `latency_ms` is wall time."""

    run_id: RunId
    step_name: str
    step_order: int
    input_state: str
    output_state: str
    latency_ms: float
    error: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a language model (an `llm_calls` row). `cost_usd` is 0 where the model's price is unknown;
    `host` and `sent_bytes` feed the list of what left the machine."""

    run_id: RunId
    call_type: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    latency_ms: float
    host: str
    sent_bytes: int
    error: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ToolExecution:
    """One tool call of one run, unique by `call_id` within the run; arguments and result are JSON texts."""

    run_id: RunId
    call_id: str
    tool: str
    arguments: str
    result: str
    error: str
    latency_ms: float
    at: datetime


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a run leaves in one write: its node logs, its tool calls and the verdict on its mail; its new `status`, None where it
    stays; the `job` that is worked off with it, empty for none; `run` itself, where it may not be written yet."""

    run_id: RunId
    steps: tuple[StepLog, ...] = ()
    tools: tuple[ToolExecution, ...] = ()
    verdict: tuple[MessageId, Triage] | None = None
    status: RunStatus | None = None
    job: JobId = JobId("")
    run: Run | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.steps or self.tools or self.verdict or self.status or self.job)


@dataclass(frozen=True, slots=True)
class DailyWork:
    """One day in the user's time zone. `looked_at` are pairs of category (empty: no verdict yet) and how many mails;
    `time_ms` is the median time of a run, 0 without any; `kept`, `edited` and `rejected` count decisions about drafts;
    `calls`, `tokens` and `cost_usd` are those of language models."""

    day: date
    looked_at: tuple[tuple[str, int], ...] = ()
    time_ms: float = 0.0
    kept: int = 0
    edited: int = 0
    rejected: int = 0
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0

    @property
    def mails(self) -> int:
        """Mails looked at."""
        return sum(count for _category, count in self.looked_at)

    def of(self, category: str) -> int:
        """Mails of a category."""
        return dict(self.looked_at).get(category, 0)


def every_day(found: Iterable[DailyWork], last: date, days: int) -> tuple[DailyWork, ...]:
    """The `days` days up to `last`, oldest first; a day on which nothing was done is there with zeros."""
    by_day = {one.day: one for one in found}
    first = last - timedelta(days=days - 1)
    return tuple(by_day.get(day) or DailyWork(day) for day in (first + timedelta(days=number) for number in range(days)))


def middle(values: Sequence[float]) -> float:
    """The median of values in order, 0 for none."""
    if not values:
        return 0.0
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


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
    why: PolicyReason
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
